import { useEffect, useRef } from 'react';
import { Button } from './Button';
import css from './KeyHelp.module.css';
import { useAllKeys, useKeys } from './keys';

const NAMES: Record<string, string> = {
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
};

/** The keys that work in this view. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const keys = useAllKeys();
  const box = useRef<HTMLDivElement>(null);
  useKeys([{ key: 'Escape', does: 'Close, clear, go up', run: onClose }]);
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the box closes it; the keyboard has Esc
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div className={css.shade} onClick={(e) => e.target === e.currentTarget && onClose()}>
      <div className={css.box} role="dialog" aria-label="Keyboard" ref={box}>
        <h2>Keyboard</h2>
        <dl>
          {keys.map((b) => (
            <KeyLine key={b.key} name={NAMES[b.key] ?? b.key.toUpperCase()} does={b.does} />
          ))}
        </dl>
        <footer>
          <Button onClick={onClose}>Close</Button>
        </footer>
      </div>
    </div>
  );
}

function KeyLine({ name, does }: { name: string; does: string }) {
  return (
    <>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{does}</dd>
    </>
  );
}
