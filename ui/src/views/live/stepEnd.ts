import type { Batch, LiveBatch } from '../../data/types';

export type StepProgress = {
  batch: Batch;
  sessions: number;
  unfinished: number;
  ended: number;
  estimate: Estimate | null;
};
/** When the step may end: as long as the earlier ones usually took, and as long as the slowest took. */
export type Estimate = { usualS: number; slowestS: number; steps: number };

/**
 * The step that started last, and when it will end if it goes like the ones before.
 *
 * @param live how far its batch is by the live report, which is newer than the list of batches
 */
export function stepProgress(batches: readonly Batch[], live?: LiveBatch | null): StepProgress | null {
  const newest = batches.reduce<Batch | null>((a, b) => (a === null || b.start_s > a.start_s ? b : a), null);
  if (!newest) return null;
  const now = live?.batch === newest.batch ? live : null;
  const sessions = now?.sessions ?? newest.sessions;
  const unfinished = now ? now.sessions - now.ended : unfinishedIn(newest);
  const walls = batches
    .filter((b) => b !== newest && b.wall_s > 0 && unfinishedIn(b) === 0)
    .map((b) => b.wall_s)
    .sort((a, b) => a - b);
  const estimate =
    walls.length === 0 || unfinished === 0
      ? null
      : {
          usualS: newest.start_s + median(walls),
          slowestS: newest.start_s + walls.at(-1)!,
          steps: walls.length,
        };
  return { batch: newest, sessions, unfinished, ended: sessions - unfinished, estimate };
}

/** Lost sessions are not waited for: no step would ever end after a process died. */
export function unfinishedIn(batch: Batch): number {
  return (batch.statuses.running ?? 0) + (batch.statuses.queued ?? 0);
}

export function lostIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, b) => sum + (b.statuses.lost ?? 0), 0);
}

export function median(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** "Step 3", or the batch's own name when it is not a step. */
export function stepName(batch: Pick<Batch, 'batch' | 'train_step'>): string {
  return batch.train_step === null ? batch.batch : `Step ${batch.train_step}`;
}
