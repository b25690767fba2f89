import { Fragment } from 'react';
import { useFindings } from '../../data/useFindings';
import { useRun } from '../../data/useLive';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StatusMark } from '../../kit/StatusMark';
import { formatAddress } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { chosenOf, headAndRest, markOf } from '../findings/findings';
import { Sentence } from '../findings/Sentence';
import css from './StepsView.module.css';
import type { Step } from './steps';

/** What was wrong in the step, and what it cost the run. */
export function StepFindings({ step }: { step: Step }) {
  const run = useRun();
  const { report } = useFindings();
  const { train_step } = step.batch;
  if (!report || train_step === null) return null;
  const findings = chosenOf(report.findings, { sort: 'cost', step: String(train_step) });
  if (findings.length === 0) return null;
  const list = routeTo('findings', run);
  return (
    <Pane title="Findings" note="what was wrong in it; saves" className={css.section}>
      <div className={`${css.grid} ${css.findings}`}>
        {findings.map((f) => (
          <Fragment key={f.id}>
            <StatusMark status={markOf(f)} />
            <a href={formatAddress({ ...list, params: { ...list.params, finding: f.id } })}>
              <Sentence finding={f} text={headAndRest(f.sentence).head} />
            </a>
            <span className={css.number}>
              <Duration s={f.cost.wall_s} />
            </span>
          </Fragment>
        ))}
      </div>
    </Pane>
  );
}
