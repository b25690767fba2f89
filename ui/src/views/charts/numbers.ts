import type { Span } from '../../lanes/axis';
import type { ChartsState } from './chartsState';
import type { Picture } from './lines';
import { edgeText } from './ticks';

export type Row = { x: number; values: (number | null)[] };
export type Numbers = { heads: string[]; rows: Row[] };

/** What is in sight, lines as columns; of a heat map the counts of its buckets. */
export function numbersOf({ x, lines, heat }: Picture, unit: string, { from, to }: Span): Numbers {
  const heads = heat
    ? heat.edges.slice(0, -1).map((e, r) => `${edgeText(e, unit)} to ${edgeText(heat.edges[r + 1]!, unit)}`)
    : lines.map((l) => l.label);
  const rows = x
    .map((place, i) => ({
      x: place,
      values: heat
        ? Array.from(heat.counts.subarray(i * heat.rows, (i + 1) * heat.rows))
        : lines.map((l) => l.y[i] ?? null),
    }))
    .filter((row) => row.x >= from && row.x <= to)
    .filter((row) => row.values.some((v) => v !== null))
    .reverse();
  return { heads, rows };
}

export function csvOf({ heads, rows }: Numbers, axis: ChartsState['axis']): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = [axis === 'step' ? 'step' : 'time_s', ...heads.map((h) => cell(h || 'value'))];
  return [head.join(','), ...rows.map((r) => [r.x, ...r.values.map((v) => v ?? '')].join(','))].join('\n');
}
