import type { BoardRow } from './LiveBoard';

/** An unfinished session and how late it is. Times are absolute, so that ages grow without new objects. */
export type OpenWork = {
  row: BoardRow;
  since_s: number;
  usual_s: number | null;
};

export type OverdueSort = 'ratio' | 'lost';

/** A session is overdue beyond twice what is usual (contracts.md 4.10); beyond once it is merely late. */
export const OVERDUE_RATIO = 2;

export function ageOf(work: OpenWork, nowS: number): number {
  return Math.max(0, nowS - work.since_s);
}

/** Age ÷ usual p95; null while there is no usual. */
export function ratioOf(work: OpenWork, nowS: number): number | null {
  return work.usual_s === null || work.usual_s <= 0 ? null : ageOf(work, nowS) / work.usual_s;
}

/** Time beyond usual p95. */
export function lostOf(work: OpenWork, nowS: number): number {
  return work.usual_s === null ? 0 : Math.max(0, ageOf(work, nowS) - work.usual_s);
}

export function isOverdue(work: OpenWork, nowS: number): boolean {
  return (ratioOf(work, nowS) ?? 0) > OVERDUE_RATIO;
}

/** Everything open, worst first: by ratio as the API orders it, or by time lost. */
export function rankOpenWork(
  rows: Iterable<BoardRow>,
  usual: ReadonlyMap<string, number>,
  nowS: number,
  sort: OverdueSort = 'ratio',
): OpenWork[] {
  const keyed: { work: OpenWork; key: number }[] = [];
  for (const row of rows) {
    if (row.since_s === null) continue;
    const known = row.open_span === null ? undefined : usual.get(row.open_span);
    const work = { row, since_s: row.since_s, usual_s: known ?? row.usual_p95_s };
    keyed.push({ work, key: sort === 'lost' ? lostOf(work, nowS) : (ratioOf(work, nowS) ?? -1) });
  }
  keyed.sort(
    (a, b) =>
      b.key - a.key || a.work.since_s - b.work.since_s || (a.work.row.session < b.work.row.session ? -1 : 1),
  );
  return keyed.map((k) => k.work);
}
