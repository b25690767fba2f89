import { Fragment } from 'react';
import { useAnswer } from '../../data/useAnswer';
import { useRun } from '../../data/useLive';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { longestStage } from './longestStage';
import css from './StepsView.module.css';
import type { Step } from './steps';

/** The sessions that took longest, and where the first of them spent its time. */
export function Stragglers({ step }: { step: Step }) {
  const run = useRun();
  const { stragglers } = step.batch;
  const [first] = stragglers;
  const answer = useAnswer(
    `straggler ${run} ${first?.session}`,
    (source, signal) => source.session(run, first!.session, signal),
    { enabled: first !== undefined },
  );
  const longest = answer.data && !answer.stale && longestStage(answer.data);
  if (!first) return null;
  return (
    <Pane title="Stragglers" note="the slowest sessions of the step" className={css.section} answer={answer}>
      <div className={`${css.grid} ${css.stragglers}`}>
        {stragglers.map((s) => (
          <Fragment key={s.session}>
            <StatusMark status={s.status} />
            <SessionId run={run} session={s.session} />
            <span className="dim cut" title={s.worker ?? undefined}>
              {s.worker ?? '–'}
            </span>
            <span className={css.number}>
              <Duration s={s.wall_s} />
            </span>
          </Fragment>
        ))}
      </div>
      <p className={`${css.words} dim`}>
        {longest
          ? `${shortId(first.session)} spent ${duration(longest.s)} of its ${duration(first.wall_s)} in ${longest.place}.`
          : '\u00a0'}
      </p>
    </Pane>
  );
}
