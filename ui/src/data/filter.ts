import { useMemo } from 'react';
import type { Route } from '../route/address';
import { useRoute } from '../route/useRoute';

/** What the chips of the filter bar choose; names are those of the API's parameters and of the address. */
export const FILTER_KEYS = ['scope', 'batch', 'status', 'stage', 'task', 'worker', 'q'] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];
export type Filter = Partial<Record<FilterKey, string>>;

export function filterOf(route: Route): Filter {
  const filter: Filter = {};
  for (const key of FILTER_KEYS) {
    const value = route.params[key];
    if (value) filter[key] = value;
  }
  return filter;
}

/** The same filters in one text, for keys of effects and caches. */
export function filterKey(filter: Filter): string {
  return FILTER_KEYS.map((key) => filter[key] ?? '').join('\n');
}

/** The filter in the address; the same object as long as it says the same. */
export function useFilter(): Filter {
  const filter = filterOf(useRoute());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all that the filter says
  return useMemo(() => filter, [filterKey(filter)]);
}
