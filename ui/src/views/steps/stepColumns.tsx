import type { Column } from '../../kit/DataTable';
import { Count, Duration } from '../../kit/numbers';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { count, percent } from '../../text/count';
import { duration, shortDuration } from '../../text/duration';
import { SplitBar } from './SplitBar';
import { groupsIn, idleShare, SLOW, STATUS_GROUPS, type Step, sessionsIn } from './steps';

/** Training and weight sync, and one more. */
const MOST_PARTS = 3;

export const SORTABLE = [
  'step',
  'wall',
  'ratio',
  'idle',
  'tail',
  'cost',
  'sessions',
  ...STATUS_GROUPS.map(([k]) => k),
];

export function stepColumns(run: string, most_s: number, steps: readonly Step[]): Column<Step>[] {
  const parts = [...new Set(steps.flatMap((s) => Object.keys(s.batch.parts ?? {})))].slice(0, MOST_PARTS);
  return [
    {
      key: 'step',
      head: 'Step',
      width: '52px',
      cell: (s) => (
        <>
          <b className="cut" title={s.batch.batch}>
            {s.batch.train_step ?? s.batch.batch}
          </b>
          {s.unfinished > 0 && <StatusMark status="running" />}
        </>
      ),
    },
    {
      key: 'wall',
      head: 'Wall',
      width: '68px',
      right: true,
      cell: (s) => (
        <b className={isSlow(s) ? 'late' : ''}>
          <Duration s={s.batch.wall_s} />
        </b>
      ),
    },
    {
      key: 'ratio',
      head: <span title="Against the median of all finished steps">vs median</span>,
      width: '58px',
      right: true,
      cell: (s) => <Difference step={s} />,
    },
    {
      key: 'split',
      head: 'Where slot time went',
      width: 'minmax(100px, 1fr)',
      cell: (s) => <SplitBar step={s} most_s={most_s} />,
    },
    {
      key: 'idle',
      head: 'Idle',
      width: '46px',
      right: true,
      cell: (s) => <span className="dim">{percent(idleShare(s))}</span>,
    },
    {
      key: 'tail',
      head: <span title="From the moment 90 % of the sessions had ended">Tail</span>,
      width: '64px',
      right: true,
      cell: (s) => (s.done90_s === null ? <span className="faint">–</span> : <Duration s={s.batch.tail_s} />),
    },
    {
      key: 'cost',
      head: <span title="Idle slots in the tail × how long they were idle">Tail cost</span>,
      width: '64px',
      right: true,
      cell: (s) =>
        s.done90_s === null ? <span className="faint">–</span> : <Duration s={s.batch.tail_cost_s} />,
    },
    {
      key: 'sessions',
      head: 'Sessions',
      width: '50px',
      right: true,
      cell: (s) => <Count n={s.batch.sessions} />,
    },
    ...parts.map((part) => ({
      key: `part ${part}`,
      head: <span title={`${part}: part of the step's wall time, beside its sessions`}>{part}</span>,
      width: '68px',
      right: true,
      cell: (s: Step) => <Duration s={s.batch.parts?.[part]} />,
    })),
    ...groupsIn(steps.map((s) => s.batch)).map(([key, head, statuses]) => ({
      key,
      head: <span title={statuses.join(', ')}>{head}</span>,
      width: `${Math.max(36, head.length * 6.2)}px`,
      right: true,
      cell: (s: Step) => (
        <span
          className={(key === 'failed' || key === 'lost') && sessionsIn(s.batch, statuses) > 0 ? 'bad' : ''}
          title={exact(s, statuses)}
        >
          <Count n={sessionsIn(s.batch, statuses)} />
        </span>
      ),
    })),
    {
      key: 'slowest',
      head: (
        <span title="The session that the step waited for, and where it spent most of its own time">
          Waited for, longest in
        </span>
      ),
      width: 'minmax(200px, 1fr)',
      cell: (s) => <Slowest run={run} step={s} />,
    },
  ];
}

function isSlow(step: Step): boolean {
  return (step.ratio ?? 0) >= SLOW;
}

function exact(step: Step, statuses: readonly (keyof Step['batch']['statuses'])[]): string {
  return statuses.map((s) => `${s} ${count(step.batch.statuses[s] ?? 0)}`).join(', ');
}

function Difference({ step: { ratio } }: { step: Step }) {
  if (ratio === null) return <span className="faint">–</span>;
  if (ratio >= 10) return <b className="late">{Math.round(ratio) > 99 ? '>99×' : `${Math.round(ratio)}×`}</b>;
  const change = Math.round((ratio - 1) * 100);
  return (
    <span className={ratio >= SLOW ? 'late' : 'dim'}>
      {change < 0 ? '−' : '+'}
      {Math.abs(change)}
      <span className="unit">%</span>
    </span>
  );
}

function Slowest({ run, step }: { run: string; step: Step }) {
  const [first] = step.batch.stragglers;
  if (!first) return <span className="faint">–</span>;
  return (
    <>
      <StatusMark status={first.status} />
      <SessionId run={run} session={first.session} />
      <span className="faint cut" title={`${duration(first.own_s)} of its own`}>
        {first.longest_in === null
          ? shortDuration(first.own_s)
          : `${first.longest_in} ${shortDuration(first.longest_s)}`}
      </span>
    </>
  );
}
