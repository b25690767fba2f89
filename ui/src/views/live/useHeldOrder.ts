import { useRef } from 'react';

/**
 * Keeps rows where they are while somebody is about to click one.
 *
 * @returns the rows in the order to show, and how many new ones wait at the end
 */
export function useHeldOrder<T>(
  rows: readonly T[],
  key: (row: T) => string,
  held: boolean,
): { rows: readonly T[]; fresh: number } {
  const order = useRef<string[] | null>(null);
  if (!held) {
    order.current = null;
    return { rows, fresh: 0 };
  }
  order.current ??= rows.map(key);
  return holdOrder(rows, key, order.current);
}

/** Rows in the given order; those that it does not name come last. */
export function holdOrder<T>(
  rows: readonly T[],
  key: (row: T) => string,
  order: readonly string[],
): { rows: readonly T[]; fresh: number } {
  const byKey = new Map(rows.map((row) => [key(row), row]));
  const kept: T[] = [];
  for (const name of order) {
    const row = byKey.get(name);
    if (row !== undefined) kept.push(row);
    byKey.delete(name);
  }
  return { rows: [...kept, ...byKey.values()], fresh: byKey.size };
}
