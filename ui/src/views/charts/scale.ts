type Values = readonly (number | null)[];

export type YScale = {
  min: number;
  max: number;
  /** false where a logarithmic scale was asked for, but nothing is above zero. */
  log: boolean;
  /** Values that a logarithmic scale has no place for. */
  leftOut: number;
};

/** What the y axis shows: all values with a little room; rates and other things that are never negative begin at zero if that is near. */
export function yScale(columns: readonly Values[], wantLog: boolean): YScale {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let leastAbove = Number.POSITIVE_INFINITY;
  let leftOut = 0;
  for (const column of columns) {
    for (const value of column) {
      if (value === null) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      if (value <= 0) leftOut++;
      else if (value < leastAbove) leastAbove = value;
    }
  }
  if (min > max) return { min: 0, max: 1, log: false, leftOut: 0 };
  if (wantLog && max > 0) return { min: decadeBelow(leastAbove), max: decadeAbove(max), log: true, leftOut };
  return { ...withRoom(min, max), log: false, leftOut: 0 };
}

function withRoom(min: number, max: number): { min: number; max: number } {
  if (min === max) {
    const around = Math.abs(min) * 0.1 || 1;
    return min >= 0 && min - around < 0
      ? { min: 0, max: max + around }
      : { min: min - around, max: max + around };
  }
  const room = (max - min) * 0.08;
  // Near zero is below a third of the height.
  const fromZero = min >= 0 && min <= (max - min) / 3;
  const toZero = max <= 0 && -max <= (max - min) / 3;
  return { min: fromZero ? 0 : min - room, max: toZero ? 0 : max + room };
}

/** The next of 1, 2, 5 per decade. */
function decadeBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1) * power;
}

function decadeAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (value <= power ? 1 : value <= 2 * power ? 2 : value <= 5 * power ? 5 : 10) * power;
}

/** What a logarithmic scale can draw. */
export function positive(values: Values): (number | null)[] {
  return values.map((v) => (v !== null && v > 0 ? v : null));
}

/** Round places for about that many ticks. */
export function yTicks({ min, max, log }: YScale, most: number): number[] {
  return log ? logTicks(min, max, most) : linearTicks(min, max, most);
}

function linearTicks(min: number, max: number, most: number): number[] {
  const least = (max - min) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((m) => m * power >= least) ?? 10) * power;
  const ticks: number[] = [];
  for (let n = Math.ceil(min / step); n * step <= max; n++) ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

function logTicks(min: number, max: number, most: number): number[] {
  const [from, to] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  const within = (ticks: number[]) => ticks.filter((t) => t >= min * 0.999 && t <= max * 1.001);
  const decades = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const fine = within(decades.flatMap((d) => [1, 2, 5].map((m) => Number(`${m}e${d}`))));
  if (fine.length <= most + 1) return fine;
  const every = Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
  return within(decades.filter((d) => d % every === 0).map((d) => Number(`1e${d}`)));
}
