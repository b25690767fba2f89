import { useSyncExternalStore } from 'react';
import { formatAddress, parseAddress, type Route, type ViewName } from './address';

// The address is the store. Change it with push (a new place: the Back button returns) or replace (the same place, seen
// differently: typing, sorting, zooming).
const listeners = new Set<() => void>();
let current: Route = read();

function read(): Route {
  return parseAddress(globalThis.location?.hash ?? '');
}

function announce(): void {
  current = read();
  for (const listener of listeners) listener();
}

globalThis.addEventListener?.('hashchange', announce);
globalThis.addEventListener?.('popstate', announce);

export function currentRoute(): Route {
  return current;
}

export function useRoute(): Route {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** One parameter of the address; a view re-renders only when this one changes. */
export function useParam(key: string): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current.params[key],
  );
}

export function push(route: Route): void {
  const address = formatAddress(route);
  if (address === formatAddress(current)) return;
  history.pushState(null, '', address);
  announce();
}

export function replace(route: Route): void {
  history.replaceState(null, '', formatAddress(route));
  announce();
}

/** Sets parameters of the current view; undefined or '' removes one. */
export function setParams(
  changes: Record<string, string | undefined>,
  how: 'push' | 'replace' = 'replace',
): void {
  const params: Record<string, string> = { ...current.params };
  for (const [key, value] of Object.entries(changes)) {
    if (value) params[key] = value;
    else delete params[key];
  }
  (how === 'push' ? push : replace)({ ...current, params });
}

/** Filters that go along from view to view. */
const SHARED = ['scope', 'batch', 'stage', 'status', 'task', 'worker', 'q'];

/** Takes every filter off that chooses sessions; the scope stays. */
export function clearFilters(): void {
  setParams(Object.fromEntries(SHARED.filter((k) => k !== 'scope').map((k) => [k, undefined])), 'push');
}

/** Another view of a run, with the filters of this one if it is the same run. */
export function routeTo(view: ViewName, run: string, session: string | null = null): Route {
  const params: Record<string, string> = {};
  if (run === current.run && session === null) {
    for (const key of SHARED) if (current.params[key]) params[key] = current.params[key];
  }
  return { view, run, session, params };
}

export function sessionAddress(run: string, session: string): string {
  return formatAddress({ view: 'session', run, session, params: {} });
}
