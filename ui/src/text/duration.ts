/** A duration as pairs of figure and unit, three significant figures: 33.3 s, 4 m 31 s, 352 ms. */
export type DurationPart = { figure: string; unit: string };

export function durationParts(seconds: number): DurationPart[] {
  if (!Number.isFinite(seconds)) return [{ figure: '–', unit: '' }];
  if (seconds < 0) return durationParts(-seconds).map((p, i) => (i ? p : { ...p, figure: `−${p.figure}` }));
  if (seconds === 0) return [{ figure: '0', unit: 's' }];
  if (seconds < 0.9995e-3) return [{ figure: figures(seconds * 1e6), unit: 'µs' }];
  if (seconds < 0.9995) return [{ figure: figures(seconds * 1e3), unit: 'ms' }];
  if (seconds < 59.95) return [{ figure: figures(seconds), unit: 's' }];
  const whole = Math.round(seconds);
  if (whole < 3600) return pair(Math.floor(whole / 60), 'm', whole % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'm');
  const hours = Math.round(seconds / 3600);
  if (hours >= 2400) return [{ figure: String(Math.round(hours / 24)), unit: 'd' }];
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function pair(big: number, bigUnit: string, small: number, smallUnit: string): DurationPart[] {
  return [
    { figure: String(big), unit: bigUnit },
    { figure: String(small).padStart(2, '0'), unit: smallUnit },
  ];
}

/** Three significant figures, without an exponent. */
function figures(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  if (value >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

/** The same as plain text, for sentences and titles. */
export function duration(seconds: number): string {
  return durationParts(seconds)
    .map((p) => (p.unit ? `${p.figure} ${p.unit}` : p.figure))
    .join(' ');
}

/** A sentence in which no duration or percentage is broken at the end of a line. */
export function unbroken(sentence: string): string {
  return sentence.replace(/(?<=\d) (?=(?:ms|µs|[smhd])\b|%)|(?<=\d [mhd]) (?=\d)/g, '\u00a0');
}

/** For small cells: 4m31, 52s, 1h02. */
export function shortDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  const two = (n: number) => String(n).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h${two(Math.floor((whole % 3600) / 60))}`;
  return `${Math.round(whole / 86_400)}d`;
}

/** Every digit there is, for hovering. */
export function exactDuration(seconds: number): string {
  return Number.isFinite(seconds) ? `${Number(seconds.toFixed(9))} s` : 'not known';
}
