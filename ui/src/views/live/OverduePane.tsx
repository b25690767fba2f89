import { useState } from 'react';
import { openWork } from '../../data/openWork';
import { isOverdue, type OpenWork, type OverdueSort } from '../../data/overdue';
import { useLive, useNowS, useRun, useStandsStill } from '../../data/useLive';
import { DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Pane } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { count } from '../../text/count';
import { OpenSpanTable } from './OpenSpanTable';
import css from './OverduePane.module.css';
import { overdueColumns } from './overdueColumns';
import { useHeldOrder } from './useHeldOrder';

/** What is open, the worst first: by session, or by the spans that are open. */
export function OverduePane() {
  const by = useParam('by') === 'span' ? 'span' : 'session';
  const sort: OverdueSort = useParam('sort') === 'lost' ? 'lost' : 'ratio';
  const [fresh, setFresh] = useState(0);
  const still = useStandsStill();
  return (
    <Pane
      title={still ? 'Open at the end' : 'Open now'}
      note={
        fresh > 0
          ? `${count(fresh)} new below`
          : sort === 'lost'
            ? 'most time beyond usual p95 first'
            : 'latest against usual p95 first'
      }
      right={
        <>
          <Segmented
            label="By"
            value={by}
            options={[
              ['session', 'Session'],
              ['span', 'Span'],
            ]}
            onChange={(v) => setParams({ by: v === 'session' ? undefined : v })}
          />
          <Segmented
            label="First"
            value={sort}
            options={[
              ['ratio', 'Latest'],
              ['lost', 'Most lost'],
            ]}
            onChange={(v) => setParams({ sort: v === 'ratio' ? undefined : v })}
          />
        </>
      }
    >
      {by === 'span' ? <OpenSpanTable sort={sort} /> : <SessionTable sort={sort} onFresh={setFresh} />}
    </Pane>
  );
}

function SessionTable({ sort, onFresh }: { sort: OverdueSort; onFresh: (n: number) => void }) {
  const run = useRun();
  const work = useLive((b) => openWork(b, sort));
  const nowS = useNowS();
  const [pointer, setPointer] = useState(false);
  const [selected, setSelected] = useState<string>();
  const { rows, fresh } = useHeldOrder(work, keyOf, pointer);
  if (rows.length === 0) return <EmptyState title="Nothing is open." />;
  return (
    <div
      className={css.holder}
      onPointerEnter={() => setPointer(true)}
      onPointerLeave={() => {
        setPointer(false);
        onFresh(0);
      }}
      onPointerMove={() => onFresh(fresh)}
    >
      <DataTable
        label="Open now"
        unit="session"
        columns={overdueColumns(run, nowS)}
        rows={rows}
        rowKey={keyOf}
        selected={selected ?? firstOverdue(rows)}
        onSelect={(w) => setSelected(keyOf(w))}
        onOpen={(w) => push(routeTo('session', run, w.row.session))}
      />
    </div>
  );
}

const keyOf = (work: OpenWork) => work.row.session;

function firstOverdue(rows: readonly OpenWork[]): string | undefined {
  const first = rows[0];
  return first && isOverdue(first) ? keyOf(first) : undefined;
}
