import { usePalette } from '../../colour/usePalette';
import { count } from '../../text/count';
import { exactValue, value } from '../../text/value';
import css from './ChartRow.module.css';
import type { Heat } from './heat';
import { lineStyle } from './lineStyle';
import type { Reading } from './readings';

type Props = {
  readings: readonly Reading[];
  unit: string;
  /** How many have room. */
  room: number;
  leftOut: number;
  onFocus: (line: number | null) => void;
};

/** Each line with its value under the pointer, or its last one. */
export function Legend({ readings, unit, room, leftOut, onFocus }: Props) {
  const shown = readings.length + leftOut > room ? readings.slice(0, room - 1) : readings;
  const more = readings.length - shown.length + leftOut;
  return (
    <ul className={css.legend}>
      {shown.map((r) => (
        <li key={r.line} onPointerEnter={() => onFocus(r.line)} onPointerLeave={() => onFocus(null)}>
          <LineMark line={r.line} />
          <span className="cut" title={r.label}>
            {r.label}
          </span>
          <b title={exactValue(r.y, unit)}>{value(r.y, unit)}</b>
        </li>
      ))}
      {more > 0 && <li className="faint">and {count(more)} more</li>}
    </ul>
  );
}

/** A piece of the line: colour and dashes. */
export function LineMark({ line }: { line: number }) {
  const { theme } = usePalette();
  const { colour, dash } = lineStyle(theme, line);
  return (
    <svg width="14" height="8" aria-hidden="true">
      <path d="M0 4H14" stroke={colour} strokeWidth="2" strokeDasharray={dash.join(' ') || undefined} />
    </svg>
  );
}

/** How many observations, and what the darkest cell stands for. */
export function HeatLegend({ heat, at }: { heat: Heat; at: number | null }) {
  const part = at === null ? heat.counts : heat.counts.subarray(at * heat.rows, (at + 1) * heat.rows);
  const n = part.reduce((a, b) => a + b, 0);
  return (
    <ul className={css.legend}>
      <li>
        <span>{at === null ? 'in sight' : 'here'}</span>
        <b>{count(Math.round(n))}</b>
      </li>
      <li>
        <i className={css.shades} />
        <b>{count(Math.round(heat.most))}</b>
      </li>
    </ul>
  );
}
