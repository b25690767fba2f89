import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

export type Size = { width: number; height: number };

/** The size of an element, kept up to date. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const host = element.current;
    if (!host) return;
    const measure = () => {
      const next = { width: host.clientWidth, height: host.clientHeight };
      setSize((s) => (s.width === next.width && s.height === next.height ? s : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/**
 * Draws on a canvas in CSS pixels, at most once a frame, whenever `draw` or the size changes.
 * Give `draw` a stable identity (useCallback), so that it is redrawn only when what it shows has changed.
 */
export function useCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  { width, height }: Size,
  draw: (g: CanvasRenderingContext2D) => void,
): void {
  const frame = useRef(0);
  useEffect(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const target = canvas.current;
      const g = target?.getContext('2d');
      if (!target || !g || width === 0 || height === 0) return;
      const scale = devicePixelRatio || 1;
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      if (target.width !== w || target.height !== h) {
        target.width = w;
        target.height = h;
      }
      target.style.width = `${width}px`;
      target.style.height = `${height}px`;
      g.setTransform(scale, 0, 0, scale, 0, 0);
      g.clearRect(0, 0, width, height);
      draw(g);
    });
    return () => cancelAnimationFrame(frame.current);
  }, [canvas, width, height, draw]);
}
