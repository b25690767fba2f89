import type { SessionSet } from '../../data/SessionSet';
import type { Sort } from '../../kit/DataTable';
import type { Steps } from './steps';

export const SORT_KEYS = [
  'session',
  'task',
  'step',
  'status',
  'reason',
  'work',
  'total',
  'busy',
  'queue',
  'gap',
  'siblings',
  'barrier',
  'unaccounted',
  'spans',
  'errors',
  'reward',
  'inputTokens',
  'outputTokens',
  'worker',
  'started',
  'ended',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** These rows in another order; equal ones stay in order of start, unknown values come last in both directions. */
export function sortSessions(rows: Uint32Array, set: SessionSet, steps: Steps, sort: Sort): Uint32Array {
  const key = sortValues(set, steps, sort.key as SortKey);
  const sign = sort.descending ? -1 : 1;
  return rows.slice().sort((a, b) => {
    const [x, y] = [key[a]!, key[b]!];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
}

/** A number per session that sorts as its column does. */
function sortValues(set: SessionSet, steps: Steps, key: SortKey): Float64Array {
  switch (key) {
    case 'session':
      return idRanks(set);
    case 'task':
      return ranked(set.task, set.tasks);
    case 'status':
      return ranked(set.status, set.statuses);
    case 'reason':
      return ranked(set.reason, set.reasons);
    case 'worker':
      return ranked(set.worker, set.workers);
    case 'step':
      return Float64Array.from(steps.of, (s) => (s < 0 ? Number.NaN : s));
    case 'started':
      return set.start;
    case 'ended':
      return set.end.map((s, i) => (set.unfinished[i] ? Number.NaN : s));
    case 'total':
      return set.wall;
    default:
      return set[key] ?? set.work;
  }
}

function ranked(column: Int32Array, names: readonly string[]): Float64Array {
  const rank = ranksOf(names);
  return Float64Array.from(column, (place) => (place < 0 ? Number.NaN : rank[place]!));
}

const known = new WeakMap<SessionSet, Float64Array>();

function idRanks(set: SessionSet): Float64Array {
  let ranks = known.get(set);
  if (!ranks) {
    ranks = ranksOf(set.session);
    known.set(set, ranks);
  }
  return ranks;
}

/** Numbers inside names count as numbers: r2 before r10. Keys are made once: a collator would take a second for 100,000. */
export function ranksOf(names: readonly string[]): Float64Array {
  const keys = names.map((name) =>
    name.replace(/\d+/g, (digits) => {
      const plain = digits.replace(/^0+(?=\d)/, '');
      return String.fromCharCode(0x30 + Math.min(plain.length, 0xffff)) + plain;
    }),
  );
  const order = names
    .map((_, i) => i)
    .sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b));
  const ranks = new Float64Array(names.length);
  order.forEach((place, rank) => {
    ranks[place] = rank;
  });
  return ranks;
}
