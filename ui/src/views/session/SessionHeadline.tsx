import type { ReactNode } from 'react';
import { isWait, WAIT_MEANING } from '../../colour/waits';
import type { Finding } from '../../data/findingTypes';
import { isStuck } from '../../data/overdue';
import { isUnfinished } from '../../data/SessionSet';
import type { Session, SpanLine } from '../../data/types';
import { useLive, useNowS } from '../../data/useLive';
import { Headline } from '../../kit/Headline';
import { formatAddress } from '../../route/address';
import { count, counted, percent, times } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { headAndRest, isOpen, makesWait, subjectRoute } from '../findings/findings';
import { Sentence } from '../findings/Sentence';
import { workerNews } from '../live/workers';
import { accounts } from './accounting';
import { groupName } from './facts';
import { useParts } from './useParts';
import { currentSpan, useRow, useUsual, useUsualTotal } from './useUsual';

const ALIVE_S = 30;

/** Who, where, how long against usual, hung or dead, who waits: in words. */
export function SessionHeadline({ session }: { session: Session }) {
  return isUnfinished(session.status) || session.status === 'lost' ? (
    <Unfinished session={session} />
  ) : (
    <Ended session={session} />
  );
}

function Name({ session }: { session: Session }) {
  return (
    <span className="mono" title={session.session}>
      {shortId(session.session)}
    </span>
  );
}

function Unfinished({ session }: { session: Session }) {
  const usual = useUsual();
  const nowS = useNowS();
  const span = currentSpan(session);
  const age = span ? span.duration_s : session.wall_s;
  const usualS = span ? usual.get(span.span) : undefined;
  const lost = session.status === 'lost';
  const row = useRow(session.session);
  const part = useParts(session).find((p) => isOpen(p.finding));
  const late = (row?.suspect ?? false) && part?.as !== 'victim';
  const waits = row?.waits_for ?? null;
  if (part?.as === 'victim' && makesWait(part.finding) && !lost)
    return <Waits session={session} finding={part.finding} />;
  return (
    <Headline
      tone={lost ? 'bad' : late ? 'late' : 'calm'}
      title={
        <>
          <Name session={session} /> {waits ? WAITS_FOR[waits] : verb(session, span, late && isStuck(age))}
          {!waits && span?.worker ? ` on ${span.worker}` : ''}: {duration(age)}
        </>
      }
    >
      {usualS !== undefined && (
        <>
          Usual p95 is <b>{duration(usualS)}</b>
          {late ? `, this is ${times(age / usualS)}` : ''}.{' '}
        </>
      )}
      {usualS === undefined && span && 'No usual yet for this stage. '}
      {/* A finding says hung or dead by beats, where there are any. */}
      {part?.as === 'cause' ? (
        <>
          <Sentence finding={part.finding} text={headAndRest(part.finding.sentence).rest} />{' '}
        </>
      ) : (
        <Life worker={span?.worker ?? session.worker} lost={lost} nowS={nowS} />
      )}
      <Waiting session={session} />
    </Headline>
  );
}

/** It is not to blame: what it waits for is named, and it is neither stuck nor late. */
function Waits({ session, finding }: { session: Session; finding: Finding }) {
  const { subject, sentence } = finding;
  const to = subjectRoute(session.run, finding);
  const name = shortId(subject.id);
  return (
    <Headline
      tone="calm"
      title={
        <>
          <Name session={session} /> waits for{' '}
          {to ? (
            <a className="mono" href={formatAddress(to)} title={subject.id}>
              {name}
            </a>
          ) : (
            <span className="mono" title={subject.id}>
              {name}
            </span>
          )}
        </>
      }
    >
      Its own work took <b>{duration(ownOf(session))}</b>. <Sentence finding={finding} text={sentence} />
    </Headline>
  );
}

/** Until its last work ended, without the time in which it waited for a place or for others. */
function ownOf({ work_s, waits }: Session): number {
  return Math.max(0, work_s - waits.queue_s - waits.siblings_s);
}

