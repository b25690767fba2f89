import { useMemo, useRef } from 'react';
import type { Batches } from '../../data/types';
import { type Answer, useAnswer } from '../../data/useAnswer';
import { useRun } from '../../data/useLive';
import { DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Failure } from '../../kit/Pane';
import { nextSort, parseSort, sortRows } from '../../kit/sortRows';
import { useSize } from '../../kit/useCanvas';
import { push, setParams, useParam } from '../../route/useRoute';
import { StepChart } from './StepChart';
import { StepPane, timelineOf } from './StepPane';
import css from './StepsView.module.css';
import { scaleOf } from './scale';
import { SORTABLE, stepColumns } from './stepColumns';
import { firstToLookAt, placesOf, type Step, stepsOf, stepValue } from './steps';

const EVERY_MS = 5000;
const USUAL = 200;
/** Most that the API gives at once. */
const MOST = 1000;
/** Columns that the pane on the right and the bars also tell. */
const TOLD_ELSEWHERE = ['idle', 'slowest'];
const ROOM_FOR_ALL = 1030;
const NEWEST = { key: 'step', descending: true };

/** Why this step took 14 minutes when the last took 6. */
export function StepsView() {
  const run = useRun();
  const limit = useParam('steps') === 'all' ? MOST : USUAL;
  const answer = useAnswer(`steps ${run} ${limit}`, (source, signal) => source.batches(run, limit, signal), {
    everyMs: EVERY_MS,
  });
  const { data } = answer;
  return (
    <>
      {answer.error && <Failure answer={answer} />}
      {!data && <Waiting answer={answer} />}
      {data?.batches.length === 0 && <NoSteps />}
      {data && data.batches.length > 0 && <Found batches={data} limit={limit} />}
    </>
  );
}

function Waiting({ answer }: { answer: Answer<unknown> }) {
  return answer.slow && !answer.error ? <EmptyState title="Reading the steps of this run …" /> : null;
}

function Found({ batches: { batches, left_out }, limit }: { batches: Batches; limit: number }) {
  const run = useRun();
  const sort = parseSort(useParam('sort'), NEWEST);
  const chosen = useParam('step');
  const steps = useMemo(() => stepsOf(run, batches), [run, batches]);
  const places = useMemo(() => placesOf(run, batches), [run, batches]);
  const table = useRef<HTMLDivElement>(null);
  const { width } = useSize(table);
  const columns = useMemo(() => {
    const all = stepColumns(run, scaleOf(steps).top_s / 1.12, steps);
    return width < ROOM_FOR_ALL ? all.filter((c) => !TOLD_ELSEWHERE.includes(c.key)) : all;
  }, [run, steps, width]);
  const selected = steps.find((s) => s.batch.batch === chosen) ?? firstToLookAt(steps)!;
  const select = (s: Step) => setParams({ step: s.batch.batch });
  return (
    <>
      <StepChart
        steps={steps}
        places={places}
        leftOut={left_out}
        onMore={limit < MOST ? () => setParams({ steps: 'all' }) : undefined}
        selected={selected.batch.batch}
        onSelect={select}
      />
      <div className={css.below}>
        <div className={css.table} ref={table}>
          <DataTable
            label="Steps"
            unit="step"
            columns={columns}
            rows={sortRows(steps, sort, stepValue)}
            rowKey={(s) => s.batch.batch}
            rowHeight={26}
            sortable={SORTABLE}
            sort={sort}
            onSort={(key) => setParams({ sort: nextSort(sort, key) })}
            selected={selected.batch.batch}
            onSelect={select}
            clickSelects
            onOpen={(s) => push(timelineOf(run, s))}
          />
        </div>
        <StepPane step={selected} steps={steps} places={places} />
      </div>
    </>
  );
}

function NoSteps() {
  return (
    <EmptyState
      title="This run names no steps."
      lines={[{ what: 'OpenTelemetry', line: 'span.set_attribute("rl.train_step", step)' }]}
      footer="AReaL's files name none either: there the sessions view tells steps by the batch size."
    >
      Give the spans of a session the number of the training step they are for; the step then has a row here:
    </EmptyState>
  );
}
