import { duration } from '../text/duration';
import { GAUGE_TICKS, gaugeX } from './gaugeScale';

type Props = {
  ageS: number;
  usualP50S?: number | null | undefined;
  usualP95S: number | null;
  width?: number;
  /** Late only because a child is: stays grey. */
  muted?: boolean;
};

const HEIGHT = 16;
const MIDDLE = HEIGHT / 2;

/** An age against what is usual: grey band up to p95, a post at p95, orange from there. */
export function AgeGauge({ ageS, usualP50S, usualP95S, width = 150, muted = false }: Props) {
  const age = gaugeX(ageS, width);
  const p95 = usualP95S === null ? null : gaugeX(usualP95S, width);
  const p50 = usualP50S ? gaugeX(usualP50S, width) : p95 === null ? null : p95 - 24;
  const late = p95 !== null && usualP95S !== null && ageS > usualP95S;
  const label = `open for ${duration(ageS)}, ${usualP95S === null ? 'no usual yet' : `usual p95 ${duration(usualP95S)}`}`;
  return (
    <svg width={width} height={HEIGHT} overflow="visible" role="img" aria-label={label}>
      <title>{label}</title>
      {GAUGE_TICKS.map(([s]) => (
        <path key={s} d={`M${gaugeX(s, width) + 0.5} ${MIDDLE - 6}v12`} stroke="var(--line)" />
      ))}
      <path d={`M0 ${MIDDLE}H${width}`} stroke="var(--line-2)" />
      {p95 !== null && p50 !== null && (
        <rect
          x={Math.max(0, p50)}
          y={MIDDLE - 4}
          width={Math.max(3, p95 - Math.max(0, p50))}
          height="8"
          rx="1"
          fill="var(--line-2)"
        />
      )}
      {late && p95 !== null ? (
        <path d={arrow(p95 + 1, Math.max(age, p95 + 6))} fill={muted ? 'var(--ink-3)' : 'var(--late)'} />
      ) : (
        <path d={`M${age} ${MIDDLE - 5}v10`} stroke="var(--ink)" strokeWidth="2" />
      )}
      {p95 !== null && <path d={`M${p95 + 0.5} ${MIDDLE - 6}v12`} stroke="var(--ink)" strokeWidth="1.5" />}
    </svg>
  );
}

function arrow(from: number, to: number): string {
  return `M${from} ${MIDDLE - 3}H${to - 5}L${to} ${MIDDLE}L${to - 5} ${MIDDLE + 3}H${from}Z`;
}

/** The scale of a column of gauges, for its head. */
export function GaugeAxis({ width = 150 }: { width?: number }) {
  return (
    <svg width={width} height="12" overflow="visible" aria-hidden="true">
      {GAUGE_TICKS.map(([s, label]) => (
        <text key={s} x={gaugeX(s, width)} y="9" fontSize="10" fill="var(--ink-3)" textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}
