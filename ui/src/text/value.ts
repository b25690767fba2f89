import { duration, exactDuration } from './duration';

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** A measured value in few figures: 0.4213, 1,234, 12.3 M, 1.2e-7. The unit decides how it is told where people expect it. */
export function value(v: number | null | undefined, unit = ''): string {
  if (v === null || v === undefined || !Number.isFinite(v)) return '–';
  if (unit === 's') return duration(v);
  if (unit === 'ms') return duration(v / 1000);
  if (unit === 'By') return `${scaled(v)}B`;
  const suffix = wordOf(unit);
  return suffix ? `${plain(v)} ${suffix}` : plain(v);
}

/** Every digit there is, for hovering and tables. */
export function exactValue(v: number | null | undefined, unit = ''): string {
  if (v === null || v === undefined || !Number.isFinite(v)) return 'nothing';
  if (unit === 's') return exactDuration(v);
  const suffix = unit === 'By' ? 'bytes' : unit === 'ms' ? 'ms' : wordOf(unit);
  const digits = Math.abs(v) < 1e21 && (v === 0 || Math.abs(v) >= 1e-6) ? GROUPED.format(v) : String(v);
  return suffix ? `${digits} ${suffix}` : digits;
}

/** 1 is no unit. */
function wordOf(unit: string): string {
  return unit === '1' ? '' : unit;
}

function plain(v: number): string {
  const size = Math.abs(v);
  if (size !== 0 && size < 1e-4) return minus(v.toExponential(2).replace(/\.?0+e/, 'e'));
  if (size >= 99_999.5) return scaled(v).trimEnd();
  if (size >= 999.5) return minus(GROUPED.format(Math.round(v)));
  return minus(String(Number(v.toPrecision(4))));
}

/** 12.3 M, with the space for its unit behind it. */
function scaled(v: number): string {
  const size = Math.abs(v);
  const steps: readonly (readonly [number, string])[] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  if (size >= 1e15) return `${minus(v.toExponential(2).replace('+', ''))} `;
  const [by, letter] = steps.find(([s]) => size >= s * 0.9995) ?? [1, ''];
  return `${minus(String(Number((v / by).toPrecision(3))))} ${letter}`;
}

function minus(text: string): string {
  return text.replace('-', '−').replace('e−', 'e-');
}
