import type { MetricData, MetricSeries } from '../metricTypes';
import { type MetricQuestion, type Monitoring, SourceError } from '../source';
import type { ReportMetrics } from './file';

/** What a report says of the metrics of its run: the whole of each, as it was asked when the report was written. */
export function monitoringOf(metrics: ReportMetrics): Monitoring {
  const answers = new Map(metrics.answers.map((a) => [keyOf(a), a.data]));
  const known = new Map(metrics.list.metrics.map((m) => [m.name, m]));
  const answerOf = (name: string, { axis, agg, as }: MetricQuestion) => {
    const exact = answers.get(keyOf({ name, axis, agg, as }));
    const usual = USUAL.has(agg) || (agg === 'none' && known.get(name)?.series === 1);
    if (exact || !usual) return exact;
    // A chart of counters and gauges asks the same of both.
    return (
      answers.get(keyOf({ name, axis, agg: 'mean', as: 'value' })) ??
      answers.get(keyOf({ name, axis, agg: 'sum', as: 'rate' }))
    );
  };
  return {
    points: metrics.points,
    metrics: async () => metrics.list,
    metricData: async (_run, question) => {
      const { by = [], where = [] } = question;
      const asked = question.name.filter((name) => question.axis === 'time' || known.get(name)?.has_step);
      const found = asked.flatMap((name) => answerOf(name, question) ?? []);
      if (by.length > 0 || where.length > 0 || found.length < asked.length) {
        throw new SourceError(404, 'not in this report (expected: what was asked when it was written)');
      }
      return merged(question.axis, found);
    },
    annotations: async () => metrics.annotations,
    targets: async () => ({ targets: [] }),
  };
}

/** How lines of several series are asked for unless somebody chooses. */
const USUAL: ReadonlySet<string> = new Set(['mean', 'sum']);

type Asked = Pick<MetricQuestion, 'axis' | 'agg' | 'as'> & { name: string };

function keyOf({ name, axis, agg, as }: Asked): string {
  return JSON.stringify([name, axis, agg, as]);
}

/** The answers about several metrics on one axis, as a server would have given them. */
function merged(axis: MetricQuestion['axis'], answers: readonly MetricData[]): MetricData {
  if (answers.length === 1) return answers[0]!;
  const x = [...new Set(answers.flatMap((a) => a.x))].sort((a, b) => a - b);
  return {
    axis,
    x,
    bucket_s: answers[0]?.bucket_s ?? null,
    series: answers.flatMap((answer) => answer.series.map((series) => placed(series, answer.x, x))),
    heatmap: null,
    left_out: answers.reduce((sum, a) => sum + (a.left_out ?? 0), 0),
    truncated: answers.some((a) => a.truncated),
  };
}

function placed(series: MetricSeries, own: readonly number[], x: readonly number[]): MetricSeries {
  const places = new Map(own.map((at, i) => [at, i]));
  const at = (values: (number | null)[] | null | undefined) =>
    values ? x.map((place) => values[places.get(place) ?? -1] ?? null) : null;
  return { ...series, y: at(series.y)!, min: at(series.min), max: at(series.max) };
}
