import { useMemo } from 'react';
import type { Hotspots } from '../../data/types';
import type { Answer } from '../../data/useAnswer';
import { DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Pane } from '../../kit/Pane';
import { nextSort, parseSort, sortRows } from '../../kit/sortRows';
import { setParams, useParam } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { workerColumns } from './workerColumns';
import { rangeAxis, type WorkerLine, workerLines, workerValue } from './workers';

type Props = {
  detail: Hotspots | undefined;
  answer: Answer<Hotspots>;
  pointed: string | null;
  onPoint: (place: string | null) => void;
};

const SORTABLE = ['worker', 'stage', 'count', 'errors', 'p50', 'p95'];
const WORST = { key: 'worst', descending: true };

/** Is it the worker? Each stage on each worker against the same stage on all of them. */
export function WorkersPane({ detail, answer, pointed, onPoint }: Props) {
  const stage = useParam('stage');
  const chosen = useParam('worker');
  const sort = parseSort(useParam('workers'), WORST);
  const lines = useMemo(() => (detail ? workerLines(detail, stage) : []), [detail, stage]);
  const columns = useMemo(() => workerColumns(rangeAxis(lines)), [lines]);
  const rows = sortRows(lines, sort, workerValue);
  return (
    <Pane
      title="Workers against the fleet"
      note={noteOf(lines, detail?.workers_left_out ?? 0)}
      answer={answer}
    >
      {detail && lines.length === 0 && (
        <EmptyState title="Nothing to compare.">No stage was done by two workers.</EmptyState>
      )}
      {lines.length > 0 && (
        <DataTable
          label="Workers against the fleet"
          columns={columns}
          rows={rows}
          rowKey={(l) => l.key}
          rowHeight={26}
          sortable={SORTABLE}
          sort={sort}
          onSort={(key) => setParams({ workers: nextSort(sort, key, key !== 'worker' && key !== 'stage') })}
          onHover={(l) => onPoint(l?.stats.stage ?? null)}
          marked={(l) => l.stats.stage === pointed}
          onOpen={({ stats }) =>
            setParams({ worker: stats.worker === chosen ? undefined : stats.worker }, 'push')
          }
        />
      )}
    </Pane>
  );
}

function noteOf(lines: readonly WorkerLine[], leftOut: number): string {
  if (lines.length === 0) return '';
  const workers = new Set(lines.map((l) => l.stats.worker)).size;
  const odd = new Set(lines.filter((l) => l.why).map((l) => l.stats.worker)).size;
  const more = leftOut > 0 ? `; ${count(leftOut)} small ones left out` : '';
  return odd === 0
    ? `${counted(workers, 'worker')}, none out of line${more}`
    : `${count(odd)} of ${counted(workers, 'worker')} out of line${more}`;
}
