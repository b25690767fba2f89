import { ageOf, isOverdue, lostOf, type OpenWork, ratioOf } from '../../data/overdue';
import { AgeGauge, GaugeAxis } from '../../kit/AgeGauge';
import type { Column } from '../../kit/DataTable';
import { Duration } from '../../kit/numbers';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { StageName } from '../../kit/Swatch';
import { times } from '../../text/count';
import css from './OverduePane.module.css';

export const GAUGE_WIDTH = 140;

export function overdueColumns(run: string, nowS: number): Column<OpenWork>[] {
  return [
    {
      key: 'session',
      head: 'Session',
      width: 'minmax(164px, 1fr)',
      cell: (w) => (
        <>
          <StatusMark status={w.row.status === 'lost' ? 'lost' : isOverdue(w) ? 'overdue' : 'running'} />
          <SessionId run={run} session={w.row.session} />
        </>
      ),
    },
    {
      key: 'stage',
      head: 'In',
      width: 'minmax(110px, 1.3fr)',
      cell: (w) => <StageName place={w.row.stage ?? w.row.open_span ?? 'unaccounted'} />,
    },
    {
      key: 'worker',
      head: 'Worker',
      width: 'minmax(108px, 0.8fr)',
      cell: (w) => <span className="dim cut">{w.row.worker ?? '–'}</span>,
    },
    {
      key: 'step',
      head: 'Step',
      width: '36px',
      right: true,
      cell: (w) => <span className="dim">{w.row.train_step ?? '–'}</span>,
    },
    {
      key: 'age',
      head: 'For',
      width: '74px',
      right: true,
      cell: (w) => (
        <b>
          <Duration s={ageOf(w, nowS)} />
        </b>
      ),
    },
    {
      key: 'gauge',
      head: <GaugeAxis width={GAUGE_WIDTH} />,
      width: `${GAUGE_WIDTH + 62}px`,
      overflow: true,
      cell: (w) => (
        <>
          <AgeGauge ageS={ageOf(w, nowS)} usualP95S={w.usual_s} width={GAUGE_WIDTH} />
          <Ratio ratio={ratioOf(w, nowS)} overdue={isOverdue(w)} />
        </>
      ),
    },
    {
      key: 'lost',
      head: 'Beyond p95',
      width: '74px',
      right: true,
      cell: (w) => (lostOf(w, nowS) > 0 ? <Duration s={lostOf(w, nowS)} /> : <span className="zero">–</span>),
    },
  ];
}

/** Age ÷ usual p95: plain up to 1×, outlined above, filled when overdue. */
export function Ratio({ ratio, overdue }: { ratio: number | null; overdue: boolean }) {
  if (ratio === null) {
    return (
      <span
        className={`${css.ratio} ${css.plain}`}
        title="No usual yet: fewer than 20 spans of this stage have ended"
      >
        –
      </span>
    );
  }
  const look = overdue ? css.filled : ratio > 1 ? css.outlined : css.plain;
  return (
    <span className={`${css.ratio} ${look}`} title={`${ratio.toFixed(2)} times the usual p95`}>
      {times(ratio)}
    </span>
  );
}
