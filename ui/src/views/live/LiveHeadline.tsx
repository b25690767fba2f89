import { inView, unfinished } from '../../data/inView';
import { openWork } from '../../data/openWork';
import { ageOf, isOverdue, isStuck, type OpenWork } from '../../data/overdue';
import { useFindings } from '../../data/useFindings';
import { useLive, useNowS, useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { Headline } from '../../kit/Headline';
import { formatAddress } from '../../route/address';
import { clearFilters, routeTo, sessionAddress } from '../../route/useRoute';
import { counted } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { CalmHeadline } from '../findings/CalmHeadline';
import { isOpen } from '../findings/findings';
import { BigGauge } from './BigGauge';
import { FindingHeadline } from './FindingHeadline';
import { SlowestOpen } from './SlowestOpen';
import { workerNews } from './workers';

/** The first finding in words, or that nothing needs attention; where no findings are to be had, the worst overdue session. */
export function LiveHeadline() {
  const { told, report, answer } = useFindings();
  const hidden = useLive((b) => b.filtered && inView(b)!.summary.total === 0);
  if (hidden) return <NoneMatches />;
  if (!told || (!report && answer?.error)) return <WorstOverdue />;
  // Room is kept while they are being looked for: neither calm nor alarm is known yet.
  if (!report) return <Headline tone="calm" title="Looking for causes …" />;
  const [first, ...others] = report.findings.filter(isOpen);
  if (first) return <FindingHeadline finding={first} others={others.length} />;
  return <CalmHeadline report={report} />;
}

function WorstOverdue() {
  const worst = useLive((b) => openWork(b).find(isOverdue) ?? openWork(b)[0] ?? null);
  const nowS = useNowS();
  if (worst && isOverdue(worst)) return <Stuck work={worst} nowS={nowS} />;
  return <Calm />;
}

function Stuck({ work, nowS }: { work: OpenWork; nowS: number }) {
  const run = useRun();
  const { session, stage, open_span, worker, status } = work.row;
  const others = useLive((b) => openWork(b).filter(isOverdue).length) - 1;
  const age = ageOf(work, nowS);
  const lost = status === 'lost';
  return (
    <Headline
      tone="late"
      title={
        <>
          <span className="mono" title={session}>
            {shortId(session)}
          </span>{' '}
          {lost ? 'was lost in' : isStuck(age) ? 'is stuck in' : 'is late in'} {stage ?? open_span}:{' '}
          {duration(age)}
        </>
      }
      aside={<BigGauge ageS={age} usualP95S={work.usual_s ?? 0} />}
      actions={
        <>
          <Button primary href={sessionAddress(run, session)}>
            Open session
          </Button>
          <Button href={formatAddress({ ...routeTo('timeline', run), params: { q: session } })}>
            Timeline
          </Button>
        </>
      }
    >
      Usual p95 is <b>{duration(work.usual_s ?? 0)}</b>.{' '}
      {worker && <WorkerNews worker={worker} lost={lost} nowS={nowS} />}
      {others > 0 && (
        <>
          <b>{counted(others, 'other session')}</b> {others === 1 ? 'is' : 'are'} overdue.
        </>
      )}
    </Headline>
  );
}

const ALIVE_S = 30;

/** Hung or dead: a worker that still sends events has a hanging call, not a dead process. */
function WorkerNews({ worker, lost, nowS }: { worker: string; lost: boolean; nowS: number }) {
  const lastS = useLive((b) => workerNews(b, worker));
  if (lost) {
    return (
      <>
        The process of worker <b>{worker}</b> is dead or cut off.{' '}
      </>
    );
  }
  if (lastS === null) return null;
  const since = Math.max(0, nowS - lastS);
  return since < ALIVE_S ? (
    <>
      Worker <b>{worker}</b> is alive (last event {duration(since)} ago), so the call hangs, not the process.{' '}
    </>
  ) : (
    <>
      Worker <b>{worker}</b> has sent nothing for {duration(since)}.{' '}
    </>
  );
}

function Calm() {
  const idle = useLive((b) => openWork(b).length === 0 && unfinished(inView(b)!.summary) === 0);
  const filtered = useLive((b) => b.filtered);
  const title = idle
    ? 'Nothing is running.'
    : filtered
      ? 'Nothing in view is overdue.'
      : 'Nothing is overdue.';
  return (
    <Headline tone="calm" title={title}>
      <SlowestOpen />
    </Headline>
  );
}

/** What is hidden may be stuck: an empty view must not read as a calm one. */
function NoneMatches() {
  const inScope = useLive((b) => b.report?.session_summary.total ?? 0);
  const stuck = useLive((b) => (b.report?.open_span_summaries ?? []).some((s) => s.suspect));
  return (
    <Headline
      tone="calm"
      title="No session matches these filters."
      actions={<Button onClick={clearFilters}>Clear filters</Button>}
    >
      {counted(inScope, 'session')} in scope {inScope === 1 ? 'is' : 'are'} hidden
      {stuck ? ', and some work among them is overdue' : ''}.
    </Headline>
  );
}
