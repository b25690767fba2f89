import type { Span } from '../../lanes/axis';
import { count } from '../../text/count';
import { clock, exactTime } from '../../text/time';
import { exactValue } from '../../text/value';
import type { ChartAxis } from './chartsState';
import { shownLine } from './columns';
import type { Heat } from './heat';
import type { Picture } from './lines';
import { edgeText } from './ticks';

/** What is read of one line at one place, or at its end. */
export type Reading = {
  label: string;
  line: number;
  y: number | null;
  /** Before smoothing. */
  raw: number | null;
  low: number | null;
  high: number | null;
};

/** @param at place in x; null: the last value of each that is in sight */
export function readingsOf({ x, lines }: Picture, smooth: number, at: number | null, view: Span): Reading[] {
  return lines.map((line, i) => {
    const shown = shownLine(line, smooth);
    const place = at ?? shown.findLastIndex((v, n) => v !== null && x[n]! <= view.to);
    return {
      label: line.label,
      line: i,
      y: shown[place] ?? null,
      raw: line.y[place] ?? null,
      low: line.low?.[place] ?? null,
      high: line.high?.[place] ?? null,
    };
  });
}

/** Where a place of the x axis is. */
export function placeText(x: number, axis: ChartAxis): string {
  return axis === 'step' ? `step ${x}` : clock(x);
}

export function exactPlace(x: number, axis: ChartAxis): string {
  return axis === 'step' ? `step ${x}` : exactTime(x);
}

export type Cell = { from: number; to: number; count: number; of: number };

/** The bucket of a heat map at a place. */
export function cellAt(heat: Heat, column: number, y: number): Cell | null {
  const row = Math.min(heat.rows - 1, Math.max(0, Math.floor(y)));
  if (column < 0 || column >= heat.columns) return null;
  const first = column * heat.rows;
  return {
    from: heat.edges[row]!,
    to: heat.edges[row + 1]!,
    count: heat.counts[first + row]!,
    of: heat.counts.subarray(first, first + heat.rows).reduce((a, b) => a + b, 0),
  };
}

export function cellText(cell: Cell, unit: string): string {
  return `${edgeText(cell.from, unit)} to ${edgeText(cell.to, unit)}: ${count(cell.count)} of ${count(cell.of)}`;
}

/** What a screen reader says of a chart at one place. */
export function readOut(title: string, readings: readonly Reading[], where: string, unit: string): string {
  const values = readings.map((r) => `${r.label ? `${r.label} ` : ''}${exactValue(r.y, unit)}`);
  return `${title}, ${where}: ${values.join('; ') || 'nothing'}`;
}

/** The nearest place of x that is in sight, `by` places from `at`; the last one in sight to begin with. */
export function stepPlace(x: readonly number[], at: number | null, by: number, view: Span): number | null {
  const last = x.findLastIndex((v) => v <= view.to);
  const first = x.findIndex((v) => v >= view.from);
  if (first < 0 || last < first) return null;
  if (at === null) return by > 0 ? first : last;
  return Math.min(last, Math.max(first, at + by));
}
