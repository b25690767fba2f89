export type Numbers = Record<
  'count' | 'mean' | 'min' | 'p25' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99' | 'max',
  number
>;

/** The known values of these rows, ascending. */
export function sortedValues(rows: Uint32Array, values: Float64Array): Float64Array {
  const known = new Float64Array(rows.length);
  let n = 0;
  for (const row of rows) {
    const value = values[row]!;
    if (!Number.isNaN(value)) known[n++] = value;
  }
  return known.slice(0, n).sort();
}

/** Linear interpolation at (n − 1)·p, as everywhere in Rollscope; NaN of nothing. */
export function percentile(sorted: Float64Array, p: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * p;
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

export function numbersOf(sorted: Float64Array): Numbers | null {
  if (sorted.length === 0) return null;
  const p = (share: number) => percentile(sorted, share);
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, v) => sum + v, 0) / sorted.length,
    min: sorted[0]!,
    p25: p(0.25),
    p50: p(0.5),
    p75: p(0.75),
    p90: p(0.9),
    p95: p(0.95),
    p99: p(0.99),
    max: sorted[sorted.length - 1]!,
  };
}

export type Histogram = { edges: Float64Array; counts: Uint32Array };

const FEWEST_BINS = 12;
const MOST_BINS = 96;

/** Bins of equal width by Freedman and Diaconis, or of equal ratio on a log axis (what is zero goes into the first). */
export function histogram(sorted: Float64Array, axis: 'linear' | 'log', most = MOST_BINS): Histogram {
  if (sorted.length === 0) return { edges: new Float64Array(2), counts: new Uint32Array(1) };
  const max = sorted[sorted.length - 1]!;
  if (axis === 'log') {
    const least = sorted.find((v) => v > 0) ?? max;
    const low = Math.log10(Math.max(least, max / 1e7) || 1e-9);
    const high = Math.max(low + 0.1, Math.log10(max || 1e-9));
    const bins = Math.min(most, Math.max(FEWEST_BINS, Math.ceil((high - low) * 16)));
    return fill(
      sorted,
      Float64Array.from({ length: bins + 1 }, (_, i) => 10 ** (low + ((high - low) * i) / bins)),
    );
  }
  const min = sorted[0]!;
  const span = max - min || Math.max(max, 1e-9);
  const width = (2 * (percentile(sorted, 0.75) - percentile(sorted, 0.25))) / Math.cbrt(sorted.length);
  const bins = Math.min(most, Math.max(FEWEST_BINS, width > 0 ? Math.ceil(span / width) : FEWEST_BINS));
  return fill(
    sorted,
    Float64Array.from({ length: bins + 1 }, (_, i) => min + (span * i) / bins),
  );
}

/** Counts by the bin whose upper edge is the first that is not below the value. */
function fill(sorted: Float64Array, edges: Float64Array): Histogram {
  const counts = new Uint32Array(edges.length - 1);
  let bin = 0;
  for (const value of sorted) {
    while (bin < counts.length - 1 && value > edges[bin + 1]!) bin++;
    counts[bin]!++;
  }
  return { edges, counts };
}
