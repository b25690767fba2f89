import { slotsOfRun } from '../../colour/slots';
import { SHARED_WAITS } from '../../colour/waits';
import type { Occupancy } from '../../data/types';

/** Places in stack order, bottom first: stages by their family, then waits. The same order in legend and chart. Who waits for a verdict has done its work: the barrier is no part of the stack. */
export function stackOrder(run: string, stages: Iterable<string>): string[] {
  const slots = slotsOfRun(run);
  const rank = (stage: string) => {
    const { slot, second } = slots.of(stage);
    return slot * 2 + Number(second);
  };
  const sorted = [...stages].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return [...sorted, ...SHARED_WAITS];
}

/**
 * Columns for a stacked chart: times, then for each place the height of the stack up to and including it,
 * topmost place first, so that drawing in this order leaves each its own band.
 */
export function stackColumns(occupancy: Occupancy, order: readonly string[]): number[][] {
  const length = occupancy.start_s.length;
  const height = new Array<number>(length).fill(0);
  const columns: number[][] = [];
  for (const place of order) {
    const values = occupancy.stages[place] ?? occupancy.waits[place];
    if (values) for (let i = 0; i < length; i++) height[i]! += values[i] ?? 0;
    columns.push([...height]);
  }
  return [occupancy.start_s, ...columns.reverse()];
}

/** A band of less than this part of the chart cannot be seen. */
const SEEN = 0.01;

/** How many had done their work and waited for their verdict, over time. */
export function barrierOf(occupancy: Occupancy): number[] {
  return occupancy.waits.barrier ?? [];
}

/** Stages and waits that the chart shows anything of. */
export function placesIn(occupancy: Occupancy): string[] {
  const least = Math.max(0.5, SEEN * occupancy.alive.reduce((most, n) => Math.max(most, n), 0));
  const some = (values: number[]) => values.some((v) => v >= least);
  const all = { ...occupancy.stages, ...occupancy.waits };
  return Object.keys(all).filter((place) => some(all[place]!));
}
