import { useMemo } from 'react';
import type { Finding, Findings } from '../../data/findingTypes';
import { useBatches } from '../../data/useBatches';
import { useFindings } from '../../data/useFindings';
import { useRun } from '../../data/useLive';
import { Chip } from '../../kit/Chip';
import { ControlBar } from '../../kit/ControlBar';
import { EmptyState } from '../../kit/EmptyState';
import { scopeName } from '../../kit/FilterBar';
import { useKeys } from '../../kit/keys';
import { Time } from '../../kit/numbers';
import { Failure } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { push, setParams, useRoute } from '../../route/useRoute';
import { counted } from '../../text/count';
import { CalmHeadline } from './CalmHeadline';
import { FindingDetail } from './FindingDetail';
import { FindingList } from './FindingList';
import css from './FindingsView.module.css';
import {
  type Choice,
  chosenOf,
  isOpen,
  judgedWords,
  stagesOf,
  subjectRoute,
  timelineRoute,
  valuesOf,
} from './findings';
import { History } from './History';
import { NotJudged } from './NotJudged';

const STATES = [{ value: 'open' }, { value: 'closed' }];

/** What is the cause, what would its end save, who waits for it, what to do; what was wrong before. */
export function FindingsView() {
  const { told, report, answer } = useFindings();
  if (!told) return <NotTold />;
  return (
    <>
      {answer?.error && <Failure answer={answer} />}
      {report && <Found report={report} />}
      {!report && answer?.slow && !answer.error && <EmptyState title="Looking for causes …" />}
    </>
  );
}

function NotTold() {
  return (
    <EmptyState title="This server tells no findings.">
      It is older than this page; “rollscope diagnose” of a newer version can ask it for the spans.
    </EmptyState>
  );
}

function Found({ report }: { report: Findings }) {
  const run = useRun();
  const { params } = useRoute();
  const choice = choiceOf(params);
  const batches = useBatches().data?.batches;
  const stages = useMemo(() => stagesOf(report, batches ?? []), [report, batches]);
  const chosen = chosenOf(report.findings, choice);
  const selected = chosen.find((f) => f.id === params.finding) ?? chosen[0];
  const go = (step: number) => {
    const at = selected ? chosen.indexOf(selected) : -1;
    const next = chosen[Math.min(chosen.length - 1, Math.max(0, at + step))];
    setParams({ finding: next?.id });
  };
  const open = () => {
    const route = selected && subjectRoute(run, selected);
    return route ? push(route) : (false as const);
  };
  const timeline = () => (selected ? push(timelineRoute(run, selected, report.as_of_s)) : (false as const));
  useKeys([
    { key: 'j', does: 'Next finding', run: () => go(1) },
    { key: 'k', does: 'Previous finding', run: () => go(-1) },
    { key: 'ArrowDown', does: 'Next finding', run: () => go(1) },
    { key: 'ArrowUp', does: 'Previous finding', run: () => go(-1) },
    { key: 'Enter', does: 'Open what is to blame', run: open },
    { key: 't', does: 'Timeline of this finding', run: timeline },
  ]);
  return (
    <>
      <Controls report={report} choice={choice} />
      {report.healthy && <Healthy report={report} />}
      {selected && (
        <div className={css.causes}>
          <FindingList report={report} findings={chosen} selected={selected} onOpen={open} />
          <FindingDetail
            report={report}
            finding={selected}
            batches={batches}
            stages={stages}
            second={report.healthy}
          />
        </div>
      )}
      {!selected && report.findings.length > 0 && (
        <EmptyState title="No finding is like that.">
          {counted(report.findings.length, 'finding')} of this run{' '}
          {report.findings.length === 1 ? 'is' : 'are'} hidden by what is chosen above.
        </EmptyState>
      )}
      <div className={css.below}>
        <History report={report} batches={batches ?? []} selected={selected} />
        <NotJudged report={report} />
      </div>
    </>
  );
}

function choiceOf(params: Readonly<Record<string, string>>): Choice {
  const { kind, state, step, sort } = params;
  return {
    sort: sort === 'newest' ? 'newest' : 'cost',
    ...(kind && { kind }),
    ...(state && { state }),
    ...(step && { step }),
  };
}

/** The step, kind and state of the findings in the list; what chooses sessions in other views chooses none here. */
function Controls({ report, choice }: { report: Findings; choice: Choice }) {
  const { findings, scope, as_of_s, coverage } = report;
  const set = (key: keyof Choice) => (value: string | undefined) => setParams({ [key]: value }, 'push');
  return (
    <ControlBar
      right={
        <>
          <span className={css.asOf}>
            as of <Time s={as_of_s} nowS={as_of_s} /> · {scopeName(scope)}
            {coverage.steps > 0 && `, ${counted(coverage.steps, 'step')}`}
          </span>
          <Segmented
            label="First"
            value={choice.sort}
            options={[
              ['cost', 'Costs most'],
              ['newest', 'Newest'],
            ]}
            onChange={(v) => setParams({ sort: v === 'cost' ? undefined : v })}
          />
        </>
      }
    >
      <Chip
        label="Step"
        value={choice.step}
        options={() => valuesOf(findings, (f) => f.steps)}
        onChange={set('step')}
        none="No finding names a step"
      />
      <Chip
        label="Kind"
        value={choice.kind}
        options={() => valuesOf(findings, (f) => [f.kind])}
        onChange={set('kind')}
        none="There is no finding"
      />
      <Chip
        label="State"
        value={choice.state}
        options={STATES}
        onChange={set('state')}
        any="open and closed"
      />
    </ControlBar>
  );
}

/** Silence is an answer, and says what it is about. */
function Healthy({ report }: { report: Findings }) {
  const last = lastClosed(report.findings);
  return (
    <CalmHeadline report={report}>
      {judgedWords(report)}{' '}
      {last?.until_s != null && (
        <>
          The last finding closed at <Time s={last.until_s} nowS={report.as_of_s} />.
        </>
      )}
    </CalmHeadline>
  );
}

function lastClosed(findings: readonly Finding[]): Finding | undefined {
  return findings
    .filter((f) => !isOpen(f))
    .reduce<Finding | undefined>((a, b) => ((b.until_s ?? 0) > (a?.until_s ?? 0) ? b : a), undefined);
}
