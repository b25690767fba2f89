import { useState } from 'react';
import type { Finding } from '../../data/findingTypes';
import { useNowS, useRun } from '../../data/useLive';
import { type Column, DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Duration } from '../../kit/numbers';
import { StatusMark } from '../../kit/StatusMark';
import { StageName } from '../../kit/Swatch';
import { push, routeTo } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { shortId } from '../../text/id';
import { headAndRest, KINDS, markOf, victimWords } from '../findings/findings';
import css from './OverduePane.module.css';

/** So many cells of a victim are drawn; the count beside them says how many there are. */
const MOST_CELLS = 9;

/** Open findings of the whole run; those who wait for them are folded into a count. */
export function CauseTable({ causes }: { causes: readonly Finding[] }) {
  const run = useRun();
  const nowS = useNowS();
  const [selected, setSelected] = useState<string>();
  if (causes.length === 0) return <EmptyState title="Nothing needs attention." />;
  return (
    <DataTable
      label="Causes"
      unit="cause"
      columns={columns(nowS)}
      rows={causes}
      rowKey={(f) => f.id}
      selected={selected ?? causes[0]?.id}
      onSelect={(f) => setSelected(f.id)}
      onOpen={(f) => push({ ...routeTo('findings', run), params: { finding: f.id } })}
    />
  );
}

/** What is said beside the title. */
export function causesNote(causes: readonly Finding[]): string {
  return causes.length === 0 ? 'none' : `${counted(causes.length, 'cause')} in the whole run`;
}

function columns(nowS: number): Column<Finding>[] {
  return [
    {
      key: 'cause',
      head: 'Cause',
      width: 'minmax(150px, 0.8fr)',
      cell: (f) => (
        <>
          <StatusMark status={markOf(f)} />
          <span className="mono cut" title={f.subject.id}>
            {shortId(f.subject.id)}
          </span>
        </>
      ),
    },
    {
      key: 'stage',
      head: 'In',
      width: 'minmax(90px, 0.6fr)',
      cell: (f) => (f.stage === null ? <span className="faint">–</span> : <StageName place={f.stage} />),
    },
    {
      key: 'what',
      head: 'What is wrong',
      width: 'minmax(140px, 1.6fr)',
      cell: (f) => (
        <span className="dim cut" title={`${f.sentence}\n\n${KINDS[f.kind] ?? f.kind}`}>
          {headAndRest(f.sentence).head}
        </span>
      ),
    },
    {
      key: 'for',
      head: 'For',
      width: '74px',
      right: true,
      cell: (f) => (
        <b>
          <Duration s={Math.max(0, nowS - f.since_s)} />
        </b>
      ),
    },
    {
      key: 'victims',
      head: 'Who waits',
      width: '104px',
      cell: (f) => <Folded finding={f} />,
    },
    {
      key: 'saves',
      head: 'Would save',
      width: '78px',
      right: true,
      cell: (f) => <Duration s={f.cost.wall_s} />,
    },
  ];
}

function Folded({ finding }: { finding: Finding }) {
  const { sessions } = finding.victims;
  if (sessions === 0) return <span className="zero">–</span>;
  return (
    <span className={css.folded} title={victimWords(finding)}>
      <i style={{ width: 7 * Math.min(sessions, MOST_CELLS) }} />
      {count(sessions)}
    </span>
  );
}
