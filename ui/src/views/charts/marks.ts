import type { Annotations, BatchMark } from '../../data/metricTypes';
import type { Span } from '../../lanes/axis';

/** Vertical lines and bands behind the lines of all charts. */
export type Marks = {
  steps: readonly { at: number; label: string }[];
  syncs: readonly { from: number; to: number; label: string }[];
};

export const NO_MARKS: Marks = { steps: [], syncs: [] };

/** On the axis of steps a step is where it is, and weight syncs have no place. */
export function marksOf(annotations: Annotations | undefined, axis: 'clock' | 'step', nowS: number): Marks {
  if (!annotations || axis === 'step') return NO_MARKS;
  return {
    steps: annotations.batches
      .map((b) => ({ at: b.start_s, label: b.train_step === null ? b.batch : `step ${b.train_step}` }))
      .sort((a, b) => a.at - b.at),
    syncs: annotations.weight_syncs.map((s) => ({
      from: s.start_s,
      to: s.end_s ?? Math.max(nowS, s.start_s),
      label: s.stage,
    })),
  };
}

/** Only those far enough apart to be told from each other. */
export function apart<T extends { at: number }>(
  marks: readonly T[],
  px: (at: number) => number,
  least: number,
): T[] {
  const kept: T[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const mark of marks) {
    const x = px(mark.at);
    if (x < free) continue;
    kept.push(mark);
    free = x + least;
  }
  return kept;
}

/** When these steps were, by the clock: for going to the timeline. */
export function clockOf(steps: Span, batches: readonly BatchMark[], nowS: number): Span | null {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const batch of batches) {
    if (batch.train_step === null || batch.train_step < steps.from || batch.train_step > steps.to) continue;
    from = Math.min(from, batch.start_s);
    to = Math.max(to, batch.end_s ?? nowS);
  }
  return from < to ? { from, to } : null;
}
