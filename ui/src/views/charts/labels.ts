import type { Metric } from '../../data/metricTypes';
import { naturalKey } from '../../text/natural';

/** Labels of these metrics, those with more than one value first. */
export function labelNames(metrics: readonly Metric[]): { name: string; values: number }[] {
  const values = new Map<string, Set<string>>();
  for (const { labels } of metrics) {
    for (const [name, some] of Object.entries(labels)) {
      const known = values.get(name) ?? new Set();
      for (const value of some) known.add(value);
      values.set(name, known);
    }
  }
  return [...values]
    .map(([name, known]) => ({ name, values: known.size }))
    .sort((a, b) => Number(b.values > 1) - Number(a.values > 1) || (a.name < b.name ? -1 : 1));
}

/** label:value, as the API's parameter `where` takes it. */
export function labelValues(metrics: readonly Metric[]): string[] {
  const all = new Set<string>();
  for (const { labels } of metrics) {
    for (const [name, values] of Object.entries(labels))
      for (const value of values) all.add(`${name}:${value}`);
  }
  return [...all].sort((a, b) => (naturalKey(a) < naturalKey(b) ? -1 : 1));
}
