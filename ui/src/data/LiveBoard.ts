import { placeOf } from '../colour/waits';
import type { Connection, LiveListener } from './source';
import type { LiveDelta, LiveReport, LiveRow, OpenSpanSummary, SessionSummary } from './types';

/** A row whose age is kept as the moment it began, so that it grows by itself. */
export type BoardRow = LiveRow & { since_s: number | null };

/** What the board shows. A new object with every message; parts that did not change keep their identity. */
export type BoardState = {
  /** null until the first snapshot. */
  report: Omit<LiveReport, 'rows'> | null;
  rows: ReadonlyMap<string, BoardRow>;
  /** Whether filters chose the rows: counts of the server are about all in scope then. */
  filtered: boolean;
  /** Another map than before only when sessions came or went: for layouts that do not depend on how they are doing. */
  members: ReadonlyMap<string, BoardRow>;
  connection: Connection;
  /** performance.now() when the last message arrived. */
  arrivedMs: number;
  /** How much later than the promptest message the last one was applied. */
  behindS: number;
  /** Sessions that ended while we watched, over the last minutes: for the rate. */
  finished: readonly FinishedSample[];
};

export type FinishedSample = { atS: number; more: number };

const HISTORY_S = 600;

const EMPTY: BoardState = {
  report: null,
  rows: new Map(),
  filtered: false,
  members: new Map(),
  connection: { state: 'connecting' },
  arrivedMs: 0,
  behindS: 0,
  finished: [],
};

/** The live board as a store outside of React: components take what they show and nothing else re-renders. */
export class LiveBoard implements LiveListener {
  private state = EMPTY;
  private readonly listeners = new Set<() => void>();
  /** Smallest difference between our clock and the server's; what is above it is delay, not clock. */
  private offsetMs = Number.POSITIVE_INFINITY;
  private nextFiltered = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): BoardState => this.state;

  /** The server's time, as far as its last message tells; stands still while the page is disconnected. */
  nowS(): number {
    const { report, arrivedMs, connection } = this.state;
    if (!report) return Date.now() / 1000;
    const since = connection.state === 'live' && !report.past ? (performance.now() - arrivedMs) / 1000 : 0;
    return report.generated_at_s + since;
  }

  /** Said before a subscription: whether filters choose the rows of the snapshot that comes. */
  expect(filtered: boolean): void {
    this.nextFiltered = filtered;
  }

  snapshot(report: LiveReport): void {
    if (this.state.filtered !== this.nextFiltered)
      this.state = { ...this.state, filtered: this.nextFiltered };
    const rows = new Map(report.rows.map((row) => [row.session, since(row, report.generated_at_s)]));
    this.take(report, rows);
  }

  delta(delta: LiveDelta): void {
    const before = this.state.report;
    if (!before) return;
    const { rows: changed, removed, ...head } = delta;
    let rows = this.state.rows;
    if (changed.length > 0 || removed.length > 0) {
      const next = new Map(rows);
      for (const session of removed) next.delete(session);
      for (const row of changed) next.set(row.session, since(row, delta.generated_at_s));
      rows = next;
    }
    this.take({ ...before, ...head }, rows);
  }

  connection(connection: Connection): void {
    // The age of what is shown must not jump back to what it was when the last message came.
    const frozen = this.state.connection.state === 'live' && connection.state === 'away';
    const report = this.state.report;
    this.set(
      frozen && report
        ? { connection, report: { ...report, generated_at_s: this.nowS() }, arrivedMs: performance.now() }
        : { connection },
    );
  }

  private take(report: BoardState['report'] & object, rows: ReadonlyMap<string, BoardRow>): void {
    const late = report.past ? 0 : Date.now() - report.generated_at_s * 1000;
    this.offsetMs = Math.min(this.offsetMs, late);
    this.set({
      report,
      rows,
      members: sameMembers(this.state.members, rows) ? this.state.members : rows,
      arrivedMs: performance.now(),
      behindS: (late - this.offsetMs) / 1000,
      finished: this.count(report, rows),
    });
  }

  /** Sessions that were unfinished and now are over, or gone from the board because they are. */
  private count(report: BoardState['report'] & object, rows: BoardState['rows']): FinishedSample[] {
    const { report: before, rows: rowsBefore, finished } = this.state;
    const atS = report.generated_at_s;
    if (!before || before.scope !== report.scope) return [{ atS, more: 0 }];
    let more = 0;
    if (rows !== rowsBefore && seesAll(before, rowsBefore)) {
      for (const [session, row] of rowsBefore) {
        if (isUnfinished(row) && !isUnfinished(rows.get(session))) more++;
      }
    }
    return [...finished.filter((s) => s.atS > atS - HISTORY_S), { atS, more }];
  }

  private set(change: Partial<BoardState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

function sameMembers(before: BoardState['rows'], rows: BoardState['rows']): boolean {
  if (before === rows) return true;
  if (before.size !== rows.size) return false;
  for (const [session, row] of rows) {
    const old = before.get(session);
    if (!old || old.task !== row.task || old.train_step !== row.train_step) return false;
  }
  return true;
}

function isUnfinished(row: BoardRow | undefined): boolean {
  return row?.status === 'running' || row?.status === 'queued';
}

/** Whether every unfinished session has a row: else one that is gone may only have been filtered out. */
export function seesAll(report: BoardState['report'] & object, rows: BoardState['rows']): boolean {
  const { running, queued } = report.session_summary;
  return rows.size >= running + queued;
}

function since(row: LiveRow, nowS: number): BoardRow {
  const since_s = row.open_age_s === null ? null : nowS - row.open_age_s;
  return { ...row, stage: row.stage === null ? null : placeOf(row.stage), since_s };
}

/** Sessions that are over, however they ended. */
export function ended(summary: SessionSummary): number {
  return summary.total - summary.running - summary.queued;
}

/** Finished sessions of the last minute, scaled up while less than that is known; null before 10 s. */
export function perMinute(finished: readonly FinishedSample[], nowS: number): number | null {
  const first = finished[0];
  const known = first ? Math.min(60, nowS - first.atS) : 0;
  if (known < 10) return null;
  const more = finished.reduce((sum, s) => (s.atS > nowS - 60 ? sum + s.more : sum), 0);
  return (more * 60) / known;
}

/** What is usual per raw span name. */
export function usualBySpan(summaries: readonly OpenSpanSummary[]): Map<string, number> {
  const usual = new Map<string, number>();
  for (const s of summaries) if (s.usual_p95_s !== null) usual.set(s.span, s.usual_p95_s);
  return usual;
}
