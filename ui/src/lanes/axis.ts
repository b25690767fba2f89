import { clock } from '../text/time';

/** What part of the time is in sight; seconds from the table's origin, or from each lane's start. */
export type Span = { from: number; to: number };

const STEPS_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
];

/** A round distance between ticks, so that labels have room. */
export function tickStep(view: Span, width: number, labelPx: number): number {
  const least = ((view.to - view.from) / Math.max(1, width)) * labelPx;
  const round = STEPS_S.find((s) => s >= least);
  if (least > 0.5 && round) return round;
  const power = 10 ** Math.floor(Math.log10(least));
  const of = [1, 2, 5, 10].find((m) => m * power >= least) ?? 10;
  return of * power;
}

/** Ticks at round times of the day (`offsetS` is the epoch time of zero) or at round distances. */
export function ticks(view: Span, width: number, labelPx: number, offsetS: number): number[] {
  const step = tickStep(view, width, labelPx);
  const zone = offsetS === 0 ? 0 : -new Date(offsetS * 1000).getTimezoneOffset() * 60;
  const shift = offsetS + zone;
  const first = Math.ceil((view.from + shift) / step);
  const last = Math.floor((view.to + shift) / step);
  const all: number[] = [];
  for (let n = first; n <= last && all.length < 1000; n++) all.push(n * step - shift);
  return all;
}

/** 03:22:46, with as many decimals as the step needs. */
export function clockTick(epochS: number, stepS: number): string {
  if (stepS >= 1) return clock(epochS);
  const decimals = Math.min(6, Math.ceil(-Math.log10(stepS)));
  // Rounded first, so that 11.9999 is 12.000 and not 11.1000.
  const rounded = Number(epochS.toFixed(decimals));
  const fraction = (rounded - Math.floor(rounded)).toFixed(decimals).slice(1);
  return clock(Math.floor(rounded)) + fraction;
}

/** 1 m 30 s after the start of the lane: +90 s, +1:30. */
export function relativeTick(s: number, stepS: number): string {
  if (stepS < 1) return `+${s.toFixed(Math.min(6, Math.ceil(-Math.log10(stepS))))} s`;
  const whole = Math.round(s);
  const two = (n: number) => String(n).padStart(2, '0');
  if (whole < 60) return `+${whole} s`;
  if (whole < 3600) return `+${Math.floor(whole / 60)}:${two(whole % 60)}`;
  return `+${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
}

/** Keeps a wish inside the whole, and not narrower than a microsecond. */
export function within(whole: Span, wish: Span): Span {
  const most = (whole.to - whole.from) * 1.2;
  const width = Math.min(Math.max(wish.to - wish.from, 1e-6), Math.max(most, 1e-6));
  const slack = (whole.to - whole.from) * 0.1;
  const from = Math.min(Math.max(wish.from, whole.from - slack), whole.to + slack - width);
  return { from, to: from + width };
}

export function zoomed(view: Span, at: number, factor: number): Span {
  return { from: at - (at - view.from) * factor, to: at + (view.to - at) * factor };
}

const SILENCE = 0.9;

/**
 * The stretch in which things happen. A clock that counts from boot or a span open since last month would leave a picture of nothing,
 * so while one silence takes nine tenths of it, the side with fewer times is left out.
 */
export function mainStretch(times: Float64Array, nowS: number): Span {
  if (times.length === 0) return { from: 0, to: 1 };
  const sorted = times.slice().sort();
  let low = 0;
  let high = sorted.length - 1;
  while (high > low) {
    let widest = low;
    for (let i = low; i < high; i++) {
      if (sorted[i + 1]! - sorted[i]! > sorted[widest + 1]! - sorted[widest]!) widest = i;
    }
    if (sorted[widest + 1]! - sorted[widest]! < (sorted[high]! - sorted[low]!) * SILENCE || high - low < 8)
      break;
    if (widest - low >= high - widest - 1) high = widest;
    else low = widest + 1;
  }
  const [from, last] = [sorted[low]!, sorted[high]!];
  const showsNow = nowS >= last && nowS - last <= Math.max(last - from, 1);
  const to = showsNow ? nowS : last;
  return { from, to: to > from ? to : from + 1 };
}
