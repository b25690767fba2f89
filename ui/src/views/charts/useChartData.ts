import { useMemo } from 'react';
import type { MetricData } from '../../data/metricTypes';
import { SourceError, useSource } from '../../data/source';
import { type Answer, useAnswer } from '../../data/useAnswer';
import { useLiveContext, useRun, useStandsStill } from '../../data/useLive';
import type { Span } from '../../lanes/axis';
import type { Chart } from './boards';
import type { ChartsState } from './chartsState';
import { type Picture, pictureOf } from './lines';
import { questionsOf } from './question';
import { widened } from './window';

const EVERY_MS = 5000;
const EVERY_WHEN_PAST_MS = 30_000;
/** A window that ended longer ago than that gets no new points. */
const OVER_S = 120;

/** What a chart shows. Asks only while it can be seen, and again while something may come in. */
export function useChartData(
  chart: Chart,
  state: ChartsState,
  window: Span | null,
  visible: boolean,
): { answer: Answer<MetricData[]>; picture: Picture | null } {
  const run = useRun();
  const { monitoring, kind } = useSource();
  const { board } = useLiveContext();
  const past = useStandsStill();
  const questions = questionsOf(chart, state, window && widened(window, state.axis));
  const key = `chart ${run} ${JSON.stringify(questions)}`;
  const answer = useAnswer<MetricData[]>(
    key,
    async (_source, signal) => {
      if (!monitoring) throw new SourceError(404, 'this report has no metrics');
      return Promise.all(questions.map((question) => monitoring.metricData(run, question, signal)));
    },
    {
      enabled: visible,
      everyMs: () => {
        if (kind === 'report') return null;
        if (state.axis === 'clock' && window && window.to < board.nowS() - OVER_S) return null;
        return past ? EVERY_WHEN_PAST_MS : EVERY_MS;
      },
    },
  );
  const { data } = answer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it was asked for is in the data
  const picture = useMemo(() => (data ? pictureOf(chart, data, questions, state.by) : null), [data, chart]);
  return { answer, picture };
}
