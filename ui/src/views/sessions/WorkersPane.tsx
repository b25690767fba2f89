import { memo, useMemo } from 'react';
import { usePalette } from '../../colour/usePalette';
import { type Column, DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Count, Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { nextSort, parseSort, sortRows } from '../../kit/sortRows';
import { setParams, useParam } from '../../route/useRoute';
import { counted } from '../../text/count';
import { duration } from '../../text/duration';
import { workerColour } from './scatterMarks';
import type { Page } from './usePage';
import { compareWorkers, type WorkerNumbers } from './workerNumbers';

const CHART = { width: 96, height: 18 };
const USUAL = { key: 'worker', descending: false };

/** Is it one worker? Totals of finished sessions side by side on one log scale. */
export const WorkersPane = memo(function WorkersPane({ page }: { page: Page }) {
  const { workers, low, high } = useMemo(() => compareWorkers(page), [page]);
  const sort = parseSort(useParam('wsort'), USUAL);
  const coloured = useParam('colour') === 'worker';
  const palette = usePalette();
  const x = (s: number) =>
    (Math.log(Math.min(high, Math.max(low, s)) / low) / Math.log(high / low)) * CHART.width;
  const columns: Column<WorkerNumbers>[] = [
    {
      key: 'worker',
      head: 'Worker',
      width: 'minmax(100px, 1fr)',
      cell: (w) => (
        <>
          {coloured && (
            <i style={{ width: 8, height: 8, flex: 'none', background: workerColour(w.place, palette) }} />
          )}
          <span className="cut" title={w.name}>
            {w.name}
          </span>
        </>
      ),
    },
    { key: 'count', head: 'Ended', width: '42px', right: true, cell: (w) => <Count n={w.count} /> },
    { key: 'failed', head: 'Failed', width: '40px', right: true, cell: (w) => <Count n={w.failed} /> },
    { key: 'open', head: 'Open', width: '36px', right: true, cell: (w) => <Count n={w.open} /> },
    {
      key: 'spread',
      head: `${duration(low)} – ${duration(high)}`,
      width: `${CHART.width}px`,
      overflow: true,
      cell: (w) => <Spread worker={w} x={x} />,
    },
    {
      key: 'p95',
      head: 'p95',
      width: '62px',
      right: true,
      cell: (w) => <Duration s={w.count ? w.p95 : null} />,
    },
  ];
  if (workers.length === 0) {
    return (
      <Pane title="By worker">
        <EmptyState title="These sessions name no worker." />
      </Pane>
    );
  }
  return (
    <Pane title="By worker" note={`${counted(workers.length, 'worker')}; work, p50 and p95 marked`}>
      <DataTable
        label="By worker"
        columns={columns}
        rows={sortRows(workers, sort, (w, key) => (key === 'worker' ? w.name : w[key as 'p95']))}
        rowKey={(w) => w.name}
        rowHeight={22}
        sort={sort}
        sortable={['worker', 'count', 'failed', 'open', 'p95']}
        onSort={(key) => setParams({ wsort: nextSort(sort, key, key !== 'worker') })}
        selected={page.selection.worker}
        onOpen={(w) => setParams({ worker: page.selection.worker === w.name ? undefined : w.name }, 'push')}
      />
    </Pane>
  );
});

/** A small histogram as one path, with posts at p50 and p95; orange when p95 is far above that of all. */
function Spread({ worker, x }: { worker: WorkerNumbers; x: (s: number) => number }) {
  const top = Math.max(1, ...worker.bins);
  const width = CHART.width / worker.bins.length;
  const base = CHART.height - 1;
  const bars = worker.bins
    .map((n, i) =>
      n === 0
        ? ''
        : `M${(i * width).toFixed(1)} ${base}v${(-(base - 2) * n) / top}h${(width - 0.5).toFixed(1)}V${base}z`,
    )
    .join('');
  const label = worker.count
    ? `p50 ${duration(worker.p50)}, p95 ${duration(worker.p95)}, ${worker.slower ? 'much slower than the others' : 'as the others'}`
    : 'nothing has ended';
  return (
    <svg width={CHART.width} height={CHART.height} overflow="visible" role="img" aria-label={label}>
      <title>{label}</title>
      <path d={`M0 ${base + 0.5}H${CHART.width}`} stroke="var(--line)" />
      <path d={bars} fill="var(--ink-3)" opacity="0.6" />
      {worker.count > 0 && (
        <>
          <path d={`M${x(worker.p50)} 1V${base}`} stroke="var(--ink)" strokeWidth="1.5" />
          <path
            d={`M${x(worker.p95)} 1V${base}`}
            stroke={worker.slower ? 'var(--late)' : 'var(--ink)'}
            strokeWidth={worker.slower ? 2.5 : 1.5}
          />
        </>
      )}
    </svg>
  );
}
