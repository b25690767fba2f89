import type { SessionSet } from '../../data/SessionSet';
import type { Steps } from './steps';

/** What is chosen on this page. Each part filters every other part, but not itself. */
export type Selection = {
  status?: string | undefined;
  reason?: string | undefined;
  step?: string | undefined;
  task?: string | undefined;
  worker?: string | undefined;
  /** Ended between, in epoch seconds. Without an upper end, unfinished sessions are in it. */
  finish?: Range | undefined;
  total?: Range | undefined;
};

export type Range = { from: number; to: number };

/** One bit for each part that a session is outside of. */
export const STATUS = 1;
export const REASON = 2;
export const STEP = 4;
export const TASK = 8;
export const WORKER = 16;
export const BRUSH = 32;

/** For each session the parts of the selection that it is outside of: 0 is selected. */
export function misses(set: SessionSet, steps: Steps, selection: Selection): Uint8Array {
  const miss = new Uint8Array(set.size);
  const choose = (bit: number, column: Int32Array, names: readonly string[], wanted: string | undefined) => {
    if (wanted === undefined) return;
    const place = wanted === NONE ? -1 : names.indexOf(wanted);
    const nowhere = wanted !== NONE && place < 0;
    for (let i = 0; i < miss.length; i++) if (nowhere || column[i] !== place) miss[i]! |= bit;
  };
  choose(STATUS, set.status, set.statuses, selection.status);
  choose(REASON, set.reason, set.reasons, selection.reason);
  choose(STEP, steps.of, steps.keys, selection.step);
  choose(TASK, set.task, set.tasks, selection.task);
  choose(WORKER, set.worker, set.workers, selection.worker);
  brush(set, miss, selection);
  return miss;
}

/** In the address: sessions that name none. */
export const NONE = '(none)';

function brush(set: SessionSet, miss: Uint8Array, { finish, total }: Selection): void {
  if (finish) {
    for (let i = 0; i < miss.length; i++) {
      const inside = set.unfinished[i]
        ? finish.to === Number.POSITIVE_INFINITY
        : set.end[i]! >= finish.from && set.end[i]! <= finish.to;
      if (!inside) miss[i]! |= BRUSH;
    }
  }
  if (total) {
    for (let i = 0; i < miss.length; i++) {
      if (set.work[i]! < total.from || set.work[i]! > total.to) miss[i]! |= BRUSH;
    }
  }
}

/** Sessions that are outside of nothing but what `except` names. */
export function chosen(miss: Uint8Array, except = 0): Uint32Array {
  const rows = new Uint32Array(miss.length);
  let n = 0;
  for (let i = 0; i < miss.length; i++) if ((miss[i]! & ~except) === 0) rows[n++] = i;
  return rows.slice(0, n);
}

/** `312..600`, `312..` */
export function parseRange(text: string | undefined): Range | undefined {
  const match = /^([-\d.e+]*)\.\.([-\d.e+]*)$/.exec(text ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const from = match[1] === '' ? Number.NEGATIVE_INFINITY : Number(match[1]);
  const to = match[2] === '' ? Number.POSITIVE_INFINITY : Number(match[2]);
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to };
}

export function formatRange({ from, to }: Range, digits = 3): string {
  const text = (n: number) => (Number.isFinite(n) ? String(Number(n.toFixed(digits))) : '');
  return `${text(from)}..${text(to)}`;
}

export type Counted = { name: string; count: number };

/** How many of these rows have which value; the most frequent first, those without a value last as NONE. */
export function tally(rows: Uint32Array, column: Int32Array, names: readonly string[]): Counted[] {
  const counts = new Uint32Array(names.length + 1);
  for (const row of rows) counts[column[row]! + 1]!++;
  const named = names.map((name, i) => ({ name, count: counts[i + 1]! })).filter((c) => c.count > 0);
  named.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return counts[0]! > 0 ? [...named, { name: NONE, count: counts[0]! }] : named;
}
