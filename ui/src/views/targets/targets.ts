import type { Target } from '../../data/metricTypes';

export type TargetState = 'down' | 'unknown' | 'up';

export function stateOf({ up }: Target): TargetState {
  return up === null ? 'unknown' : up ? 'up' : 'down';
}

/** Two jobs may read one address. */
export function targetKey({ job, target }: Target): string {
  return `${job}\n${target}`;
}

/** Down first, because that is why one looks. */
const ORDER: Record<TargetState, number> = { down: 0, unknown: 1, up: 2 };

export function sortValue(target: Target, key: string): string | number | null {
  switch (key) {
    case 'state':
      return `${ORDER[stateOf(target)]} ${target.job} ${target.target}`;
    case 'since':
      return target.since_s ?? null;
    case 'last':
      return target.last_scrape_s;
    case 'duration':
      return target.last_duration_s;
    case 'samples':
      return target.samples;
    case 'labels':
      return labelText(target);
    case 'job':
    case 'run':
    case 'source':
    case 'error':
      return target[key];
    default:
      return target.target;
  }
}

export function labelText({ labels }: Target): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** “2 of 3 are down”, “All 3 are up”. */
export function summary(targets: readonly Target[]): string {
  const down = targets.filter((t) => stateOf(t) === 'down').length;
  const unknown = targets.filter((t) => stateOf(t) === 'unknown').length;
  const n = targets.length;
  const of = n === 1 ? 'The only target' : `All ${n} targets`;
  if (down === n) return `${of} ${n === 1 ? 'is' : 'are'} down`;
  const waits = unknown > 0 ? `; ${unknown} not read yet` : '';
  if (down > 0) return `${down} of ${n} targets ${down === 1 ? 'is' : 'are'} down${waits}`;
  return unknown === 0
    ? `${of} ${n === 1 ? 'is' : 'are'} up`
    : `${n - unknown} of ${n} targets are up${waits}`;
}
