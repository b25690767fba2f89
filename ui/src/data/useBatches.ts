import type { Batches } from './types';
import { type Answer, useAnswer } from './useAnswer';
import { useRun } from './useLive';

const EVERY_MS = 10_000;
const MOST = 50;

/** The newest batches of the run. */
export function useBatches(): Answer<Batches> {
  const run = useRun();
  return useAnswer(`batches ${run}`, (source, signal) => source.batches(run, MOST, signal), {
    everyMs: EVERY_MS,
  });
}
