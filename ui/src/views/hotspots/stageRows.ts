import { SHARED_WAITS, type Wait } from '../../colour/waits';
import type { Hotspots, StageStats, WaitTimes } from '../../data/types';

/** A line of the table: a stage, a wait, the sum of them all, or what stands below it. */
export type StageRow = {
  key: string;
  /** `below`: what comes after the sessions' work, and is no part of the sum. */
  kind: 'stage' | 'wait' | 'sum' | 'below';
  place: string;
  self_s: number;
  share: number;
  /** null for waits and the sum: they have no calls. */
  stats: StageStats | null;
};

/** `sessions`: what sessions did. `other`: work of threads that belongs to no session. */
export type Work = 'sessions' | 'other';

export function waitOf(waits: WaitTimes, wait: Wait): number {
  return waits[`${wait}_s`];
}

/** Time of all sessions in view until their work was done: the self times of their stages, and their waits. */
export function sessionSeconds(hotspots: Hotspots): number {
  const stages = sum(stagesOf(hotspots, 'sessions').map((s) => s.self_s));
  return stages + sum(SHARED_WAITS.map((w) => waitOf(hotspots.waits, w)));
}

export function stagesOf(hotspots: Hotspots, work: Work): StageStats[] {
  return hotspots.stage_stats.filter((s) => (s.kind === 'phase') === (work === 'sessions'));
}

/** All lines but the sum. Waits are always there, even at 0: an absent remainder is one nobody trusts. */
export function stageRows(hotspots: Hotspots, work: Work): StageRow[] {
  const rows = stagesOf(hotspots, work).map(stageRow);
  if (work === 'other') return rows;
  const all = sessionSeconds(hotspots);
  return [...rows, ...SHARED_WAITS.map((wait) => waitRow(wait, waitOf(hotspots.waits, wait), all))];
}

function stageRow(stats: StageStats): StageRow {
  return {
    key: `${stats.kind} ${stats.stage}`,
    kind: 'stage',
    place: stats.stage,
    self_s: stats.self_s,
    share: stats.share,
    stats,
  };
}

function waitRow(wait: Wait, self_s: number, all: number): StageRow {
  return {
    key: `wait ${wait}`,
    kind: 'wait',
    place: wait,
    self_s,
    share: all > 0 ? self_s / all : 0,
    stats: null,
  };
}

/** The wait for the verdict: sessions did nothing then, but nor did they keep anybody. */
export function barrierRow(hotspots: Hotspots): StageRow {
  const row = waitRow('barrier', waitOf(hotspots.waits, 'barrier'), 0);
  return { ...row, kind: 'below' };
}

export function sumRow(rows: readonly StageRow[]): StageRow {
  return {
    key: 'sum',
    kind: 'sum',
    place: 'Sum',
    self_s: sum(rows.map((r) => r.self_s)),
    share: sum(rows.map((r) => r.share)),
    stats: null,
  };
}

/** What a column sorts by. */
export function stageValue(row: StageRow, key: string): string | number | null {
  switch (key) {
    case 'stage':
      return row.place;
    case 'self':
      return row.self_s;
    case 'share':
      return row.share;
    default:
      return row.stats ? statValue(row.stats, key) : null;
  }
}

function statValue(s: StageStats, key: string): number | null {
  const values: Record<string, number> = {
    total: s.total_s,
    count: s.count,
    open: s.open_count,
    errors: s.error_count,
    avg: s.avg_s,
    p50: s.p50_s,
    p95: s.p95_s,
    p99: s.p99_s,
    max: s.max_s,
  };
  return values[key] ?? null;
}

export function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
