import type { SessionSet } from '../../data/SessionSet';
import type { Sessions } from '../../data/types';

/** The steps of the sessions: named by them, or found by AReaL's rule from a batch size. */
export type Steps = {
  /** `batch`: ids of batches. `step`: numbers found by the rule. */
  param: 'batch' | 'step';
  keys: readonly string[];
  labels: readonly string[];
  /** Where the line is: at the first start of a batch, or at the end that the rule found. */
  atS: Float64Array;
  /** Step of each session, -1: none. */
  of: Int32Array;
};

export type FoundSteps = Sessions['steps'];

export function stepsOf(set: SessionSet, found: FoundSteps): Steps {
  return set.batches.length > 0 || found.length === 0 ? namedSteps(set) : foundSteps(set, found);
}

/** Batches in order of their first start. */
function namedSteps(set: SessionSet): Steps {
  const first = new Float64Array(set.batches.length).fill(Number.POSITIVE_INFINITY);
  const number = new Float64Array(set.batches.length).fill(Number.NaN);
  for (let i = 0; i < set.size; i++) {
    const b = set.batch[i]!;
    if (b < 0) continue;
    first[b] = Math.min(first[b]!, set.start[i]!);
    if (Number.isNaN(number[b]!)) number[b] = set.trainStep[i]!;
  }
  const order = [...set.batches.keys()].sort((a, b) => first[a]! - first[b]!);
  const place = new Int32Array(set.batches.length);
  order.forEach((b, at) => {
    place[b] = at;
  });
  return {
    param: 'batch',
    keys: order.map((b) => set.batches[b]!),
    labels: order.map((b) => (Number.isNaN(number[b]!) ? set.batches[b]! : `step ${number[b]}`)),
    atS: Float64Array.from(order, (b) => first[b]!),
    of: set.batch.map((b) => (b < 0 ? -1 : place[b]!)),
  };
}

/** A session belongs to the first boundary at or after its end; later and unfinished ones to none. */
function foundSteps(set: SessionSet, found: FoundSteps): Steps {
  const atS = Float64Array.from(found, (s) => set.firstS + s.end_offset_s);
  const of = new Int32Array(set.size).fill(-1);
  for (let i = 0; i < set.size; i++) {
    // Offsets and ends are rounded on their way; a microsecond is less than any two boundaries are apart.
    if (!set.unfinished[i]) of[i] = atS.findIndex((at) => at + 1e-6 >= set.verdict[i]!);
  }
  return {
    param: 'step',
    keys: found.map((s) => String(s.step)),
    labels: found.map((s) => `step ${s.step}`),
    atS,
    of,
  };
}
