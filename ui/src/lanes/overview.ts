import type { Span } from './axis';
import type { Scene } from './scene';
import { shiftOf } from './scene';

/** How many spans do their own work at once, per bucket and place, each place on top of the ones before. */
export type Overview = {
  buckets: number;
  /** From bottom to top; null is the wait of containers. */
  stages: (string | null)[];
  tops: Float64Array[];
  peak: number;
};

/** One pass over the pieces: each adds to the slope where it begins and takes away where it ends. */
export function overviewOf(scene: Scene, whole: Span, buckets: number): Overview {
  const { pieces, table, nowS } = scene;
  const places = table.stages.length + 1;
  const width = (whole.to - whole.from) / buckets;
  const value = Array.from({ length: places }, () => new Float64Array(buckets + 1));
  const slope = Array.from({ length: places }, () => new Float64Array(buckets + 2));
  for (let lane = 0; lane < table.lanes.length; lane++) {
    const shift = shiftOf(scene, lane) - whole.from;
    const first = pieces.rowFirst[pieces.laneRow[lane]!]!;
    const last = pieces.rowFirst[pieces.laneRow[lane + 1]!]!;
    for (let i = first; i < last; i++) {
      const code = pieces.code[i]!;
      if (code & 1) continue;
      const from = Math.max(0, (pieces.start[i]! + shift) / width);
      const to = Math.min(buckets, (Math.min(pieces.end[i]!, nowS) + shift) / width);
      if (to <= from) continue;
      const [v, s] = [value[code >> 1]!, slope[code >> 1]!];
      const [a, b] = [Math.floor(from), Math.min(buckets - 1, Math.floor(to))];
      if (a === b) {
        v[a]! += to - from;
      } else {
        v[a]! += a + 1 - from;
        v[b]! += to - b;
        s[a + 1]!++;
        s[b]!--;
      }
    }
  }
  return stack(value, slope, buckets, table.stages);
}

function stack(
  value: Float64Array[],
  slope: Float64Array[],
  buckets: number,
  names: readonly string[],
): Overview {
  const total = value.map((v, place) => {
    let inside = 0;
    let sum = 0;
    for (let b = 0; b < buckets; b++) {
      inside += slope[place]![b]!;
      v[b]! += inside;
      sum += v[b]!;
    }
    return sum;
  });
  // The greatest at the bottom, waits on top of all.
  const order = total
    .map((_, place) => place)
    .filter((place) => total[place]! > 0)
    .sort((a, b) => Number(a === total.length - 1) - Number(b === total.length - 1) || total[b]! - total[a]!);
  const tops: Float64Array[] = [];
  let below: Float64Array | null = null;
  for (const place of order) {
    const top: Float64Array = value[place]!.slice(0, buckets);
    if (below) for (let b = 0; b < buckets; b++) top[b]! += below[b]!;
    tops.push(top);
    below = top;
  }
  const stages = order.map((place) => names[place] ?? null);
  return { buckets, stages, tops, peak: below ? Math.max(...below) : 0 };
}
