import type { Hotspots, StageStats, WorkerStats } from '../../data/types';
import type { LogAxis } from './distribution';

/** One stage on one worker, against the same stage on all workers. */
export type WorkerLine = {
  key: string;
  stats: WorkerStats;
  fleet: StageStats;
  p50_ratio: number | null;
  p95_ratio: number | null;
  /** What is out of line here, if anything. */
  why: string | null;
};

const FEWEST_CALLS = 20;
const SLOW_MEDIAN = 1.5;
const SLOW_TAIL = 2;
const FEWEST_ERRORS = 3;
const MANY_ERRORS = 3;

/** Stages that at least two workers did; the others have nothing to be compared with. */
export function workerLines(hotspots: Hotspots, stage?: string): WorkerLine[] {
  const fleets = new Map<string, StageStats>();
  for (const s of hotspots.stage_stats) if (s.kind !== 'op' || !fleets.has(s.stage)) fleets.set(s.stage, s);
  const workers = new Map<string, number>();
  const stats = (hotspots.workers ?? []).filter((w) => !stage || w.stage === stage);
  for (const w of stats) workers.set(w.stage, (workers.get(w.stage) ?? 0) + 1);
  const lines: WorkerLine[] = [];
  for (const w of stats) {
    const fleet = fleets.get(w.stage);
    if (fleet && workers.get(w.stage)! > 1) lines.push(lineOf(w, fleet));
  }
  return lines;
}

function lineOf(stats: WorkerStats, fleet: StageStats): WorkerLine {
  const p50_ratio = ratio(stats.p50_s, fleet.p50_s);
  const p95_ratio = ratio(stats.p95_s, fleet.p95_s);
  return {
    key: `${stats.worker}\n${stats.stage}`,
    stats,
    fleet,
    p50_ratio,
    p95_ratio,
    why: reason(stats, fleet, p50_ratio, p95_ratio),
  };
}

function ratio(value: number, usual: number): number | null {
  return usual > 0 ? value / usual : null;
}

function reason(
  stats: WorkerStats,
  fleet: StageStats,
  p50: number | null,
  p95: number | null,
): string | null {
  if (stats.count >= FEWEST_CALLS && p50 !== null && p50 >= SLOW_MEDIAN) return 'slow median';
  if (stats.count >= FEWEST_CALLS && p95 !== null && p95 >= SLOW_TAIL) return 'slow tail';
  const usual = fleet.error_count / Math.max(1, fleet.count);
  const here = stats.error_count / Math.max(1, stats.count);
  if (stats.error_count >= FEWEST_ERRORS && here >= MANY_ERRORS * usual) return 'many errors';
  return null;
}

/** One log axis that all p50 and p95 are on. */
export function rangeAxis(lines: readonly WorkerLine[]): LogAxis {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { stats, fleet } of lines) {
    for (const s of [stats.p50_s, stats.p95_s, fleet.p50_s, fleet.p95_s]) {
      if (s <= 0) continue;
      from = Math.min(from, Math.log10(s));
      to = Math.max(to, Math.log10(s));
    }
  }
  return from < to ? { from, to } : { from: -3, to: 3 };
}

/** What a column sorts by. The worst first means: what is out of line before what is not. */
export function workerValue(line: WorkerLine, key: string): string | number | null {
  switch (key) {
    case 'worker':
      return line.stats.worker;
    case 'stage':
      return line.stats.stage;
    case 'count':
      return line.stats.count;
    case 'errors':
      return line.stats.error_count;
    case 'p50':
      return line.p50_ratio;
    case 'p95':
      return line.p95_ratio;
    default:
      return worst(line);
  }
}

function worst(line: WorkerLine): number {
  const most = Math.max(line.p50_ratio ?? 0, line.p95_ratio ?? 0);
  return line.why ? 1000 + most : line.stats.count >= FEWEST_CALLS ? most : most / 1000;
}
