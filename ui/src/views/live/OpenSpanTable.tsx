import type { OverdueSort } from '../../data/overdue';
import type { OpenSpanSummary } from '../../data/types';
import { useLive, useNowS, useRun } from '../../data/useLive';
import { AgeGauge, GaugeAxis } from '../../kit/AgeGauge';
import { type Column, DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Count, Duration } from '../../kit/numbers';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { Swatch } from '../../kit/Swatch';
import { push, routeTo } from '../../route/useRoute';
import { GAUGE_WIDTH, Ratio } from './overdueColumns';

type Line = OpenSpanSummary & { age_s: number };

const NONE: readonly OpenSpanSummary[] = [];

/** All open spans by their raw name: how many, and the oldest against usual. */
export function OpenSpanTable({ sort }: { sort: OverdueSort }) {
  const run = useRun();
  const summaries = useLive((b) => b.report?.open_span_summaries ?? NONE);
  const generatedS = useLive((b) => b.report?.generated_at_s ?? 0);
  const nowS = useNowS();
  const grown = Math.max(0, nowS - generatedS);
  const lines = summaries.map((s) => ({ ...s, age_s: s.oldest_age_s + grown }));
  if (sort === 'lost') lines.sort((a, b) => lost(b) - lost(a));
  if (lines.length === 0) return <EmptyState title="Nothing is open." />;
  return (
    <DataTable
      label="Open spans"
      columns={columns(run)}
      rows={lines}
      rowKey={(l) => l.span}
      onOpen={(l) => l.oldest_session !== null && push(routeTo('session', run, l.oldest_session))}
    />
  );
}

const lost = (l: Line) => (l.usual_p95_s === null ? 0 : l.age_s - l.usual_p95_s);
const ratio = (l: Line) => (l.usual_p95_s === null ? null : l.age_s / l.usual_p95_s);

function columns(run: string): Column<Line>[] {
  return [
    {
      key: 'span',
      head: 'Span',
      width: 'minmax(150px, 1.6fr)',
      cell: (l) => (
        <>
          <StatusMark status={l.suspect ? 'overdue' : 'running'} />
          <Swatch place={l.stage} />
          <span className="cut" title={`${l.span}, stage ${l.stage}`}>
            {l.span}
          </span>
        </>
      ),
    },
    { key: 'open', head: 'Open', width: '48px', right: true, cell: (l) => <Count n={l.open_count} /> },
    { key: 'p50', head: 'p50 age', width: '64px', right: true, cell: (l) => <Duration s={l.p50_age_s} /> },
    {
      key: 'age',
      head: 'Oldest',
      width: '74px',
      right: true,
      cell: (l) => (
        <b>
          <Duration s={l.age_s} />
        </b>
      ),
    },
    {
      key: 'gauge',
      head: <GaugeAxis width={GAUGE_WIDTH} />,
      width: `${GAUGE_WIDTH + 62}px`,
      overflow: true,
      cell: (l) => (
        <>
          <AgeGauge ageS={l.age_s} usualP50S={l.usual_p50_s} usualP95S={l.usual_p95_s} width={GAUGE_WIDTH} />
          <Ratio ratio={ratio(l)} overdue={l.suspect} />
        </>
      ),
    },
    {
      key: 'session',
      head: 'Oldest session',
      width: 'minmax(110px, 1fr)',
      cell: (l) => (l.oldest_session === null ? '–' : <SessionId run={run} session={l.oldest_session} />),
    },
    {
      key: 'worker',
      head: 'Worker',
      width: 'minmax(50px, 0.6fr)',
      cell: (l) => <span className="dim cut">{l.worker ?? '–'}</span>,
    },
  ];
}
