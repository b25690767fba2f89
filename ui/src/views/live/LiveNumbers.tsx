import { inView } from '../../data/inView';
import { ended, perMinute, seesAll } from '../../data/LiveBoard';
import { openWork, overdueCount } from '../../data/openWork';
import { ratioOf } from '../../data/overdue';
import { useBatches } from '../../data/useBatches';
import { useFindings } from '../../data/useFindings';
import { sameValues, useLive, useNowS, useRun, useStandsStill } from '../../data/useLive';
import { BigNumber, NumberStrip } from '../../kit/NumberStrip';
import { Count } from '../../kit/numbers';
import { formatAddress } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { duration } from '../../text/duration';
import { clock, clockMinutes, exactTime } from '../../text/time';
import { isOpen } from '../findings/findings';
import css from './LiveNumbers.module.css';
import { Sparkline } from './Sparkline';
import { type Estimate, lostIn, stepName, stepProgress } from './stepEnd';

/** Progress of the step, and how many sessions are in which state. */
export function LiveNumbers() {
  return (
    <NumberStrip>
      <Step />
      <Causes />
      <Statuses />
      <Rate />
    </NumberStrip>
  );
}

function Step() {
  const batches = useBatches().data?.batches;
  const live = useLive((b) => b.report?.batch ?? null, sameValues);
  const progress = stepProgress(batches ?? [], live);
  const nowS = useNowS();
  const still = useStandsStill();
  // Room is kept while they are being read, so that the numbers beside do not jump.
  if (!batches)
    return <BigNumber wide name="Step" value={<span className="zero">–</span>} foot="reading …" />;
  if (!progress) return null;
  const { batch, sessions, ended: done, unfinished, estimate } = progress;
  return (
    <>
      <BigNumber
        wide
        name={
          <>
            {stepName(batch)}{' '}
            <span className="faint" title={exactTime(batch.start_s)}>
              · started {clock(batch.start_s)}, {still ? 'ran ' : ''}
              {duration(Math.max(0, nowS - batch.start_s))}
              {still ? '' : ' ago'}
            </span>
          </>
        }
        value={
          <>
            {count(done)} <small>/ {counted(sessions, 'session')}</small>
          </>
        }
        foot={
          <div className={css.bar}>
            <i style={{ width: `${(100 * done) / Math.max(1, sessions)}%` }} />
          </div>
        }
      />
      <BigNumber
        name={unfinished === 0 ? 'Step ended' : still ? 'Step end' : 'Step end, estimate'}
        {...(unfinished > 0 &&
          !still && { title: 'If it goes like the steps before: their median and their longest wall time' })}
        value={
          unfinished === 0 ? (
            clockMinutes(batch.end_s)
          ) : still || estimate === null ? (
            <span className="zero">–</span>
          ) : estimate.usualS < nowS ? (
            <>
              late <small>by {duration(nowS - estimate.usualS)}</small>
            </>
          ) : (
            <>
              {clockMinutes(estimate.usualS)} <small>{range(estimate)}</small>
            </>
          )
        }
        foot={
          unfinished === 0
            ? `took ${duration(batch.wall_s)}`
            : still
              ? `${count(unfinished)} did not end`
              : estimate === null
                ? 'no step ended yet'
                : `from ${counted(estimate.steps, 'earlier step')}`
        }
      />
    </>
  );
}

/** Nothing when the slowest step would end in the same minute. */
function range({ usualS, slowestS }: Estimate): string {
  const [from, to] = [clockMinutes(usualS), clockMinutes(slowestS)];
  return from === to ? '' : `to ${to}`;
}

/** How many causes are open in the run, whatever is filtered; where no findings are to be had, what is overdue. */
function Causes() {
  const { told, report } = useFindings();
  if (!told) return <Overdue />;
  const open = report?.findings.filter(isOpen).length ?? 0;
  const closed = (report?.findings.length ?? 0) - open;
  return (
    <BigNumber
      name="Causes, open"
      title="Findings of the whole run: what a cause explains is not counted again"
      value={report ? <Count n={open} /> : <span className="zero">–</span>}
      tone={open > 0 ? 'late' : undefined}
      foot={closed > 0 ? `${count(closed)} closed` : ''}
    />
  );
}

function Overdue() {
  const overdue = useLive(overdueCount);
  const late = useLive((b) => {
    const nowS = b.report?.generated_at_s ?? 0;
    return openWork(b).filter((w) => (ratioOf(w, nowS) ?? 0) > 1).length;
  });
  return (
    <BigNumber
      name="Overdue"
      title="Open for much longer than is usual (p95) for the stage"
      value={<Count n={overdue} />}
      tone={overdue > 0 ? 'late' : undefined}
      foot={late > overdue ? `${count(late - overdue)} more beyond p95` : ''}
    />
  );
}

function Statuses() {
  const s = useLive((b) => inView(b)?.summary, sameValues);
  const batches = useBatches().data?.batches;
  const filtered = useLive((b) => b.filtered);
  if (!s) return null;
  const earlier = filtered ? 0 : lostIn(batches ?? []) - s.lost;
  const given = s.dropped + s.cancelled;
  const givenWords = s.cancelled === 0 ? 'dropped' : s.dropped === 0 ? 'cancelled' : 'dropped, cancelled';
  return (
    <>
      <BigNumber
        name="Running"
        value={<Count n={s.running} />}
        foot={s.queued > 0 ? `${count(s.queued)} queued` : 'none queued'}
      />
      <BigNumber
        name="Finished"
        value={<Count n={ended(s) - s.failed - given} />}
        foot={s.rejected > 0 ? `${count(s.rejected)} rejected` : ''}
      />
      <BigNumber
        name="Failed"
        value={<Count n={s.failed} />}
        foot={given > 0 ? `${count(given)} ${givenWords}` : ''}
      />
      <BigNumber
        name="Lost"
        value={<Count n={s.lost} />}
        tone={s.lost > 0 ? 'bad' : undefined}
        foot={earlier > 0 ? <LostEarlier n={earlier} /> : s.lost > 0 ? 'process died' : ''}
      />
    </>
  );
}

/** The scope leaves them behind with their step; nobody should have to know that to hear of them. */
function LostEarlier({ n }: { n: number }) {
  const route = routeTo('sessions', useRun());
  const address = formatAddress({ ...route, params: { scope: 'all', status: 'lost' } });
  return <a href={address}>{count(n)} in earlier steps</a>;
}

function Rate() {
  const finished = useLive((b) => b.finished);
  const lastMinute = useLive((b) => b.report?.finished_last_minute);
  const nowS = useNowS();
  const filtered = useLive((b) => b.filtered);
  const still = useStandsStill();
  const partly = useLive((b) => !b.filtered && b.report !== null && !seesAll(b.report, b.rows));
  // What the page saw finish, across steps; the server's count is of those in scope, and there from the start.
  const seen = perMinute(finished, nowS);
  const rate = filtered ? seen : partly ? (lastMinute ?? null) : (seen ?? lastMinute ?? null);
  if (still) {
    return (
      <BigNumber
        name="Finished last"
        title="Sessions in scope that finished in the last minute before the end"
        value={lastMinute === undefined ? <span className="zero">–</span> : <Count n={lastMinute} />}
        foot="at the end"
      />
    );
  }
  return (
    <BigNumber
      name="Finished per minute"
      title="Over the last minute, counted since this page was opened"
      value={rate === null ? <span className="zero">–</span> : <Count n={Math.round(rate)} />}
      foot={rate === null ? 'counting …' : <Sparkline samples={finished} nowS={nowS} />}
    />
  );
}
