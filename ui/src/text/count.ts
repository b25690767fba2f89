const GROUPED = new Intl.NumberFormat('en-US');

/** 13,824 */
export function count(n: number): string {
  return GROUPED.format(n);
}

const FOUR_DIGITS = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const SHORT = new Intl.NumberFormat('en-US', { notation: 'scientific', maximumFractionDigits: 2 });

/** 0.7123, 88, 13,824, 1.23E-7: rewards and tokens where there is little room */
export function fourDigits(n: number): string {
  const size = Math.abs(n);
  if (n !== 0 && (size < 1e-4 || size >= 1e12)) return SHORT.format(n);
  return size >= 1000 ? count(Math.round(n)) : FOUR_DIGITS.format(n);
}

/** "1 session", "2 sessions" */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** 8.1×, 14×, >99× */
export function times(ratio: number): string {
  if (ratio >= 99.5) return '>99×';
  return ratio >= 9.95 ? `${Math.round(ratio)}×` : `${ratio.toFixed(1)}×`;
}

/** 46.5 %, < 0.1 %, 0 % */
export function percent(share: number): string {
  if (share === 0) return '0 %';
  if (share < 0.0005) return '< 0.1 %';
  return `${(share * 100).toFixed(1)} %`;
}
