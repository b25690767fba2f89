import { placeOf } from '../colour/waits';
import type { Filter } from './filter';
import type { BoardState } from './LiveBoard';
import { type SessionSummary, STATUSES } from './types';

/** Sessions that the filters let through, counted; everything in scope while nothing is filtered. */
export type InView = { summary: SessionSummary; stages: Record<string, number> };

/** Most rows that a board has: the server counts further, rows do not. */
const MOST_ROWS = 1000;

/** Whether rows are chosen by more than the scope, of which the server's own counts are. */
export function choosesRows(filter: Filter): boolean {
  return Boolean(filter.status || filter.stage || filter.task || filter.worker || filter.q);
}

const counted = new WeakMap<BoardState['rows'], InView>();

export function inView(state: BoardState): InView | null {
  const { report, rows } = state;
  if (!report) return null;
  if (!state.filtered || rows.size >= MOST_ROWS) {
    return { summary: report.session_summary, stages: places(report.task_summary.current_stage_counts) };
  }
  let found = counted.get(rows);
  if (!found) {
    found = count(rows);
    counted.set(rows, found);
  }
  return found;
}

function count(rows: BoardState['rows']): InView {
  const summary = { total: rows.size } as SessionSummary;
  for (const status of STATUSES) summary[status] = 0;
  const stages: Record<string, number> = {};
  for (const { status, stage } of rows.values()) {
    summary[status]++;
    if (status === 'running' && stage !== null) stages[stage] = (stages[stage] ?? 0) + 1;
  }
  return { summary, stages };
}

function places(stages: Record<string, number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [stage, n] of Object.entries(stages)) counts[placeOf(stage)] = (counts[placeOf(stage)] ?? 0) + n;
  return counts;
}

/** Sessions that have not ended. */
export function unfinished(summary: SessionSummary): number {
  return summary.running + summary.queued;
}
