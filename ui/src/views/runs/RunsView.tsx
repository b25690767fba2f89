import { useEffect, useState } from 'react';
import { useSource } from '../../data/source';
import type { Run, RunState } from '../../data/types';
import { useAnswer } from '../../data/useAnswer';
import { Button } from '../../kit/Button';
import { type Column, DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Count, Duration, Time } from '../../kit/numbers';
import { Failure, Pane } from '../../kit/Pane';
import { nextSort, parseSort, sortRows } from '../../kit/sortRows';
import { formatAddress, TARGETS } from '../../route/address';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { FirstVisit } from './FirstVisit';
import css from './RunsView.module.css';

const EVERY_MS = 5000;

/** All runs, newest activity first. */
export function RunsView() {
  const q = useParam('q') ?? '';
  const { kind } = useSource();
  const answer = useAnswer(`runs ${q}`, (source, signal) => source.runs(q ? { q } : {}, signal), {
    everyMs: EVERY_MS,
  });
  const [selected, setSelected] = useState<string>();
  const sort = parseSort(useParam('sort'), { key: 'last', descending: true });
  const nowS = useWallClock();
  if (!answer.data) return answer.error ? <Failure answer={answer} /> : null;

  const { runs, next_cursor } = answer.data;
  if (runs.length === 0 && q === '' && !answer.stale) return kind === 'server' ? <FirstVisit /> : null;
  const note =
    next_cursor === null
      ? counted(runs.length, 'run')
      : `the newest ${counted(runs.length, 'run')}; find more above`;
  return (
    <div className={css.view}>
      <Pane
        title="Runs"
        note={note}
        answer={answer}
        className={css.pane}
        right={
          kind === 'server' && (
            <Button small href={formatAddress(TARGETS)} title="What the server reads metrics from">
              Targets
            </Button>
          )
        }
      >
        {runs.length === 0 ? (
          <EmptyState title={`No run has “${q}” in its name.`} />
        ) : (
          <DataTable
            label="Runs"
            unit="run"
            columns={columns(nowS)}
            rows={sortRows(runs, sort, sortValue)}
            rowKey={(r) => r.run}
            rowHeight={32}
            sort={sort}
            sortable={SORTABLE}
            onSort={(key) => setParams({ sort: nextSort(sort, key, key !== 'run') })}
            selected={selected}
            onSelect={(r) => setSelected(r.run)}
            onOpen={(r) => push(routeTo('live', r.run))}
          />
        )}
      </Pane>
    </div>
  );
}

const SORTABLE = ['run', 'state', 'project', 'system', 'batches', 'sessions', 'open', 'length', 'last'];

function sortValue(run: Run, key: string): string | number | null {
  switch (key) {
    case 'batches':
    case 'sessions':
      return run[key];
    case 'open':
      return run.open_spans;
    case 'length':
      return run.last_s - run.first_s;
    case 'last':
      return run.last_s;
    case 'state':
    case 'project':
    case 'system':
      return run[key];
    default:
      return run.run;
  }
}

const STATE_MEANS: Record<RunState, string> = {
  live: 'something is open, or there was news within a minute',
  silent: 'open work, but no news for a minute',
  ended: 'no news for ten minutes; what was open then never ended',
  finished: 'nothing is open',
};

function stateWords({ state, open_spans }: Run): string {
  return state === 'ended' ? `ended with ${count(open_spans)} open` : state;
}

function columns(nowS: number): Column<Run>[] {
  return [
    { key: 'run', head: 'Run', width: 'minmax(200px, 2fr)', cell: (r) => <b className="cut">{r.run}</b> },
    {
      key: 'state',
      head: 'State',
      width: 'minmax(90px, 150px)',
      cell: (r) => (
        <span className={css.state} data-state={r.state} title={STATE_MEANS[r.state]}>
          <i /> {stateWords(r)}
        </span>
      ),
    },
    {
      key: 'project',
      head: 'Project',
      width: 'minmax(80px, 1fr)',
      cell: (r) => <span className="cut">{r.project ?? '–'}</span>,
    },
    {
      key: 'system',
      head: 'Framework',
      width: 'minmax(80px, 1fr)',
      cell: (r) => <span className="cut">{r.system ?? '–'}</span>,
    },
    { key: 'batches', head: 'Steps', width: '70px', right: true, cell: (r) => <Count n={r.batches} /> },
    { key: 'sessions', head: 'Sessions', width: '90px', right: true, cell: (r) => <Count n={r.sessions} /> },
    { key: 'open', head: 'Open spans', width: '90px', right: true, cell: (r) => <Count n={r.open_spans} /> },
    {
      key: 'length',
      head: 'Length',
      width: '90px',
      right: true,
      cell: (r) => <Duration s={r.last_s - r.first_s} />,
    },
    {
      key: 'last',
      head: 'Last activity',
      width: '150px',
      right: true,
      cell: (r) => <Time s={r.last_s} nowS={nowS} />,
    },
  ];
}

/** Only the day matters here. */
function useWallClock(): number {
  const [nowS, setNowS] = useState(Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNowS(Date.now() / 1000), 60_000);
    return () => clearInterval(timer);
  }, []);
  return nowS;
}
