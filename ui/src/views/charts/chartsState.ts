import { useMemo } from 'react';
import type { Span } from '../../lanes/axis';
import { useRoute } from '../../route/useRoute';
import { parseNames, parseSpan } from '../../route/values';
import type { BoardId } from './boards';

export type ChartAxis = 'clock' | 'step';
export const AGGREGATES = ['mean', 'min', 'max', 'sum', 'p50', 'p90', 'p95', 'p99', 'none'] as const;
export type Aggregate = (typeof AGGREGATES)[number];
/** Share of the value before in the smoothed one. */
export const SMOOTHING = { off: 0, low: 0.6, mid: 0.9, high: 0.97 } as const;
export type Smoothing = keyof typeof SMOOTHING;
export type HistogramLook = 'heat' | 'bands';

/** What the address says about the charts; what it does not say is decided by the data. */
export type ChartsState = {
  board: BoardId | null;
  axis: ChartAxis;
  /** null: gauges by their mean, counters by their sum. */
  agg: Aggregate | null;
  /** Label of which each value has its own line. */
  by: string | null;
  /** Label and value, as the API takes them: replica:0. */
  where: string | null;
  smooth: Smoothing;
  log: boolean;
  hist: HistogramLook;
  tall: boolean;
  /** Window on the clock, as in the timeline; epoch seconds. */
  t: Span | null;
  steps: Span | null;
  find: string;
  /** Charts on top of every board. */
  pins: readonly string[];
  hidden: ReadonlySet<string>;
  /** The chart that keys are for. */
  chart: string | null;
  /** The chart whose numbers are shown. */
  numbers: string | null;
};

export function useChartsState(): ChartsState {
  const { params } = useRoute();
  return useMemo(() => chartsState(params), [params]);
}

export function chartsState(params: Readonly<Record<string, string>>): ChartsState {
  const one = <T extends string>(key: string, known: readonly T[]) => known.find((k) => k === params[key]);
  return {
    board: one('board', ['training', 'rollout', 'engine', 'all'] as const) ?? null,
    axis: one('axis', ['clock', 'step'] as const) ?? 'clock',
    agg: one('agg', AGGREGATES) ?? null,
    by: params.by || null,
    where: params.where || null,
    smooth: one('smooth', ['off', 'low', 'mid', 'high'] as const) ?? 'off',
    log: params.scale === 'log',
    hist: one('hist', ['heat', 'bands'] as const) ?? 'heat',
    tall: params.size === 'tall',
    t: parseSpan(params.t),
    steps: parseSpan(params.steps),
    find: params.find ?? '',
    pins: parseNames(params.pin),
    hidden: new Set(parseNames(params.hide)),
    chart: params.chart ?? null,
    numbers: params.numbers ?? null,
  };
}
