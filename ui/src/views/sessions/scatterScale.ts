import { finishedOf, type SessionSet } from '../../data/SessionSet';
import type { Size } from '../../kit/useCanvas';
import { percentile, sortedValues } from './statistics';

/** Where a session is in the scatter: when its work was done to the right, how long that took upwards on a log scale. */
export type ScatterScale = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  fromS: number;
  toS: number;
  /** How much later than the right end now is; 0 when the axis goes up to now. */
  laterS: number;
  lowS: number;
  highS: number;
};

const MARGIN = { left: 52, right: 96, top: 14, bottom: 24 };
/** Farther than this share of the axis away, now is not worth its room. */
const LONGEST_PAUSE = 0.25;

export function scatterScale(set: SessionSet, { width, height }: Size): ScatterScale {
  const totals = sortedValues(finishedOf(set), set.work);
  const length = Math.max(set.lastEndS - set.firstS, 1e-3);
  const near = set.nowS - set.lastEndS <= LONGEST_PAUSE * length;
  const toS = near ? set.nowS : set.lastEndS + 0.02 * length;
  // A few sessions dropped at once must not take three decades of the axis: they sit at its foot.
  const low = totals.length === 0 ? 1 : Math.max(percentile(totals, 0.02) / 2, 1e-3);
  const high = totals.length === 0 ? largestAge(set) : totals[totals.length - 1]! * 1.4;
  return {
    left: MARGIN.left,
    right: Math.max(MARGIN.left + 1, width - MARGIN.right),
    top: MARGIN.top,
    bottom: Math.max(MARGIN.top + 1, height - MARGIN.bottom),
    fromS: set.firstS,
    toS: Math.max(toS, set.firstS + 1e-3),
    laterS: near ? 0 : set.nowS - set.lastEndS,
    lowS: Math.min(low, high / 2),
    highS: high,
  };
}

function largestAge(set: SessionSet): number {
  return Math.max(1, set.work.reduce((a, b) => Math.max(a, b), 0) * 1.2);
}

export function xOf(scale: ScatterScale, s: number): number {
  return scale.left + ((s - scale.fromS) / (scale.toS - scale.fromS)) * (scale.right - scale.left);
}

export function yOf(scale: ScatterScale, total: number): number {
  const share = Math.log(total / scale.lowS) / Math.log(scale.highS / scale.lowS);
  return scale.bottom - Math.min(1, Math.max(0, share)) * (scale.bottom - scale.top);
}

export function timeAt(scale: ScatterScale, x: number): number {
  return scale.fromS + ((x - scale.left) / (scale.right - scale.left)) * (scale.toS - scale.fromS);
}

export function totalAt(scale: ScatterScale, y: number): number {
  const share = (scale.bottom - y) / (scale.bottom - scale.top);
  return scale.lowS * (scale.highS / scale.lowS) ** share;
}

const TICKS = [
  0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18_000, 43_200,
  86_400, 259_200, 864_000,
];

/** Round durations on the axis, not closer than 26 pixels. */
export function totalTicks(scale: ScatterScale): number[] {
  const ticks: number[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const s of TICKS) {
    if (s < scale.lowS || s > scale.highS) continue;
    const y = yOf(scale, s);
    if (last - y < 26) continue;
    ticks.push(s);
    last = y;
  }
  return ticks;
}

/** Screen places of all sessions; unfinished ones at the edge, at their age. */
export function placePoints(set: SessionSet, scale: ScatterScale): { x: Float32Array; y: Float32Array } {
  const x = new Float32Array(set.size);
  const y = new Float32Array(set.size);
  for (let i = 0; i < set.size; i++) {
    x[i] = set.unfinished[i] ? scale.right + EDGE_GAP : xOf(scale, set.end[i]!);
    y[i] = yOf(scale, set.work[i]!);
  }
  return { x, y };
}

/** Room between the line of now and the arrows. */
export const EDGE_GAP = 8;
