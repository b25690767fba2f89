import type { Finding, Findings } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import { Headline } from '../../kit/Headline';
import { BigNumber, NumberStrip } from '../../kit/NumberStrip';
import { Duration } from '../../kit/numbers';
import { percent } from '../../text/count';
import { EvidencePane } from './EvidencePane';
import css from './FindingDetail.module.css';
import { headAndRest, isOpen } from './findings';
import { Sentence } from './Sentence';
import { ToDo } from './ToDo';
import { VictimsPane } from './VictimsPane';
import { WhatIf } from './WhatIf';

type Props = {
  report: Findings;
  finding: Finding;
  batches: readonly Batch[] | undefined;
  stages: ReadonlySet<string>;
  /** Whether there is a headline above. */
  second: boolean;
};

/** One cause: what happened, what its end would save, what shows it, who waits, what to do. */
export function FindingDetail({ report, finding, batches, stages, second }: Props) {
  const { head, rest } = headAndRest(finding.sentence);
  return (
    <section className={css.detail} aria-label="Finding">
      <Headline
        tone={isOpen(finding) ? 'late' : 'calm'}
        title={<Sentence finding={finding} text={head} />}
        second={second}
      >
        <Sentence finding={finding} text={rest} />
      </Headline>
      <CostStrip finding={finding} />
      <WhatIf finding={finding} batches={batches} />
      <EvidencePane finding={finding} stages={stages} />
      <div className={css.bottom}>
        <VictimsPane finding={finding} />
        <ToDo report={report} finding={finding} batches={batches} />
      </div>
    </section>
  );
}

function CostStrip({ finding }: { finding: Finding }) {
  const { cost, confidence } = finding;
  const { wall_s, slot_s, model_error } = cost;
  const untold = 'cannot be told';
  return (
    <NumberStrip>
      <BigNumber
        name={isOpen(finding) ? 'Would save' : 'Would have saved'}
        title="Wall time of the run without this cause"
        value={<Duration s={wall_s} />}
        foot={
          wall_s === null ? untold : model_error === null ? 'wall time' : 'wall time, re-played without it'
        }
      />
      <BigNumber
        name="Slot time"
        title="Time in which slots for sessions were held and would have been free"
        value={<Duration s={slot_s} />}
        foot={slot_s === null ? untold : 'of slots that were held'}
      />
      <BigNumber
        name="Model error"
        title="By what part re-playing the untouched steps misses their real time"
        value={model_error === null ? <span className="faint">–</span> : percent(Math.abs(model_error))}
        foot={model_error === null ? 'not re-played' : 'of a step re-played as it was'}
      />
      <BigNumber
        name="Confidence"
        value={`${Math.round(confidence * 100)} %`}
        foot="that this is the cause"
      />
    </NumberStrip>
  );
}
