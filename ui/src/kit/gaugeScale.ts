// One log scale for every age gauge on the page, so that rows can be compared.
const FROM = Math.log10(0.05);
const TO = Math.log10(3600);

export const GAUGE_TICKS: readonly (readonly [number, string])[] = [
  [0.1, '0.1 s'],
  [1, '1 s'],
  [10, '10 s'],
  [60, '1 m'],
  [600, '10 m'],
];

/** Where a duration is on a gauge of that width. */
export function gaugeX(seconds: number, width: number): number {
  const share = (Math.log10(Math.max(seconds, 1e-6)) - FROM) / (TO - FROM);
  return Math.round(Math.min(1, Math.max(0, share)) * width * 10) / 10;
}
