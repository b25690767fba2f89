import { duration } from '../../text/duration';
import { medianOf, type Step } from './steps';

/** Bars beyond this many medians are cut, so that one hung step does not flatten the others. */
const MOST_MEDIANS = 5;

/** The top of the chart in seconds, and its ticks. */
export type Scale = { top_s: number; ticks: number[] };

const NICE = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800,
];

export function scaleOf(steps: readonly Step[]): Scale {
  const walls = steps.map((s) => s.batch.wall_s);
  const usual =
    medianOf(
      steps.filter((s) => s.unfinished === 0),
      (s) => s.batch.wall_s,
    ) ?? 0;
  const most = Math.max(...walls, Number.MIN_VALUE);
  const top_s = (usual > 0 ? Math.min(most, MOST_MEDIANS * usual) : most) * 1.12;
  const step = NICE.find((n) => top_s / n <= 4) ?? 10 ** Math.ceil(Math.log10(top_s / 4));
  const ticks: number[] = [];
  for (let s = 0; s <= top_s && top_s >= 1; s += step) ticks.push(s);
  return { top_s, ticks };
}

/** 20 s, 1 m, 2 h: without figures that say nothing. */
export function tickText(s: number): string {
  return s === 0 ? '0' : duration(s).replace(/\.0+(?= )| 00 \w+$/, '');
}

/** Where bars are: the n-th from `left`, each `pitch` wide with its gap. */
export type Bars = { left: number; pitch: number; width: number };

const WIDEST = 60;

export function barsIn(count: number, left: number, width: number): Bars {
  const pitch = Math.min(WIDEST, width / Math.max(1, count));
  return { left, pitch, width: Math.max(1, pitch - (pitch > 6 ? 4 : pitch > 3 ? 1 : 0)) };
}

export function barAt({ left, pitch }: Bars, count: number, x: number): number {
  const at = Math.floor((x - left) / pitch);
  return at >= 0 && at < count ? at : -1;
}

/** Every how many bars there is room for a number. */
export function labelEvery({ pitch }: Bars, textWidth: number): number {
  const least = (textWidth + 8) / pitch;
  return [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => n >= least) ?? 1000;
}
