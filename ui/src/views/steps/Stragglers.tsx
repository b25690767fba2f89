import { Fragment } from 'react';
import { useRun } from '../../data/useLive';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import css from './StepsView.module.css';
import type { Step } from './steps';

/** The sessions that the step waited for, one of a group, and where the first of them spent its time. */
export function Stragglers({ step }: { step: Step }) {
  const run = useRun();
  const { stragglers } = step.batch;
  const [first] = stragglers;
  if (!first) return null;
  return (
    <Pane title="Stragglers" note="that the step waited for; own time, longest in" className={css.section}>
      <div className={`${css.grid} ${css.stragglers}`}>
        {stragglers.map((s) => (
          <Fragment key={s.session}>
            <StatusMark status={s.status} />
            <SessionId run={run} session={s.session} />
            <span className="dim cut" title={s.worker ?? undefined}>
              {s.worker ?? '–'}
            </span>
            <span className="dim cut" title={s.longest_in ?? undefined}>
              {s.longest_in ?? '–'}
            </span>
            <span className={css.number}>
              <Duration s={s.own_s} />
            </span>
          </Fragment>
        ))}
      </div>
      {first.longest_in !== null && (
        <p className={`${css.words} dim`}>
          {`${shortId(first.session)} spent ${duration(first.longest_s)} of its own ${duration(first.own_s)} in ${first.longest_in}.`}
        </p>
      )}
    </Pane>
  );
}
