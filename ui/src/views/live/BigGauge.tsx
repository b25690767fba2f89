import { gaugeX } from '../../kit/gaugeScale';
import { times } from '../../text/count';
import { duration } from '../../text/duration';
import css from './LiveHeadline.module.css';

const WIDTH = 250;

/** The age gauge of the headline: the same scale, with its numbers written out. */
export function BigGauge({ ageS, usualP95S }: { ageS: number; usualP95S: number }) {
  const p95 = gaugeX(usualP95S, WIDTH);
  const age = Math.max(gaugeX(ageS, WIDTH), p95 + 9);
  return (
    <svg width={WIDTH} height="52" overflow="visible" className={css.gauge} aria-hidden="true">
      <path d={`M0 26H${WIDTH}`} stroke="var(--line-2)" />
      <rect
        x={Math.max(0, p95 - 40)}
        y="20"
        width={Math.min(40, p95)}
        height="12"
        rx="1"
        fill="var(--line-2)"
      />
      <path d={`M${p95} 21H${age - 8}L${age} 26L${age - 8} 31H${p95}Z`} fill="var(--late)" />
      <path d={`M${p95 + 0.5} 16v20`} stroke="var(--ink)" strokeWidth="1.5" />
      <text x={p95} y="49" fontSize="11" fill="var(--ink-2)" textAnchor="middle">
        p95 {duration(usualP95S)}
      </text>
      <text
        x={Math.max(age, 96)}
        y="12"
        fontSize="13"
        fontWeight="600"
        fill="var(--late-ink)"
        textAnchor="end"
      >
        {times(ageS / usualP95S)} usual p95
      </text>
    </svg>
  );
}
