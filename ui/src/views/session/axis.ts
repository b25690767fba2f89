/** Round steps of a time axis: 1, 2, 5 of each decade below a minute, then what clocks have. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];

export type TimeWindow = { from: number; to: number };

/** Round times inside a window, at most `most`. */
export function timeTicks({ from, to }: TimeWindow, most: number): number[] {
  const wanted = (to - from) / Math.max(1, most);
  if (!(wanted > 0)) return [from];
  const step = roundStep(wanted);
  const ticks: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to * (1 + 1e-12); k++) ticks.push(k * step);
  return ticks;
}

function roundStep(wanted: number): number {
  if (wanted >= 1) return STEPS.find((s) => s >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((m) => m * decade).find((s) => s >= wanted * (1 - 1e-9))!;
}

/** The part around `at` that is `factor` of the window, inside of [0, whole]. */
export function zoom(window: TimeWindow, at: number, factor: number, whole: number): TimeWindow {
  const length = Math.min(whole, Math.max(whole * 1e-9, (window.to - window.from) * factor));
  const share = (at - window.from) / (window.to - window.from);
  const from = Math.min(whole - length, Math.max(0, at - share * length));
  return { from, to: from + length };
}

/** The window moved by a share of itself, inside of [0, whole]. */
export function pan({ from, to }: TimeWindow, share: number, whole: number): TimeWindow {
  const move = Math.min(whole - to, Math.max(-from, (to - from) * share));
  return { from: from + move, to: to + move };
}
