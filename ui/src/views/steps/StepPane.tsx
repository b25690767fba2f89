import { useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { Pane } from '../../kit/Pane';
import { formatAddress, type Route } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { unbroken } from '../../text/duration';
import { exactTime } from '../../text/time';
import { Against } from './Against';
import { explain } from './explain';
import { StepFindings } from './StepFindings';
import { StepOccupancy } from './StepOccupancy';
import css from './StepsView.module.css';
import { Stragglers } from './Stragglers';
import type { Step } from './steps';

type Props = { step: Step; steps: readonly Step[]; places: readonly string[] };

/** One step explained: in words, over its time, by its stragglers, against the others. */
export function StepPane({ step, steps, places }: Props) {
  const run = useRun();
  const { title, reasons } = explain(step, steps);
  return (
    <aside className={css.right} aria-label={step.name}>
      <Pane
        title={step.name}
        note={<span title={exactTime(step.batch.start_s)}>{step.batch.batch}</span>}
        right={
          <Button small keyName="↵" href={formatAddress(timelineOf(run, step))}>
            Timeline
          </Button>
        }
      >
        <div className={css.words}>
          <b>{unbroken(title)}</b>
          {reasons.map((reason) => (
            <p key={reason}>{unbroken(reason)}</p>
          ))}
        </div>
        <StepOccupancy step={step} places={places} />
      </Pane>
      <StepFindings step={step} />
      <Stragglers step={step} />
      <Against step={step} steps={steps} />
    </aside>
  );
}

export function timelineOf(run: string, step: Step): Route {
  return { ...routeTo('timeline', run), params: { batch: step.batch.batch } };
}
