import type { Column } from '../../kit/DataTable';
import { Count, Duration } from '../../kit/numbers';
import { StageName } from '../../kit/Swatch';
import { times } from '../../text/count';
import { duration } from '../../text/duration';
import { axisX, type LogAxis } from './distribution';
import css from './HotspotsView.module.css';
import type { WorkerLine } from './workers';

const RANGE_WIDTH = 80;
const HEIGHT = 16;

export function workerColumns(axis: LogAxis): Column<WorkerLine>[] {
  return [
    {
      key: 'worker',
      head: 'Worker',
      width: 'minmax(104px, 1fr)',
      cell: (l) => (
        <>
          {l.why && (
            <span className={css.mark} title={l.why} role="img" aria-label={l.why}>
              ▲
            </span>
          )}
          <span className="cut" title={l.why ? `${l.stats.worker}: ${l.why}` : l.stats.worker}>
            {l.stats.worker}
          </span>
        </>
      ),
    },
    {
      key: 'stage',
      head: 'Stage',
      width: 'minmax(90px, 1.1fr)',
      cell: (l) => <StageName place={l.stats.stage} />,
    },
    { key: 'count', head: 'Count', width: '40px', right: true, cell: (l) => <Count n={l.stats.count} /> },
    {
      key: 'errors',
      head: 'Errors',
      width: '40px',
      right: true,
      cell: (l) => (
        <span className={l.why === 'many errors' ? 'late' : ''}>
          <Count n={l.stats.error_count} />
        </span>
      ),
    },
    {
      key: 'range',
      head: <span title="Line: p50 to p95 of this worker. Band: of all workers.">p50 to p95</span>,
      width: `${RANGE_WIDTH}px`,
      overflow: true,
      cell: (l) => <Range line={l} axis={axis} />,
    },
    {
      key: 'p50',
      head: 'p50',
      width: '40px',
      right: true,
      cell: (l) => (
        <Against ratio={l.p50_ratio} s={l.stats.p50_s} usual={l.fleet.p50_s} late={l.why === 'slow median'} />
      ),
    },
    {
      key: 'p95',
      head: 'p95',
      width: '40px',
      right: true,
      cell: (l) => (
        <Against ratio={l.p95_ratio} s={l.stats.p95_s} usual={l.fleet.p95_s} late={l.why === 'slow tail'} />
      ),
    },
  ];
}

function Against({
  ratio,
  s,
  usual,
  late,
}: {
  ratio: number | null;
  s: number;
  usual: number;
  late: boolean;
}) {
  if (ratio === null) return <Duration s={s} />;
  return (
    <span className={late ? css.out : ''} title={`${duration(s)}; all workers ${duration(usual)}`}>
      {times(ratio)}
    </span>
  );
}

/** Band: p50 to p95 of the fleet. Line with two ends: of this worker. */
function Range({ line: { stats, fleet, why }, axis }: { line: WorkerLine; axis: LogAxis }) {
  const x = (s: number) => axisX(axis, s, RANGE_WIDTH);
  const [low, high] = [x(stats.p50_s), x(stats.p95_s)];
  const label = `p50 ${duration(stats.p50_s)}, p95 ${duration(stats.p95_s)}; all workers ${duration(fleet.p50_s)}, ${duration(fleet.p95_s)}`;
  return (
    <svg width={RANGE_WIDTH} height={HEIGHT} overflow="visible" role="img" aria-label={label}>
      <title>{label}</title>
      <rect
        x={x(fleet.p50_s)}
        y="4"
        width={Math.max(2, x(fleet.p95_s) - x(fleet.p50_s))}
        height="8"
        rx="1"
        fill="var(--line-2)"
      />
      <path
        d={`M${low} 3.5v9M${low} 8H${Math.max(low + 1, high)}M${Math.max(low + 1, high)} 3.5v9`}
        stroke={why ? 'var(--late)' : 'var(--ink)'}
        strokeWidth="1.5"
        fill="none"
      />
    </svg>
  );
}
