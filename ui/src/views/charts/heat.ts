import type { HeatMap } from '../../data/metricTypes';

/** Rows of equal height from the least to the greatest values that were observed. */
export type Heat = {
  /** Edges between rows, one more than rows; the outer ones may be infinite. */
  edges: number[];
  /** Column by column, lowest row first. */
  counts: Float64Array;
  columns: number;
  rows: number;
  /** The greatest count of a cell. */
  most: number;
};

/**
 * Leaves out buckets above and below everything that was observed, and joins neighbours where there are more than rows
 * to draw. No observation gets lost: all counts together stay what they were.
 */
export function heatOf({ bounds, counts }: HeatMap, mostRows: number): Heat | null {
  const buckets = bounds.length;
  const totals = new Float64Array(buckets);
  for (const column of counts) for (let b = 0; b < buckets; b++) totals[b]! += column?.[b] ?? 0;
  const first = totals.findIndex((n) => n > 0);
  if (first < 0) return null;
  const last = totals.findLastIndex((n) => n > 0);
  const join = Math.ceil((last - first + 1) / mostRows);
  const rows = Math.ceil((last - first + 1) / join);
  const heat: Heat = {
    edges: edgesOf(
      bounds.map((b) => b ?? Number.POSITIVE_INFINITY),
      first,
      last,
      join,
    ),
    counts: new Float64Array(counts.length * rows),
    columns: counts.length,
    rows,
    most: 0,
  };
  counts.forEach((column, x) => {
    for (let b = first; b <= last; b++) {
      const cell = x * rows + Math.floor((b - first) / join);
      heat.counts[cell]! += column?.[b] ?? 0;
      heat.most = Math.max(heat.most, heat.counts[cell]!);
    }
  });
  return heat;
}

function edgesOf(bounds: readonly number[], first: number, last: number, join: number): number[] {
  const below = (bucket: number) =>
    bucket > 0 ? bounds[bucket - 1]! : (bounds[0] ?? 0) > 0 ? 0 : Number.NEGATIVE_INFINITY;
  const edges: number[] = [];
  for (let b = first; b <= last; b += join) edges.push(below(b));
  edges.push(bounds[last]!);
  return edges;
}

/** How dark a cell is, 0 to 1: by the root, so that single outliers are seen beside thousands. */
export function darkness(count: number, most: number): number {
  return count === 0 ? 0 : 0.12 + 0.88 * Math.sqrt(count / most);
}

/** How wide a column is: as long as its stretch of time, or as far as steps usually are apart. */
export function columnWidth(x: readonly number[], bucketS: number | null): number {
  if (bucketS !== null) return bucketS;
  const distances = x.slice(1).map((value, i) => value - x[i]!);
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 1;
}
