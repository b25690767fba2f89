import { usePalette } from '../../colour/usePalette';
import type { StageStats } from '../../data/types';
import { counted } from '../../text/count';
import { duration } from '../../text/duration';
import { axisTicks, axisX, barsPath, type LogAxis } from './distribution';
import type { OpenAges } from './openAges';

const HEIGHT = 22;
const ARROWS = 7;

type Props = {
  stats: StageStats;
  bounds: readonly number[];
  axis: LogAxis;
  width: number;
  open: OpenAges | undefined;
};

/** How long the calls of a stage took: bars for closed ones, arrows above for the ages of open ones. */
export function MiniHistogram({ stats, bounds, axis, width, open }: Props) {
  const palette = usePalette();
  const label = describe(stats, open);
  return (
    <svg width={width} height={HEIGHT} overflow="visible" role="img" aria-label={label}>
      <title>{label}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${width}`} stroke="var(--line-2)" />
      {stats.distribution && (
        <path
          d={barsPath(bounds, stats.distribution, axis, width, HEIGHT - ARROWS)}
          transform={`translate(0 ${ARROWS - 0.5})`}
          fill={palette.stage(stats.stage)}
        />
      )}
      {stats.open_count > 0 && open && (
        <>
          {stats.open_count > 2 && <path d={arrow(axisX(axis, open.p50_s, width))} fill="var(--ink-3)" />}
          {stats.open_count > 1 && <path d={arrow(axisX(axis, open.p95_s, width))} fill="var(--ink-3)" />}
          <path
            d={arrow(axisX(axis, open.oldest_s, width))}
            fill={open.late ? 'var(--late)' : 'var(--ink-3)'}
          />
        </>
      )}
    </svg>
  );
}

function arrow(x: number): string {
  return `M${(x - 2).toFixed(1)} 0l6 3l-6 3z`;
}

function describe(s: StageStats, open: OpenAges | undefined): string {
  const closed = `${counted(s.count - s.open_count, 'closed call')}, p50 ${duration(s.p50_s)}, p95 ${duration(s.p95_s)}, slowest ${duration(s.max_s)}`;
  if (s.open_count === 0) return closed;
  return `${closed}; ${s.open_count} open${open ? `, the oldest for ${duration(open.oldest_s)}` : ''}`;
}

/** The shared axis, for the head of the column. */
export function DistributionAxis({ axis, width }: { axis: LogAxis; width: number }) {
  return (
    <svg width={width} height="12" overflow="visible" role="img" aria-label="Distribution of durations">
      <title>Durations on one log axis; height √count; arrows: still open, at their age</title>
      {axisTicks(axis, width).map(({ x, text }) => (
        <text key={text} x={x} y="9" fontSize="10" fill="var(--ink-3)" textAnchor="middle">
          {text}
        </text>
      ))}
    </svg>
  );
}
