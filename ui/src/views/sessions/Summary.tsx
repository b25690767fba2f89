import { useMemo } from 'react';
import { isWait } from '../../colour/waits';
import type { Sessions } from '../../data/types';
import type { Answer } from '../../data/useAnswer';
import { Count, Duration } from '../../kit/numbers';
import { Failure } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import { count, counted } from '../../text/count';
import { WAIT_MEASURES } from './measures';
import css from './Summary.module.css';
import { type Numbers, numbersOf, sortedValues } from './statistics';
import type { Page } from './usePage';

const COLUMNS = ['mean', 'min', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'max'] as const;

type Line = { name: string; numbers: Numbers | null; kind: 'session' | 'stage' };

/** Numbers of what is selected: the sessions' own times, and the time in their spans per stage. */
export function Summary({ page, answer }: { page: Page; answer: Answer<Sessions> }) {
  const { set, ended, selection } = page;
  const own = useMemo<Line[]>(
    () => [
      { name: 'work', numbers: numbersOf(sortedValues(ended, set.work)), kind: 'session' },
      { name: 'to verdict', numbers: numbersOf(sortedValues(ended, set.wall)), kind: 'session' },
      ...WAIT_MEASURES.map(
        (w): Line => ({ name: w, numbers: numbersOf(sortedValues(ended, set[w])), kind: 'session' }),
      ),
    ],
    [set, ended],
  );
  const brushed =
    selection.finish ||
    selection.total ||
    selection.reason ||
    (page.steps.param === 'step' && selection.step);
  const summary = answer.data;
  const stages = stageLines(summary);
  return (
    <div className={css.summary}>
      {answer.error && <Failure answer={answer} />}
      <table>
        <thead>
          <tr>
            <th>Time of a session</th>
            <th>count</th>
            {COLUMNS.map((c) => (
              <th key={c}>{c}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {own.map((line) => (
            <NumbersRow key={line.name} line={line} />
          ))}
        </tbody>
        {stages.length > 0 && (
          <tbody>
            <tr>
              <th colSpan={11}>
                Time in spans of a stage, per session
                {brushed ? ' (of the filters above; the selection in the charts is not applied)' : ''}
              </th>
            </tr>
            {stages.map((line) => (
              <NumbersRow key={line.name} line={line} />
            ))}
          </tbody>
        )}
      </table>
      {summary && (
        <p className={css.foot}>
          {counted(summary.null_end_spans, 'span')} without an end
          {Object.entries(summary.counters).map(([name, n]) => ` · ${name} ${count(n)}`)}
          {summary.skipped_lines && summary.skipped_lines.count > 0
            ? ` · ${counted(summary.skipped_lines.count, 'line')} could not be read`
            : ''}
          {summary.step_note ? ` · steps: ${summary.step_note}` : ''}
          {summary.unassigned_sessions > 0 && summary.steps.length > 0
            ? ` · ${counted(summary.unassigned_sessions, 'session')} in no step`
            : ''}
        </p>
      )}
    </div>
  );
}

/** `generate_s` of the server's summary is the stage `generate`; totals and waits are told by the page itself. */
function stageLines(summary: Sessions | undefined): Line[] {
  const known = new Set(['total', 'work', ...WAIT_MEASURES] as string[]);
  return Object.entries(summary?.metrics ?? {})
    .map(([key, numbers]): Line => ({ name: key.replace(/_s$/, ''), numbers, kind: 'stage' }))
    .filter((line) => !known.has(line.name));
}

function NumbersRow({ line: { name, numbers, kind } }: { line: Line }) {
  return (
    <tr>
      <td>{kind === 'stage' || isWait(name) ? <StageName place={name} /> : <b>{name}</b>}</td>
      <td>
        <Count n={numbers?.count ?? 0} />
      </td>
      {COLUMNS.map((c) => (
        <td key={c}>
          <Duration s={numbers?.[c]} />
        </td>
      ))}
    </tr>
  );
}
