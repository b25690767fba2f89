import type { BoardState } from '../../data/LiveBoard';
import { openWork } from '../../data/openWork';
import { ageOf, isOverdue, type OpenWork, ratioOf } from '../../data/overdue';
import { useLive, useNowS, useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { Headline } from '../../kit/Headline';
import { formatAddress } from '../../route/address';
import { routeTo, sessionAddress } from '../../route/useRoute';
import { count, counted, times } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { BigGauge } from './BigGauge';
import { workerNews } from './workers';

/** The worst overdue session in one sentence, or that there is none. */
export function LiveHeadline() {
  const worst = useLive((b) => openWork(b)[0] ?? null);
  const nowS = useNowS();
  if (worst && isOverdue(worst, nowS)) return <Stuck work={worst} nowS={nowS} />;
  return <Calm worst={worst} nowS={nowS} />;
}

function Stuck({ work, nowS }: { work: OpenWork; nowS: number }) {
  const run = useRun();
  const { session, stage, open_span, worker, status } = work.row;
  const others = useLive((b) => openWork(b).filter((w) => isOverdue(w, nowS)).length) - 1;
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
          {lost ? 'was lost in' : 'is stuck in'} {stage ?? open_span}: {duration(age)}
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

function Calm({ worst, nowS }: { worst: OpenWork | null; nowS: number }) {
  const unfinished = useLive(unfinishedCount);
  if (!worst) {
    return (
      <Headline tone="calm" title={unfinished > 0 ? 'Nothing is overdue.' : 'Nothing is running.'}>
        {unfinished > 0
          ? `${counted(unfinished, 'session')} wait to start.`
          : 'Every session in view has ended.'}
      </Headline>
    );
  }
  const ratio = ratioOf(worst, nowS);
  return (
    <Headline tone="calm" title="Nothing is overdue.">
      {count(unfinished)} unfinished; the {ratio === null ? 'oldest' : 'latest'},{' '}
      <b className="mono" title={worst.row.session}>
        {shortId(worst.row.session)}
      </b>
      ,{' '}
      {ratio === null
        ? `is at ${duration(ageOf(worst, nowS))}; no usual yet`
        : `is at ${times(ratio)} its usual p95`}
      .
    </Headline>
  );
}

function unfinishedCount(state: BoardState): number {
  const s = state.report?.session_summary;
  return s ? s.running + s.queued + s.lost : 0;
}
