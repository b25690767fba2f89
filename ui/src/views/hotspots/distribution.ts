import type { Hotspots } from '../../data/types';

/** One log axis for the distributions of all rows: from `from` to `to` (log10 of seconds). */
export type LogAxis = { from: number; to: number };

const STEP = 0.25;
const TICKS: readonly (readonly [number, string])[] = [
  [1e-3, '1 ms'],
  [1e-2, '10 ms'],
  [0.1, '0.1 s'],
  [1, '1 s'],
  [10, '10 s'],
  [100, '100 s'],
  [1000, '17 m'],
  [10_000, '3 h'],
  [100_000, '28 h'],
];
const FEWEST_DECADES = 3;

/** Open work far beyond all closed work sits at the end of the axis instead of squeezing the rest. */
const MOST_OPEN_DECADES = 1;

/** The part of the axis that anything is in, whole decades; open work is on it too. */
export function axisOf(hotspots: Hotspots, openAges: readonly number[]): LogAxis {
  const bounds = hotspots.buckets_s ?? [];
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  const take = (low: number, high: number) => {
    from = Math.min(from, low);
    to = Math.max(to, high);
  };
  for (const { distribution = [] } of hotspots.stage_stats) {
    distribution.forEach((n, i) => {
      if (n > 0) take(...bucketRange(bounds, i));
    });
  }
  const furthest = Number.isFinite(to) ? Math.ceil(to - 1e-9) + MOST_OPEN_DECADES : Number.POSITIVE_INFINITY;
  for (const age of openAges) {
    const at = Math.min(furthest, Math.log10(age));
    if (age > 0) take(at, at);
  }
  if (from > to) return { from: -3, to: 3 };
  from = Math.floor(from + 1e-9);
  to = Math.ceil(to - 1e-9);
  return { from, to: Math.max(to, from + FEWEST_DECADES) };
}

/** Lower and upper end of a bucket as log10 of seconds; the first and last are drawn as wide as the others. */
function bucketRange(bounds: readonly number[], index: number): [number, number] {
  const high = index < bounds.length ? Math.log10(bounds[index]!) : Math.log10(bounds.at(-1)!) + STEP;
  return [high - STEP, high];
}

export function axisX(axis: LogAxis, seconds: number, width: number): number {
  const share = (Math.log10(Math.max(seconds, 1e-9)) - axis.from) / (axis.to - axis.from);
  return Math.min(1, Math.max(0, share)) * width;
}

/** Ticks that have room: at most one each 40 px. */
export function axisTicks(axis: LogAxis, width: number): { x: number; text: string }[] {
  const inside = TICKS.filter(([s]) => Math.log10(s) >= axis.from - 1e-9 && Math.log10(s) <= axis.to + 1e-9);
  const every = Math.max(1, Math.ceil((inside.length * 40) / width));
  return inside.filter((_, i) => i % every === 0).map(([s, text]) => ({ x: axisX(axis, s, width), text }));
}

/** All bars as one path; height is √count, so that a tail of one call can be seen beside thousands. */
export function barsPath(
  bounds: readonly number[],
  counts: readonly number[],
  axis: LogAxis,
  width: number,
  height: number,
): string {
  const most = Math.sqrt(Math.max(1, ...counts));
  let path = '';
  counts.forEach((n, i) => {
    if (n === 0) return;
    const [low, high] = bucketRange(bounds, i);
    const x = axisX(axis, 10 ** low, width);
    const w = Math.max(2, axisX(axis, 10 ** high, width) - x - 1);
    const h = Math.max(2, (Math.sqrt(n) / most) * height);
    path += `M${x.toFixed(1)} ${height}v${(-h).toFixed(1)}h${w.toFixed(1)}V${height}z`;
  });
  return path;
}
