import type { BoardRow } from './LiveBoard';

/** An unfinished session and how late it is. Times are absolute, so that ages grow without new objects. */
export type OpenWork = {
  row: BoardRow;
  since_s: number;
  usual_s: number | null;
};

export type OverdueSort = 'ratio' | 'lost';

/** From here on late work is called stuck. */
const STUCK_S = 10;

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

/** Whether it takes longer than it should: what is told says so (contracts.md 4.10), the page has no rule of its own. */
export function isOverdue(work: OpenWork): boolean {
  return work.row.suspect;
}

export function isStuck(ageS: number): boolean {
  return ageS > STUCK_S;
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
