import type { MetricQuestion } from '../../data/source';
import type { Span } from '../../lanes/axis';
import type { Chart } from './boards';
import type { Aggregate, ChartsState } from './chartsState';
import { isCounter } from './metricNames';

/** Enough for one at every second pixel or so; each tells mean, least and greatest of its time. */
const POINTS = 500;
/** Each cell of a heat map should be seen. */
const HEAT_COLUMNS = 200;
export const BANDS: readonly Aggregate[] = ['p50', 'p90', 'p99'];

type Asked = Pick<ChartsState, 'axis' | 'agg' | 'by' | 'where' | 'hist'>;

/** What the API is asked for a chart: one question, or one for each percentile of a histogram. */
export function questionsOf(chart: Chart, state: Asked, window: Span | null): MetricQuestion[] {
  const common = {
    name: chart.metrics.map((m) => m.name),
    axis: state.axis === 'step' ? ('step' as const) : ('time' as const),
    ...(state.where !== null && { where: [state.where] }),
    ...windowOf(state.axis, window),
  };
  const by = state.by === null ? {} : { by: [state.by] };
  if (chart.kind === 'histogram') {
    if (state.hist === 'heat') {
      return [{ ...common, agg: 'heatmap', as: 'value', points: HEAT_COLUMNS }];
    }
    // One line per value and three percentiles of each would be too many to read.
    const percentiles = state.by === null ? BANDS : [percentileOf(state.agg)];
    return percentiles.map((agg) => ({ ...common, ...by, agg, as: 'value' as const, points: POINTS }));
  }
  const counts = chart.metrics.every(isCounter);
  const agg = state.agg ?? (counts ? 'sum' : 'mean');
  return [
    {
      ...common,
      ...(agg !== 'none' && by),
      agg,
      as: counts ? ('rate' as const) : ('value' as const),
      points: POINTS,
    },
  ];
}

function percentileOf(agg: Aggregate | null): Aggregate {
  return agg?.startsWith('p') ? agg : 'p95';
}

function windowOf(axis: ChartsState['axis'], window: Span | null) {
  if (window === null) return {};
  return axis === 'step'
    ? { from_step: Math.ceil(window.from), to_step: Math.floor(window.to) }
    : { from_s: window.from, to_s: window.to };
}

/** In words, what the lines of a chart are. */
export function howRead(chart: Chart, state: Asked): string {
  const series = chart.metrics.reduce((most, m) => Math.max(most, m.series), 0);
  if (chart.kind === 'histogram') {
    if (state.hist === 'heat') return 'observations';
    return state.by === null ? 'percentiles' : `${percentileOf(state.agg)} by ${state.by}`;
  }
  const counts = chart.metrics.every(isCounter);
  const agg = state.agg ?? (counts ? 'sum' : 'mean');
  const rate = counts ? (state.axis === 'step' ? 'per step' : 'per second') : '';
  const what = chart.kind === 'spread' ? 'band: min to max' : rate;
  if (series <= 1 || agg === 'none') return what;
  const over = state.by === null ? `${agg} of ${series} series` : `${agg} by ${state.by}`;
  return what ? `${what}, ${over}` : over;
}
