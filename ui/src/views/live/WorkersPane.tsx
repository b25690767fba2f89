import { useMemo } from 'react';
import { openWork } from '../../data/openWork';
import type { LiveWorker } from '../../data/types';
import { useLive, useNowS } from '../../data/useLive';
import { type Column, DataTable } from '../../kit/DataTable';
import { Count, Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StatusMark } from '../../kit/StatusMark';
import { setParams } from '../../route/useRoute';
import { counted } from '../../text/count';
import css from './WorkersPane.module.css';
import { type WorkerLine, workerLines } from './workers';

const NONE: readonly LiveWorker[] = [];

/** Is it the worker? In flight, overdue and last news of each. */
export function WorkersPane() {
  const rows = useLive((b) => b.rows);
  const work = useLive((b) => openWork(b));
  const told = useLive((b) => b.report?.workers ?? NONE);
  const nowS = useNowS();
  const filtered = useLive((b) => b.filtered);
  const lines = useMemo(() => workerLines(rows.values(), work, told, filtered), [rows, work, told, filtered]);
  const most = Math.max(1, ...lines.map((l) => l.inFlight));
  return (
    <Pane
      title="Workers"
      note={lines.length === 0 ? 'these sessions name no worker' : counted(lines.length, 'worker')}
    >
      <DataTable
        label="Workers"
        columns={columns(most, nowS)}
        rows={lines}
        rowKey={(l) => l.worker}
        onOpen={(l) => setParams({ worker: l.worker }, 'push')}
      />
    </Pane>
  );
}

/** Below a second it is no silence, only what came last. */
function Silence({ s }: { s: number | null }) {
  return s !== null && s < 1 ? <span className="zero">0 s</span> : <Duration s={s} />;
}

function columns(most: number, nowS: number): Column<WorkerLine>[] {
  return [
    {
      key: 'worker',
      head: 'Worker',
      width: 'minmax(76px, 1.1fr)',
      cell: (l) => (
        <>
          {(l.state === 'lost' || l.state === 'silent') && <StatusMark status="lost" />}
          <span className="cut" title={l.state ?? undefined}>
            {l.worker}
          </span>
        </>
      ),
    },
    {
      key: 'flight',
      head: 'In flight',
      width: 'minmax(64px, 1fr)',
      cell: (l) => (
        <span className={css.flight}>
          <span className={css.track}>
            <i style={{ width: `${(100 * l.inFlight) / most}%` }} />
          </span>
          <b>
            <Count n={l.inFlight} />
          </b>
        </span>
      ),
    },
    {
      key: 'overdue',
      head: 'Overdue',
      width: '52px',
      right: true,
      cell: (l) => (l.overdue > 0 ? <b className="late">{l.overdue}</b> : <Count n={0} />),
    },
    { key: 'failed', head: 'Failed', width: '40px', right: true, cell: (l) => <Count n={l.failed} /> },
    {
      key: 'oldest',
      head: 'Oldest',
      width: '68px',
      right: true,
      cell: (l) => <Duration s={l.oldestSinceS === null ? null : Math.max(0, nowS - l.oldestSinceS)} />,
    },
    {
      key: 'last',
      head: 'Silent for',
      width: '68px',
      right: true,
      cell: (l) => <Silence s={l.lastS === null ? null : Math.max(0, nowS - l.lastS)} />,
    },
  ];
}
