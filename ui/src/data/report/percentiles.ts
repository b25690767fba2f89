/** Percentiles of sorted values, linearly interpolated at (n-1)·p; 0 of none. */
export function percentile(sorted: Float64Array, p: number): number {
  if (sorted.length === 0) return 0;
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  const a = sorted[low]!;
  const b = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return a + (b - a) * (at - low);
}

/** A growing list of numbers. */
export class Numbers {
  private values = new Float64Array(16);
  count = 0;
  sum = 0;

  add(value: number): void {
    if (this.count === this.values.length) {
      const grown = new Float64Array(this.count * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.count++] = value;
    this.sum += value;
  }

  sorted(): Float64Array {
    return this.values.slice(0, this.count).sort();
  }
}
