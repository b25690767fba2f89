import type { MetricData, MetricSeries } from '../../data/metricTypes';
import { naturalKey } from '../../text/natural';
import type { Chart } from './boards';
import { type Heat, heatOf } from './heat';

type Values = (number | null)[];

export type Line = {
  key: string;
  /** '' where it is the only one and the title says all. */
  label: string;
  y: Values;
  /** A band around it: least and greatest of what each point stands for. */
  low: Values | null;
  high: Values | null;
  /** Whether the band is of metrics of their own. */
  spread: boolean;
};

/** What a chart shows. */
export type Picture = {
  x: readonly number[];
  /** How long the stretch of time is that begins at each x; null for steps. */
  bucketS: number | null;
  lines: Line[];
  heat: Heat | null;
  /** Lines that were not drawn. */
  leftOut: number;
};

export const MOST_LINES = 24;
const HEAT_ROWS = 24;

export function pictureOf(
  chart: Chart,
  answers: readonly MetricData[],
  questions: readonly { agg: string }[],
  by: string | null,
): Picture {
  const first = answers[0];
  const x = first?.x ?? [];
  const bucketS = first?.bucket_s ?? null;
  if (first?.heatmap) {
    return { x, bucketS, lines: [], heat: heatOf(first.heatmap, HEAT_ROWS), leftOut: 0 };
  }
  const all =
    chart.kind === 'spread' && first
      ? spreads(chart, first)
      : answers.flatMap((answer, i) =>
          linesOf(chart, answer, answers.length > 1 ? (questions[i]?.agg ?? '') : '', by, x),
        );
  // Percentiles and names that belong together keep their order.
  const lines = answers.length > 1 ? all : sorted(chart, all);
  return {
    x,
    bucketS,
    lines: withoutBands(lines.slice(0, MOST_LINES), questions[0]?.agg),
    heat: null,
    leftOut: Math.max(0, lines.length - MOST_LINES) + (first?.left_out ?? 0),
  };
}

/** Bands of many lines would cover each other; that of a sum is of what was added up, and not around it. */
function withoutBands(lines: Line[], agg: string | undefined): Line[] {
  return lines.length === 1 && agg !== 'sum'
    ? lines
    : lines.map((l) => (l.spread ? l : { ...l, low: null, high: null }));
}

function linesOf(
  chart: Chart,
  answer: MetricData,
  agg: string,
  by: string | null,
  x: readonly number[],
): Line[] {
  const varying = varyingLabels(answer.series);
  return answer.series.map((series) => {
    const name = chart.names[chart.metrics.findIndex((m) => m.name === series.name)] ?? '';
    const parts = [name, labelText(series, by, varying), agg].filter(Boolean);
    return {
      key: `${series.name}\n${JSON.stringify(series.labels)}\n${agg}`,
      label: parts.join(' · '),
      y: alignedTo(x, answer.x, series.y),
      low: series.min ? alignedTo(x, answer.x, series.min) : null,
      high: series.max ? alignedTo(x, answer.x, series.max) : null,
      spread: false,
    };
  });
}

/** Mean, least and greatest of the same labels become one line with a band. */
function spreads(chart: Chart, { series }: MetricData): Line[] {
  const groups = new Map<string, MetricSeries[]>();
  for (const one of series) {
    const key = JSON.stringify(one.labels);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const varying = varyingLabels(series);
  return [...groups].flatMap(([key, members]) => {
    const of = (word: RegExp) =>
      members.find((s) => word.test(chart.names[chart.metrics.findIndex((m) => m.name === s.name)] ?? ''));
    const mean = of(/^(mean|avg)$/);
    if (!mean) return [];
    return {
      key,
      label: labelText(mean, null, varying) || 'mean',
      y: mean.y,
      low: of(/^min$/)?.y ?? mean.y,
      high: of(/^max$/)?.y ?? mean.y,
      spread: true,
    };
  });
}

function sorted(chart: Chart, lines: readonly Line[]): Line[] {
  if (chart.metrics.length > 1) return [...lines];
  return lines
    .map((line) => ({ line, key: naturalKey(line.label) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ line }) => line);
}

/** Labels in which the series differ: the others say nothing. */
function varyingLabels(series: readonly MetricSeries[]): string[] {
  const names = new Set(series.flatMap((s) => Object.keys(s.labels)));
  return [...names].filter((name) => new Set(series.map((s) => s.labels[name])).size > 1).sort();
}

function labelText({ labels }: MetricSeries, by: string | null, varying: readonly string[]): string {
  if (by !== null && Object.hasOwn(labels, by)) return labels[by] || `no ${by}`;
  return varying.map((name) => `${name}=${labels[name] ?? ''}`).join(', ');
}

/** Answers to questions asked one after the other may differ in their last points. */
function alignedTo(x: readonly number[], own: readonly number[], values: readonly (number | null)[]): Values {
  if (own === x || (own.length === x.length && own.every((v, i) => v === x[i]))) return [...values];
  const places = new Map(own.map((v, i) => [v, i]));
  return x.map((v) => values[places.get(v) ?? -1] ?? null);
}

/** The value at a place, or the last before it. */
export function lastValue(values: readonly (number | null)[]): number | null {
  return values.findLast((v) => v !== null) ?? null;
}