const WAITS_FOR = {
  siblings: 'has done its own and waits for others of its group',
  verdict: 'has done its work and waits for its verdict',
};

function verb(session: Session, span: SpanLine | null, stuck: boolean): string {
  if (!span) return session.status === 'queued' ? 'has not started' : 'is between two spans';
  if (session.status === 'lost') return `was lost in ${span.stage}`;
  return stuck ? `is stuck in ${span.stage}` : `is in ${span.stage}`;
}

/** Hung or dead. */
function Life({ worker, lost, nowS }: { worker: string | null; lost: boolean; nowS: number }): ReactNode {
  const lastS = useLive((b) => (worker ? workerNews(b, worker) : null));
  if (lost) return 'Its process is dead or cut off. ';
  if (lastS === null) return null;
  const since = Math.max(0, nowS - lastS);
  return since < ALIVE_S
    ? `The process is alive: it sent events ${duration(since)} ago. `
    : `Its worker has sent nothing for ${duration(since)}. `;
}

function Waiting({ session: { siblings, task } }: { session: Session }): ReactNode {
  const group = groupName(task);
  if (siblings.length === 0) return null;
  const ended = siblings.filter((s) => !isUnfinished(s.status)).length;
  const lost = siblings.filter((s) => s.status === 'lost').length;
  const open = siblings.length - ended;
  return (
    <>
      {ended > lost && (
        <>
          <b>{counted(ended - lost, 'sample')}</b> of {group} {ended - lost === 1 ? 'has' : 'have'} ended and{' '}
          {ended - lost === 1 ? 'waits' : 'wait'} for it.{' '}
        </>
      )}
      {open > 0 &&
        `${counted(open, 'other sample')} of ${group} ${open === 1 ? 'is' : 'are'} unfinished too. `}
      {lost > 0 && `${counted(lost, 'sample')} of it ${lost === 1 ? 'is' : 'are'} lost.`}
    </>
  );
}

const ENDED: Partial<Record<Session['status'], string>> = {
  completed: 'was completed',
  accepted: 'was accepted',
  rejected: 'was rejected',
  failed: 'failed',
  dropped: 'was dropped',
  cancelled: 'was cancelled',
};

function Ended({ session }: { session: Session }) {
  const usual = useUsualTotal();
  const most = accounts(session).reduce((a, b) => (b.s > a.s ? b : a));
  const failed = session.status === 'failed';
  const error = session.spans.findLast((s) => s.error !== null)?.error;
  const ratio = usual && usual.p50 > 0 ? session.work_s / usual.p50 : null;
  return (
    <Headline
      tone={failed ? 'bad' : 'calm'}
      title={
        <>
          <Name session={session} /> {ENDED[session.status] ?? session.status} after{' '}
          {duration(session.work_s)}
          {session.reason ? `: ${session.reason}` : ''}
        </>
      }
    >
      {ratio !== null && usual && (
        <>
          {times(ratio)} the usual (median <b>{duration(usual.p50)}</b>, p95 {duration(usual.p95)} of{' '}
          {count(usual.count)} ended).{' '}
        </>
      )}
      {most.s > 0 && (
        <>
          <b>{percent(most.share)}</b> of it in{' '}
          {isWait(most.place) ? `${most.place} (${WAIT_MEANING[most.place]})` : most.place}.{' '}
        </>
      )}
      {failed && error && error !== session.reason && <span className="bad">{error}. </span>}
      <Rank session={session} />
    </Headline>
  );
}

function Rank({ session: { siblings, work_s } }: { session: Session }): ReactNode {
  if (siblings.length === 0) return null;
  const slower = siblings.filter((s) => s.work_s > work_s).length;
  return slower === 0
    ? `The slowest of ${counted(siblings.length + 1, 'sample')} of its task.`
    : `${counted(slower, 'sample')} of its task took longer.`;
}
