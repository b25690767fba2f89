import { Fragment, type ReactNode } from 'react';
import type { Finding, Findings } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import { useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { CopyButton } from '../../kit/CopyButton';
import { Time } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import { formatAddress } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { counted } from '../../text/count';
import { shortId } from '../../text/id';
import { batchOf, KINDS, subjectRoute, timelineRoute } from './findings';
import { StateWord } from './StateWord';
import css from './ToDo.module.css';

type Props = { report: Findings; finding: Finding; batches: readonly Batch[] | undefined };

/** What to look at next, the ways there, and what else is known of it. */
export function ToDo({ report, finding, batches }: Props) {
  const run = useRun();
  const nowS = report.as_of_s;
  const { subject, stage, steps, since_s, until_s, kind, advice, replaces } = finding;
  const to = subjectRoute(run, finding);
  return (
    <Pane title="What to do" right={<StateWord finding={finding} />} className={css.pane}>
      <p className={css.advice}>{advice}</p>
      <div className={css.actions}>
        {to && (
          <Button primary keyName="↵" href={formatAddress(to)}>
            Open {subject.type}
          </Button>
        )}
        <Button keyName="T" href={formatAddress(timelineRoute(run, finding, nowS))}>
          Timeline
        </Button>
        <CopyButton text={linkTo(run, finding)} label="Copy link" />
      </div>
      <dl className={css.facts}>
        <Fact name="Kind">
          <span className="mono" title={KINDS[kind]}>
            {kind}
          </span>
        </Fact>
        <Fact name={SUBJECTS[subject.type]}>
          <span className="mono" title={subject.id}>
            {shortId(subject.id)}
          </span>
        </Fact>
        {stage !== null && stage !== subject.id && (
          <Fact name="In">
            <StageName place={stage} />
          </Fact>
        )}
        <Fact name="Since">
          <Time s={since_s} nowS={nowS} />
        </Fact>
        {until_s !== null && (
          <Fact name="Until">
            <Time s={until_s} nowS={nowS} />
          </Fact>
        )}
        {steps.length > 0 && (
          <Fact name={steps.length === 1 ? 'Step' : 'Steps'}>
            {steps.map((step, i) => (
              <Fragment key={step}>
                {i > 0 && ', '}
                <StepLink run={run} step={step} batch={batchOf(batches ?? [], step)} />
              </Fragment>
            ))}
          </Fact>
        )}
        {replaces.length > 0 && (
          <Fact name="Explains">
            <span title={replaces.join('\n')}>{counted(replaces.length, 'other finding')}</span>
          </Fact>
        )}
      </dl>
    </Pane>
  );
}

/** Without the filters and the order of the list: it is this finding that is shown to somebody. */
function linkTo(run: string, { id }: Finding): string {
  const [page] = location.href.split('#');
  return page + formatAddress({ view: 'findings', run, session: null, params: { finding: id } });
}

const SUBJECTS: Record<Finding['subject']['type'], string> = {
  session: 'Session',
  worker: 'Worker',
  process: 'Process',
  stage: 'Stage',
  task: 'Task',
  step: 'Step',
  run: 'Run',
  host: 'Host',
};

function StepLink({ run, step, batch }: { run: string; step: number; batch: string | undefined }) {
  if (batch === undefined) return step;
  return <a href={formatAddress({ ...routeTo('steps', run), params: { step: batch } })}>{step}</a>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
