import { memo, useMemo, useRef } from 'react';
import type { Wait } from '../../colour/waits';
import { type Column, DataTable, leastWidth } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Count, Duration, Time } from '../../kit/numbers';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { nextSort } from '../../kit/sortRows';
import { useSize } from '../../kit/useCanvas';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { fourDigits } from '../../text/count';
import { piecesOf } from './pieces';
import { SORT_KEYS } from './sortSessions';
import { TimeBar } from './TimeBar';
import type { Page } from './usePage';

/** Work and waits, start and work tell them too: the first to go where there is no room for all. */
const TOLD_ELSEWHERE = ['busy', 'ended', 'total'];
const TEXT_FIRST = new Set(['session', 'task', 'status', 'reason', 'worker', 'started', 'step']);

export const SessionTable = memo(function SessionTable({ page }: { page: Page }) {
  const { set, rows, sort } = page;
  const at = useParam('at');
  const list = useMemo(() => Array.from(rows), [rows]);
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host);
  const columns = useMemo(() => {
    let columns = tableColumns(page);
    for (const key of TOLD_ELSEWHERE) {
      if (width > 0 && width < leastWidth(columns)) columns = columns.filter((c) => c.key !== key);
    }
    return columns;
  }, [page, width]);
  return (
    <div ref={host} style={{ height: '100%' }}>
      {rows.length === 0 ? (
        <EmptyState title="No session is left.">
          Take a filter off above, or press Esc to clear all.
        </EmptyState>
      ) : (
        <DataTable
          label="Sessions"
          unit="session"
          follow
          columns={columns}
          rows={list}
          rowKey={(row) => set.session[row]!}
          sort={sort}
          sortable={SORT_KEYS}
          onSort={(key) => setParams({ sort: nextSort(sort, key, !TEXT_FIRST.has(key)) })}
          selected={at}
          onSelect={(row) => setParams({ at: set.session[row]! })}
          onOpen={(row) => push(routeTo('session', page.run, set.session[row]!))}
        />
      )}
    </div>
  );
});

function tableColumns({ run, set, steps, spans, overdue, ended, rows }: Page): Column<number>[] {
  const scaleS = longest(set.work, ended.length > 0 ? ended : rows);
  const anyTask = set.tasks.length > 0 || set.taskNames.length > 0;
  const text = (value: string | undefined) =>
    value === undefined ? (
      <span className="faint">–</span>
    ) : (
      <span className="cut" title={value}>
        {value}
      </span>
    );
  const wait = (key: Wait, head: string): Column<number> => ({
    key,
    head,
    width: '66px',
    right: true,
    cell: (i) => (set[key][i]! > 0 ? <Duration s={set[key][i]!} /> : <span className="zero">0</span>),
  });
  const amount = (
    key: 'reward' | 'inputTokens' | 'outputTokens',
    head: string,
    title: string,
  ): Column<number> | false =>
    set[key].some((n) => !Number.isNaN(n)) && {
      key,
      head: <span title={title}>{head}</span>,
      width: '62px',
      right: true,
      cell: (i) => (Number.isNaN(set[key][i]!) ? <span className="faint">–</span> : fourDigits(set[key][i]!)),
    };
  const columns: (Column<number> | false)[] = [
    {
      key: 'session',
      head: 'Session',
      width: 'minmax(186px, 1.3fr)',
      cell: (i) => (
        <>
          <StatusMark status={overdue.has(set.session[i]!) ? 'overdue' : set.statuses[set.status[i]!]!} />
          <SessionId run={run} session={set.session[i]!} />
        </>
      ),
    },
    anyTask && {
      key: 'task',
      head: 'Task',
      width: 'minmax(84px, 0.7fr)',
      cell: (i) => text(set.tasks[set.task[i]!] ?? set.taskNames[set.taskName[i]!]),
    },
    steps.keys.length > 0 && {
      key: 'step',
      head: 'Step',
      width: '44px',
      right: true,
      cell: (i) => <span className="dim">{(steps.labels[steps.of[i]!] ?? '–').replace('step ', '')}</span>,
    },
    {
      key: 'status',
      head: 'Status',
      width: '76px',
      cell: (i) =>
        overdue.has(set.session[i]!) ? (
          <span className="late">overdue</span>
        ) : (
          text(set.statuses[set.status[i]!])
        ),
    },
    set.reasons.length > 0 && {
      key: 'reason',
      head: 'Reason',
      width: 'minmax(70px, 0.7fr)',
      cell: (i) => text(set.reasons[set.reason[i]!]),
    },
    {
      key: 'work',
      head: <span title="From its start until its own work was done">Work</span>,
      width: '74px',
      right: true,
      cell: (i) => (
        <b className={overdue.has(set.session[i]!) ? 'late' : ''}>
          <Duration s={set.work[i]!} />
        </b>
      ),
    },
    amount('reward', 'Reward', 'What it was given'),
    {
      key: 'where',
      head: 'Where its time went',
      width: 'minmax(120px, 2.2fr)',
      cell: (i) => (
        <TimeBar pieces={piecesOf(set, spans, i)} scaleS={scaleS} open={set.unfinished[i] === 1} />
      ),
    },
    {
      key: 'total',
      head: <span title="From its start until its verdict">To verdict</span>,
      width: '74px',
      right: true,
      cell: (i) => <Duration s={set.wall[i]!} />,
    },
    {
      key: 'busy',
      head: <span title="Time in which it did something">Busy</span>,
      width: '70px',
      right: true,
      cell: (i) => <Duration s={set.busy[i]!} />,
    },
    wait('queue', 'Queue'),
    wait('gap', 'Gap'),
    set.siblings.some((s) => s > 0) && wait('siblings', 'Siblings'),
    wait('barrier', 'Barrier'),
    set.unaccounted.some((s) => s > 0) && wait('unaccounted', 'Unacc.'),
    { key: 'spans', head: 'Spans', width: '42px', right: true, cell: (i) => <Count n={set.spans[i]!} /> },
    { key: 'errors', head: 'Errors', width: '42px', right: true, cell: (i) => <Count n={set.errors[i]!} /> },
    amount('inputTokens', 'Tokens in', 'Tokens that its calls read'),
    amount('outputTokens', 'Tokens out', 'Tokens that its calls wrote'),
    {
      key: 'worker',
      head: 'Worker',
      width: 'minmax(104px, 0.6fr)',
      cell: (i) => text(set.workers[set.worker[i]!]),
    },
    {
      key: 'started',
      head: 'Started',
      width: '76px',
      right: true,
      cell: (i) => <Moment s={set.start[i]!} page={set} />,
    },
    {
      key: 'ended',
      head: 'Ended',
      width: '76px',
      right: true,
      cell: (i) =>
        set.unfinished[i] ? <span className="faint">–</span> : <Moment s={set.end[i]!} page={set} />,
    },
  ];
  return columns.filter((c) => c !== false);
}

/** Clocks without a known epoch are told from the first start. */
function Moment({ s, page }: { s: number; page: Page['set'] }) {
  if (page.firstS < 1e9) return <Duration s={s - page.firstS} />;
  return <Time s={s} nowS={page.lastEndS} />;
}

function longest(wall: Float64Array, rows: Uint32Array): number {
  let most = 1e-3;
  for (const row of rows) most = Math.max(most, wall[row]!);
  return most;
}
