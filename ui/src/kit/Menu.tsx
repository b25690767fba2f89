import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import css from './controls.module.css';

export type MenuOption = { value: string; label?: ReactNode; note?: string };

type Props = {
  options: readonly MenuOption[];
  selected: string | undefined;
  onChoose: (value: string) => void;
  onClose: () => void;
  /** What to say when there is nothing to choose. */
  none?: string;
};

const MOST_SHOWN = 200;
const SEARCH_FROM = 8;

/** A list to choose from, below its button; with a search field when it is long. */
export function Menu({ options, selected, onChoose, onClose, none = 'Nothing to choose yet' }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const found = options.filter((o) => o.value.toLowerCase().includes(wanted));

  useEffect(() => {
    const outside = (event: PointerEvent) => {
      if (!root.current?.parentElement?.contains(event.target as Node)) onClose();
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [onClose]);

  useEffect(() => root.current?.querySelector<HTMLElement>('input, button')?.focus(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const stops = [...root.current!.querySelectorAll<HTMLElement>('input, button')];
      const at = stops.indexOf(document.activeElement as HTMLElement);
      stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && found[0]) {
      onChoose(found[0].value);
    } else return;
    event.stopPropagation();
    event.preventDefault();
  };

  return (
    <div className={css.menu} ref={root} onKeyDown={onKeyDown} role="menu">
      {options.length >= SEARCH_FROM && (
        <input
          value={text}
          onChange={(e) => setText(e.target.value)}
          placeholder="Search"
          aria-label="Search"
        />
      )}
      <div className={css.options}>
        {found.slice(0, MOST_SHOWN).map((o) => (
          <button
            type="button"
            role="menuitemradio"
            aria-checked={o.value === selected}
            key={o.value}
            className={css.option}
            title={o.value}
            onClick={() => onChoose(o.value)}
          >
            <span className="cut">{o.label ?? o.value}</span>
            {o.note !== undefined && <span>{o.note}</span>}
          </button>
        ))}
      </div>
      {found.length === 0 && (
        <div className={css.none}>{options.length === 0 ? none : 'Nothing like that'}</div>
      )}
      {found.length > MOST_SHOWN && (
        <div className={css.none}>and {found.length - MOST_SHOWN} more: search</div>
      )}
    </div>
  );
}

export function Caret() {
  return (
    <svg width="8" height="8" viewBox="0 0 8 8" className={css.caret} aria-hidden="true">
      <path d="M1 2.5l3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.3" />
    </svg>
  );
}
