import { useMemo } from 'react';
import type { Annotations, MetricList } from '../../data/metricTypes';
import { useSource } from '../../data/source';
import { useAnswer } from '../../data/useAnswer';
import { useLiveContext, useRun } from '../../data/useLive';
import { EmptyState } from '../../kit/EmptyState';
import { Failure } from '../../kit/Pane';
import type { Span } from '../../lanes/axis';
import { boardsOf, findChart, type Group, searched } from './boards';
import { ChartList } from './ChartList';
import { ChartsControls } from './ChartsControls';
import { type ChartsState, useChartsState } from './chartsState';
import { marksOf } from './marks';
import { NoMetrics } from './NoMetrics';
import { Problems } from './Problems';
import { timelineOf } from './timelineLink';
import { useExtents } from './useExtents';
import { useChartWindow } from './window';

const EVERY_MS = 10_000;
/** While there is nothing, somebody waits for the first. */
const FIRST_EVERY_MS = 3000;
const NOTHING: MetricList = { metrics: [] };

/** How the run is doing: what it measures, over time or by step. */
export function ChartsView() {
  const run = useRun();
  const { monitoring, kind } = useSource();
  const answer = useAnswer<MetricList>(
    `metrics ${run}`,
    async (_source, signal) => (monitoring ? monitoring.metrics(run, signal) : NOTHING),
    {
      everyMs: (data) => (kind === 'report' ? null : data.metrics.length === 0 ? FIRST_EVERY_MS : EVERY_MS),
    },
  );
  const { data } = answer;
  if (!monitoring) return <EmptyState title="This run has no metrics." />;
  return (
    <>
      {answer.error && <Failure answer={answer} />}
      {!data && answer.slow && !answer.error && <EmptyState title="Reading the metrics of this run …" />}
      {data && <Problems problems={data.problems ?? []} />}
      {data?.metrics.length === 0 && <NoMetrics />}
      {data && data.metrics.length > 0 && <Charts list={data} />}
    </>
  );
}

function Charts({ list }: { list: MetricList }) {
  const run = useRun();
  const state = useChartsState();
  const { board: live } = useLiveContext();
  const boards = useMemo(() => boardsOf(list.metrics), [list]);
  const board = boards.find((b) => b.id === state.board) ?? boards[0]!;
  const groups = useMemo(() => {
    const pinned = state.pins.flatMap((id) => findChart(boards, id) ?? []);
    const top: Group[] = pinned.length > 0 ? [{ title: 'Pinned', charts: pinned }] : [];
    const rest = board.groups.map((g) => ({
      ...g,
      charts: g.charts.filter((c) => !state.hidden.has(c.id) && !state.pins.includes(c.id)),
    }));
    return [...top, ...searched(rest, state.find)].filter((g) => g.charts.length > 0);
  }, [boards, board, state.pins, state.hidden, state.find]);
  const extents = useExtents(`${run} ${state.axis} ${state.where}`);
  const whole = state.axis === 'step' ? (extents.all ?? { from: 0, to: 1 }) : timeOf(groups);
  const window = useChartWindow(state, whole);
  const annotations = useAnnotations(state);
  const marks = useMemo(() => marksOf(annotations, state.axis, live.nowS()), [annotations, state.axis, live]);
  const timeline = timelineOf(run, state, window, annotations?.batches ?? [], live.nowS());
  return (
    <>
      <ChartsControls
        boards={boards}
        board={board.id}
        metrics={list.metrics}
        state={state}
        timeline={timeline}
      />
      <ChartList {...{ groups, state, window, marks, timeline }} onExtent={extents.add} />
    </>
  );
}

/** From the first to the last point of everything that is shown. */
function timeOf(groups: readonly Group[]): Span {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const group of groups) {
    for (const chart of group.charts) {
      for (const metric of chart.metrics) {
        from = Math.min(from, metric.first_s);
        to = Math.max(to, metric.last_s);
      }
    }
  }
  return from <= to ? { from, to: Math.max(to, from + 1) } : { from: 0, to: 1 };
}

/** Steps and weight syncs of the window; charts do without where they cannot be had. */
function useAnnotations(state: ChartsState): Annotations | undefined {
  const run = useRun();
  const { monitoring, kind } = useSource();
  const window = state.axis === 'clock' && state.t ? { from_s: state.t.from, to_s: state.t.to } : {};
  return useAnswer<Annotations>(
    `annotations ${run} ${JSON.stringify(window)}`,
    (_source, signal) => monitoring!.annotations(run, window, signal),
    { everyMs: () => (kind === 'report' ? null : EVERY_MS) },
  ).data;
}
