import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import css from './Tooltip.module.css';

/** A box beside the pointer, kept inside the window. For canvases; plain elements use `title`. */
export function Tooltip({ x, y, children }: { x: number; y: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tip = box.current;
    if (!tip) return;
    const { width, height } = tip.getBoundingClientRect();
    const left = x + 14 + width > innerWidth ? x - 14 - width : x + 14;
    const top = y + 14 + height > innerHeight ? y - 14 - height : y + 14;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  });
  return createPortal(
    <div className={css.tip} ref={box} role="tooltip">
      {children}
    </div>,
    document.body,
  );
}
