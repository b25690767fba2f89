import { SHARED_WAITS } from '../../colour/waits';
import type { Batch, SessionStatus } from '../../data/types';
import { stackOrder } from '../live/occupancy';
import { median, stepName } from '../live/stepEnd';

/** Slots without a session: neither a stage nor a wait of anybody. */
export const IDLE = 'idle slots';

export type Part = { place: string; s: number };

/** A batch with what can be told from it, and against the other steps. */
export type Step = {
  batch: Batch;
  name: string;
  /** Sessions that still run or are still to run. Lost ones are not waited for. */
  unfinished: number;
  /** When 90 % of its sessions had ended, from its start; null if that has not come yet. */
  done90_s: number | null;
  /** Slots × wall time. Its parts add up to it. */
  slot_s: number;
  parts: Part[];
  /** Wall time ÷ median wall time of the finished steps; null if there is no other. */
  ratio: number | null;
};

/** Oldest first. Places of all steps in one order, so that bars can be compared. */
export function stepsOf(run: string, batches: readonly Batch[]): Step[] {
  const sorted = [...batches].sort((a, b) => a.start_s - b.start_s);
  const order = placesOf(run, sorted);
  const finished = sorted.filter(isFinished);
  const usual = medianOf(finished, (b) => b.wall_s);
  const comparable = (batch: Batch) => finished.length > 1 || finished[0] !== batch;
  return sorted.map((batch) => ({
    batch,
    name: stepName(batch),
    unfinished: openIn(batch),
    done90_s: done90(batch),
    ...partsOf(batch, order),
    ratio: usual !== null && comparable(batch) ? batch.wall_s / usual : null,
  }));
}

export function placesOf(run: string, batches: readonly Batch[]): string[] {
  return stackOrder(run, new Set(batches.flatMap((b) => Object.keys(b.stages)))).filter(
    (p) => p !== 'barrier',
  );
}

const MOST_NAMED = 6;

/** The places that make up most of the bars, in their order: the legend has no room for slivers. */
export function placesToName(steps: readonly Step[], order: readonly string[]): string[] {
  const sums = new Map<string, number>();
  for (const { parts, slot_s } of steps) {
    for (const { place, s } of parts) sums.set(place, (sums.get(place) ?? 0) + s / slot_s / steps.length);
  }
  const large = [...order].sort((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0)).slice(0, MOST_NAMED);
  return order.filter((place) => large.includes(place) && (sums.get(place) ?? 0) > 0.005);
}

export function isFinished(batch: Batch): boolean {
  return openIn(batch) === 0 && batch.wall_s > 0;
}

function done90(batch: Batch): number | null {
  if (batch.tail_s > 0) return batch.wall_s - batch.tail_s;
  const ended = batch.sessions - openIn(batch);
  return ended >= 0.9 * batch.sessions ? batch.wall_s : null;
}

function openIn(batch: Batch): number {
  return sessionsIn(batch, ['running', 'queued']);
}

function partsOf(batch: Batch, order: readonly string[]): { slot_s: number; parts: Part[] } {
  const parts = order.map((place) => ({ place, s: batch.stages[place] ?? waitOf(batch, place) }));
  const busy = parts.reduce((sum, p) => sum + p.s, 0);
  const slot_s = Math.max(busy, batch.slots * batch.wall_s);
  return { slot_s, parts: [...parts, { place: IDLE, s: slot_s - busy }].filter((p) => p.s > 0) };
}

function waitOf(batch: Batch, place: string): number {
  const wait = SHARED_WAITS.find((w) => w === place);
  return wait ? batch.waits[`${wait}_s`] : 0;
}

/** null of nothing. */
export function medianOf<T>(items: readonly T[], value: (item: T) => number): number | null {
  const sorted = items.map(value).sort((a, b) => a - b);
  return sorted.length === 0 ? null : median(sorted);
}

/** From here on a step is out of line. */
export const SLOW = 1.5;

/** The step to look at first: the one furthest out of line, else the newest. */
export function firstToLookAt(steps: readonly Step[]): Step | undefined {
  const slow = steps.filter((s) => (s.ratio ?? 0) >= SLOW);
  return slow.reduce((a, b) => ((b.ratio ?? 0) > (a?.ratio ?? 0) ? b : a), slow[0]) ?? steps.at(-1);
}

/** Columns of sessions by status. */
export const STATUS_GROUPS: readonly (readonly [
  key: string,
  head: string,
  statuses: readonly SessionStatus[],
])[] = [
  ['done', 'Completed', ['completed', 'accepted']],
  ['rejected', 'Rejected', ['rejected']],
  ['dropped', 'Dropped', ['dropped']],
  ['cancelled', 'Cancelled', ['cancelled']],
  ['failed', 'Failed', ['failed']],
  ['lost', 'Lost', ['lost']],
  ['open', 'Open', ['running', 'queued']],
];

/** Columns that have a number in any step: most runs know few of the ways to end. */
export function groupsIn(batches: readonly Batch[]): typeof STATUS_GROUPS {
  const always = ['done', 'failed', 'open'];
  return STATUS_GROUPS.filter(
    ([key, , statuses]) => always.includes(key) || batches.some((b) => sessionsIn(b, statuses) > 0),
  );
}

export function sessionsIn(batch: Batch, statuses: readonly SessionStatus[]): number {
  return statuses.reduce((sum, s) => sum + (batch.statuses[s] ?? 0), 0);
}

/** What a column sorts by. */
export function stepValue(step: Step, key: string): string | number | null {
  const { batch } = step;
  switch (key) {
    case 'step':
      return batch.start_s;
    case 'wall':
      return batch.wall_s;
    case 'ratio':
      return step.ratio;
    case 'idle':
      return idleShare(step);
    case 'tail':
      return batch.tail_s;
    case 'cost':
      return batch.tail_cost_s;
    case 'sessions':
      return batch.sessions;
    default: {
      const group = STATUS_GROUPS.find(([k]) => k === key);
      return group ? sessionsIn(batch, group[2]) : null;
    }
  }
}

export function idleShare(step: Step): number {
  const idle = step.parts.find((p) => p.place === IDLE)?.s ?? 0;
  return step.slot_s > 0 ? idle / step.slot_s : 0;
}
