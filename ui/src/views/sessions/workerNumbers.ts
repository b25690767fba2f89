import { chosen, WORKER } from './selection';
import { percentile, sortedValues } from './statistics';
import type { Page } from './usePage';

export type WorkerNumbers = {
  name: string;
  /** Place in the dictionary of workers. */
  place: number;
  /** Ended, failed among them, unfinished. */
  count: number;
  failed: number;
  open: number;
  p50: number;
  p95: number;
  bins: number[];
  /** Its p95 is twice that of all workers together, with enough sessions to say so. */
  slower: boolean;
};

const BINS = 24;
const ENOUGH = 10;
const MUCH = 2;

export function compareWorkers({ set, miss }: Pick<Page, 'set' | 'miss'>): {
  workers: WorkerNumbers[];
  low: number;
  high: number;
} {
  const rows = chosen(miss, WORKER);
  const ended = rows.filter((r) => !set.unfinished[r]);
  const all = sortedValues(ended, set.work);
  const low = Math.max(1e-3, percentile(all, 0.02) || 0.1);
  const high = Math.max(low * 10, all[all.length - 1] ?? 1);
  const byWorker = new Map<number, number[]>();
  for (const r of rows) {
    const worker = set.worker[r]!;
    if (worker < 0) continue;
    const list = byWorker.get(worker);
    if (list) list.push(r);
    else byWorker.set(worker, [r]);
  }
  const usual = percentile(all, 0.95);
  const workers = [...byWorker].map(([place, list]) => {
    const mine = Uint32Array.from(list.filter((r) => !set.unfinished[r]));
    const totals = sortedValues(mine, set.work);
    const p95 = percentile(totals, 0.95);
    return {
      name: set.workers[place]!,
      place,
      count: totals.length,
      failed: list.filter((r) => set.statuses[set.status[r]!] === 'failed').length,
      open: list.length - totals.length,
      p50: percentile(totals, 0.5),
      p95,
      bins: spread(totals, low, high),
      slower: totals.length >= ENOUGH && p95 > MUCH * usual,
    };
  });
  return { workers, low, high };
}

function spread(totals: Float64Array, low: number, high: number): number[] {
  const bins = new Array<number>(BINS).fill(0);
  for (const t of totals) {
    const share = Math.log(Math.max(low, t) / low) / Math.log(high / low);
    bins[Math.min(BINS - 1, Math.floor(share * BINS))]!++;
  }
  return bins;
}
