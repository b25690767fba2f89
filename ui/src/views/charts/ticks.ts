import { value } from '../../text/value';

/** Shorter than a value: 20 s, not 20.0 s. */
export function tickText(tick: number, unit: string): string {
  const text = value(tick, ['s', 'ms', 'By'].includes(unit) ? unit : '');
  return text.replace(/\.(\d*?)0+(?= |$)/, (_all, digits) => (digits ? `.${digits}` : ''));
}

/** An edge between buckets of a histogram. */
export function edgeText(edge: number, unit: string): string {
  if (edge === Number.POSITIVE_INFINITY) return '∞';
  if (edge === Number.NEGATIVE_INFINITY) return '−∞';
  return tickText(edge, unit);
}
