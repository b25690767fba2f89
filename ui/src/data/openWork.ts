import { type BoardState, usualBySpan } from './LiveBoard';
import { isOverdue, type OpenWork, type OverdueSort, rankOpenWork } from './overdue';

const ranked = new WeakMap<BoardState['rows'], Map<string, OpenWork[]>>();

/** Open work of a board, worst first. Several components ask for the same message, so it is ranked once. */
export function openWork(state: BoardState, sort: OverdueSort = 'ratio'): OpenWork[] {
  const nowS = state.report?.generated_at_s ?? 0;
  let known = ranked.get(state.rows);
  if (!known) {
    known = new Map();
    ranked.set(state.rows, known);
  }
  const key = `${sort} ${nowS}`;
  let work = known.get(key);
  if (!work) {
    for (const old of known.keys()) if (!old.endsWith(` ${nowS}`)) known.delete(old);
    work = rankOpenWork(
      state.rows.values(),
      usualBySpan(state.report?.open_span_summaries ?? []),
      nowS,
      sort,
    );
    known.set(key, work);
  }
  return work;
}

/** How many sessions of the run are overdue, whatever is filtered. */
export function overdueOfRun(state: BoardState): number {
  return state.report?.overdue ?? overdueCount(state);
}

export function overdueCount(state: BoardState): number {
  return openWork(state).filter(isOverdue).length;
}
