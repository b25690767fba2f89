import { useMemo } from 'react';
import type { Answer } from '../../data/useAnswer';
import { Pane } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { type MarkName, StatusMark } from '../../kit/StatusMark';
import { setParams, useParam } from '../../route/useRoute';
import { Scatter } from './Scatter';
import css from './SessionsView.module.css';
import type { ScatterLook } from './scatterMarks';
import type { Page } from './usePage';

const LINES = {
  both: new Set(['steps', 'percentiles']),
  steps: new Set(['steps']),
  percentiles: new Set(['percentiles']),
  none: new Set(),
} as Record<string, ScatterLook['lines']>;

const LEGEND: readonly (readonly [MarkName, string])[] = [
  ['completed', 'completed, accepted'],
  ['rejected', 'rejected'],
  ['failed', 'failed'],
  ['dropped', 'dropped, cancelled'],
  ['running', 'unfinished'],
  ['overdue', 'overdue'],
];

export function ScatterPane({ page, answer }: { page: Page; answer: Answer<unknown> }) {
  const colour = useParam('colour') === 'worker' ? 'worker' : 'status';
  const lines = useParam('lines') ?? 'both';
  const look = useMemo(() => ({ colour, lines: LINES[lines] ?? LINES.both! }) as const, [colour, lines]);
  return (
    <Pane
      title="Work by finish"
      note="drag selects, click opens"
      answer={answer}
      right={
        <>
          <Segmented
            label="Colour"
            value={colour}
            options={[
              ['status', 'Status'],
              ['worker', 'Worker'],
            ]}
            onChange={(v) => setParams({ colour: v === 'status' ? undefined : v })}
          />
          <Segmented
            label="Lines"
            value={lines}
            options={[
              ['both', 'Both'],
              ['steps', 'Steps'],
              ['percentiles', 'p50, p95'],
              ['none', 'None'],
            ]}
            onChange={(v) => setParams({ lines: v === 'both' ? undefined : v })}
          />
        </>
      }
    >
      <div className={css.scatterBody}>
        <ul className={css.legend} aria-label="Marks">
          {LEGEND.map(([mark, text]) => (
            <li key={mark}>
              <StatusMark status={mark} /> {text}
            </li>
          ))}
          <li>
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="none" stroke="var(--ink-2)" />
            </svg>
            slowest, above p95
          </li>
        </ul>
        <div className={css.plot}>
          <Scatter page={page} look={look} />
        </div>
      </div>
    </Pane>
  );
}
