import type { Target } from '../../data/metricTypes';
import type { Column } from '../../kit/DataTable';
import { Count, Duration, Time } from '../../kit/numbers';
import { StatusMark } from '../../kit/StatusMark';
import { formatAddress } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { duration } from '../../text/duration';
import { exactTime } from '../../text/time';
import { labelText, stateOf, type TargetState } from './targets';

const WORDS: Record<TargetState, string> = { up: 'up', down: 'down', unknown: 'not read yet' };
const MARKS = { up: 'completed', down: 'failed', unknown: 'queued' } as const;

export const SORTABLE = [
  'state',
  'target',
  'job',
  'run',
  'labels',
  'since',
  'last',
  'duration',
  'samples',
  'error',
];

const cut = (text: string) => (
  <span className="cut" title={text}>
    {text}
  </span>
);

export function targetColumns(nowS: number): Column<Target>[] {
  return [
    {
      key: 'state',
      head: 'State',
      width: '110px',
      cell: (t) => (
        <>
          <StatusMark status={MARKS[stateOf(t)]} />
          <span className={stateOf(t) === 'down' ? 'bad' : ''}>{WORDS[stateOf(t)]}</span>
        </>
      ),
    },
    {
      key: 'since',
      head: 'Since',
      width: '90px',
      right: true,
      cell: (t) => <Since s={t.since_s} nowS={nowS} />,
    },
    {
      key: 'target',
      head: 'Target',
      width: 'minmax(150px, 1fr)',
      cell: (t) => <b className="cut">{t.target}</b>,
    },
    { key: 'job', head: 'Job', width: 'minmax(70px, 0.5fr)', cell: (t) => cut(t.job) },
    {
      key: 'run',
      head: 'Run',
      width: 'minmax(90px, 0.7fr)',
      cell: (t) =>
        t.run === null ? (
          <span className="faint" title="The run that was heard from last, or the job's name">
            as heard
          </span>
        ) : (
          <a className="cut" href={formatAddress(routeTo('charts', t.run))} title={`Charts of ${t.run}`}>
            {t.run}
          </a>
        ),
    },
    {
      key: 'labels',
      head: 'Labels',
      width: 'minmax(100px, 0.8fr)',
      cell: (t) => (
        <span className="cut mono dim" title={labelText(t)}>
          {labelText(t) || '–'}
        </span>
      ),
    },
    {
      key: 'last',
      head: 'Last read',
      width: '90px',
      right: true,
      cell: (t) => <Time s={t.last_scrape_s} nowS={nowS} />,
    },
    {
      key: 'duration',
      head: 'Took',
      width: '70px',
      right: true,
      cell: (t) => <Duration s={t.last_duration_s} />,
    },
    {
      key: 'samples',
      head: 'Samples',
      width: '70px',
      right: true,
      cell: (t) => (t.samples === null ? <span className="faint">–</span> : <Count n={t.samples} />),
    },
    {
      key: 'error',
      head: 'Last error',
      width: 'minmax(180px, 1.6fr)',
      cell: (t) => (t.error === null ? null : cut(t.error)),
    },
  ];
}

function Since({ s, nowS }: { s: number | null | undefined; nowS: number }) {
  if (s === null || s === undefined) return <span className="faint">–</span>;
  return (
    <span title={`since ${exactTime(s)}`}>
      {duration(Math.max(1, Math.round(nowS - s)))
        .replace('.00', '')
        .replace('.0', '')}
    </span>
  );
}
