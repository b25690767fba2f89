import type { BoardRow, BoardState } from '../../data/LiveBoard';
import { isOverdue, type OpenWork } from '../../data/overdue';
import type { LiveWorker } from '../../data/types';

/** A worker as the sessions in view tell it. */
export type WorkerLine = {
  worker: string;
  inFlight: number;
  overdue: number;
  failed: number;
  /** When its longest open work began. */
  oldestSinceS: number | null;
  lastS: number | null;
  state: LiveWorker['state'] | null;
};

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** One line per worker, by name; with filters, of the workers in view. What the server knows of a worker goes before what its rows tell. */
export function workerLines(
  rows: Iterable<BoardRow>,
  work: readonly OpenWork[],
  told: readonly LiveWorker[],
  filtered = false,
): WorkerLine[] {
  const lines = new Map<string, WorkerLine>();
  const line = (worker: string): WorkerLine => {
    let found = lines.get(worker);
    if (!found) {
      found = { worker, inFlight: 0, overdue: 0, failed: 0, oldestSinceS: null, lastS: null, state: null };
      lines.set(worker, found);
    }
    return found;
  };
  for (const row of rows) {
    if (row.worker === null) continue;
    const entry = line(row.worker);
    if (row.status === 'failed') entry.failed++;
    entry.lastS = latest(entry.lastS, row.latest_timestamp_s);
  }
  for (const open of work) {
    if (open.row.worker === null) continue;
    const entry = line(open.row.worker);
    entry.inFlight++;
    if (isOverdue(open)) entry.overdue++;
    if (entry.oldestSinceS === null || open.since_s < entry.oldestSinceS) entry.oldestSinceS = open.since_s;
  }
  for (const { worker, state, last_event_s } of told) {
    if (filtered && !lines.has(worker)) continue;
    const entry = line(worker);
    entry.state = state;
    entry.lastS = latest(entry.lastS, last_event_s);
  }
  return [...lines.values()].sort((a, b) => COLLATOR.compare(a.worker, b.worker));
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** When a worker was last heard of; null if nobody knows. */
export function workerNews(state: BoardState, worker: string): number | null {
  let last = state.report?.workers?.find((w) => w.worker === worker)?.last_event_s ?? null;
  for (const row of state.rows.values())
    if (row.worker === worker) last = latest(last, row.latest_timestamp_s);
  return last;
}
