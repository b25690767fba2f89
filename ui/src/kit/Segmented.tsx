import css from './controls.module.css';

type Props<T extends string> = {
  label: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onChange: (value: T) => void;
};

/** One of a few: sort orders, groupings. */
export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <>
      <span className={css.segmentsLabel} aria-hidden="true">
        {label}
      </span>
      <fieldset className={css.segments} aria-label={label}>
        {options.map(([option, text]) => (
          <button type="button" key={option} aria-pressed={option === value} onClick={() => onChange(option)}>
            {text}
          </button>
        ))}
      </fieldset>
    </>
  );
}
