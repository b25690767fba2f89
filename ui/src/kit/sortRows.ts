import type { Sort } from './DataTable';

const COLLATOR = new Intl.Collator(undefined, { numeric: true });
type Value = string | number | null | undefined;

/** A sorted copy; what is not known comes last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: Sort,
  value: (row: Row, key: string) => Value,
): Row[] {
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a, sort.key), value(b, sort.key)];
    if (x == null || y == null) return Number(x == null) - Number(y == null);
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * COLLATOR.compare(String(x), String(y));
  });
}

/** The sort as it stands in the address: `wall` or `-wall`. */
export function parseSort(text: string | undefined, usual: Sort): Sort {
  if (!text) return usual;
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

/** What a click on a head makes of the sort: the other direction, or another column. */
export function nextSort(sort: Sort, key: string, descendingFirst = true): string {
  const descending = sort.key === key ? !sort.descending : descendingFirst;
  return descending ? `-${key}` : key;
}
