import { useCallback, useState } from 'react';
import css from './controls.module.css';
import { Caret, Menu, type MenuOption } from './Menu';

type Props = {
  label: string;
  value: string | undefined;
  options: readonly MenuOption[];
  /** undefined takes the filter off. */
  onChange: (value: string | undefined) => void;
  /** What it says while not set. */
  any?: string;
  none?: string;
};

/** One filter: what it is set to, a menu to set it, a cross to take it off. */
export function Chip({ label, value, options, onChange, any = 'any', none }: Props) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const shown = options.find((o) => o.value === value)?.label ?? value ?? any;
  return (
    <span className={css.anchor}>
      <span className={`${css.chip} ${value === undefined ? '' : css.set}`}>
        <button
          type="button"
          className={css.chipButton}
          aria-haspopup="menu"
          aria-expanded={open}
          title={value}
          onClick={() => setOpen(!open)}
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
      {open && (
        <Menu
          options={options}
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
