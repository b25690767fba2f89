export type Rgb = readonly [number, number, number];

export function parseHex(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** `share` of a and the rest of b. */
export function mix(a: string, b: string, share: number): string {
  const [x, y] = [parseHex(a), parseHex(b)];
  const part = (i: 0 | 1 | 2) => Math.round(x[i] * share + y[i] * (1 - share));
  return `#${[part(0), part(1), part(2)].map((v) => v.toString(16).padStart(2, '0')).join('')}`;
}

/** One channel, 0 to 255, as linear light. */
export function linear(channel: number): number {
  const v = channel / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

/** Relative luminance, 0 to 1. */
export function luminance(hex: string): number {
  const [r, g, b] = parseHex(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Text that is readable on a colour. */
export function inkOn(hex: string): string {
  return luminance(hex) > 0.22 ? '#0B0D10' : '#FFFFFF';
}
