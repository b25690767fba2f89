import { useCallback, useState } from 'react';
import css from './controls.module.css';
import { Caret, Menu, type MenuOption } from './Menu';

type Props = {
  label: string;
  value: string | undefined;
  /** Or how to get them when the menu opens: they stay as they were while it is open. */
  options: readonly MenuOption[] | (() => readonly MenuOption[]);
  /** undefined takes the filter off. */
  onChange: (value: string | undefined) => void;
  /** What it says while not set. */
  any?: string;
  none?: string;
};

/** One filter: what it is set to, a menu to set it, a cross to take it off. */
export function Chip({ label, value, options, onChange, any = 'any', none }: Props) {
  const [offered, setOffered] = useState<readonly MenuOption[] | null>(null);
  const close = useCallback(() => setOffered(null), []);
  const open = () => setOffered(typeof options === 'function' ? options() : options);
  const named = typeof options === 'function' ? undefined : options.find((o) => o.value === value)?.label;
  const shown = named ?? value ?? any;
  return (
    <span className={css.anchor}>
      <span className={`${css.chip} ${value === undefined ? '' : css.set}`}>
        <button
          type="button"
          className={css.chipButton}
          aria-haspopup="menu"
          aria-expanded={offered !== null}
          title={value}
          onClick={offered === null ? open : close}
        >
          {label} <b className="cut">{shown}</b>
          {value === undefined && <Caret />}
        </button>
        {value !== undefined && (
          <button
            type="button"
            className={css.clear}
            aria-label={`${label}: any`}
            onClick={() => onChange(undefined)}
          >
            ×
          </button>
        )}
      </span>
      {offered !== null && (
        <Menu
          options={offered}
          selected={value}
          onClose={close}
          onChoose={(v) => {
            onChange(v);
            close();
          }}
          {...(none === undefined ? {} : { none })}
        />
      )}
    </span>
  );
}
