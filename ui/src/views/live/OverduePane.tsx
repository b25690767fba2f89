import { useState } from 'react';
import { openWork } from '../../data/openWork';
import { isOverdue, type OpenWork, type OverdueSort } from '../../data/overdue';
import { useFindings } from '../../data/useFindings';
import { useLive, useNowS, useRun, useStandsStill } from '../../data/useLive';
import { DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Pane } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { count } from '../../text/count';
import { capital } from '../../text/words';
import { isOpen } from '../findings/findings';
import { CauseTable, causesNote } from './CauseTable';
import { OpenSpanTable } from './OpenSpanTable';
import css from './OverduePane.module.css';
import { overdueColumns } from './overdueColumns';
import { useHeldOrder } from './useHeldOrder';

const BYS = ['cause', 'session', 'span'] as const;
type By = (typeof BYS)[number];

/** What is late, by cause, while there are any; else what is open, the worst first: by session, or by the spans that are open. */
export function OverduePane() {
  const { told, report } = useFindings();
  const causes = report?.findings.filter(isOpen) ?? [];
  const usual: By = causes.length > 0 ? 'cause' : 'session';
  const chosen = useParam('by');
  const by = BYS.find((b) => b === chosen && (b !== 'cause' || told)) ?? usual;
  const sort: OverdueSort = useParam('sort') === 'lost' ? 'lost' : 'ratio';
  const [fresh, setFresh] = useState(0);
  const still = useStandsStill();
  return (
    <Pane
      title={by === 'cause' ? 'Late, by cause' : still ? 'Open at the end' : 'Open now'}
      note={by === 'cause' ? causesNote(causes) : noteOf(fresh, sort)}
      right={
        <>
          <Segmented
            label="By"
            value={by}
            options={BYS.filter((b) => b !== 'cause' || told).map((b) => [b, capital(b)])}
            onChange={(v) => setParams({ by: v === usual ? undefined : v })}
          />
          {by !== 'cause' && (
            <Segmented
              label="First"
              value={sort}
              options={[
                ['ratio', 'Latest'],
                ['lost', 'Most lost'],
              ]}
              onChange={(v) => setParams({ sort: v === 'ratio' ? undefined : v })}
            />
          )}
        </>
      }
    >
      {by === 'cause' && <CauseTable causes={causes} />}
      {by === 'session' && <SessionTable sort={sort} onFresh={setFresh} />}
      {by === 'span' && <OpenSpanTable sort={sort} />}
    </Pane>
  );
}

function noteOf(fresh: number, sort: OverdueSort): string {
  if (fresh > 0) return `${count(fresh)} new below`;
  return sort === 'lost' ? 'most time beyond usual p95 first' : 'latest against usual p95 first';
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
