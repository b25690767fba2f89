import type { Metric } from '../../data/metricTypes';

/** What RL-Insight's clients put in front of every name. */
const NAMESPACE = /^rl_insight_monitor_/;

/** How a metric is called in a chart. */
export function shortName(name: string): string {
  return name.replace(NAMESPACE, '');
}

/** One spelling for `actor/pg_loss`, `actor.pg_loss` and `rl_insight_monitor_actor_pg_loss`; counters without their suffix. */
export function nameKey(name: string): string {
  return shortName(name)
    .replace(/[/.-]/g, '_')
    .replace(/_total$/, '')
    .toLowerCase();
}

export function isHistogram({ kind }: Pick<Metric, 'kind'>): boolean {
  return kind.endsWith('histogram');
}

/** What only grows, or tells what was added: shown as a rate. */
export function isCounter(metric: Pick<Metric, 'kind' | 'monotonic' | 'temporality'>): boolean {
  return !isHistogram(metric) && (metric.monotonic === true || metric.temporality === 'delta');
}

/** The unit as sent, else as the name tells it; '' where nobody knows. */
export function unitOf({ name, unit }: Pick<Metric, 'name' | 'unit'>): string {
  if (unit) return unit.startsWith('{') ? unit.slice(1, -1) : unit;
  const key = nameKey(name);
  if (/_seconds$|(^|_)timing_s_|_time_s$/.test(key)) return 's';
  if (/_bytes$/.test(key)) return 'By';
  if (/_ms$|timing_per_token_ms_/.test(key)) return 'ms';
  if (/_gb$/.test(key)) return 'GB';
  return '';
}
