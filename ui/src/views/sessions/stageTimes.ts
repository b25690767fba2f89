import type { SessionSet } from '../../data/SessionSet';
import type { Timeline } from '../../data/types';

const CONTAINERS = new Set(['batch', 'task', 'session']);

/** What the spans say beyond the sessions' own columns. */
export type StageTimes = {
  stages: readonly string[];
  /** Own time per stage and session, NaN where a session has no such span; null while the source does not tell it. */
  own: readonly Float64Array[] | null;
  /** Spans of session i are first[i] up to first[i + 1], the longest first. */
  first: Uint32Array;
  stage: Uint16Array;
  startS: Float64Array;
  durationS: Float64Array;
  open: Uint8Array;
  leftOut: number;
};

export function stageTimes(set: SessionSet, timeline: Timeline): StageTimes {
  const rowOf = new Map(set.session.map((id, i) => [id, i]));
  const rowOfName = timeline.sessions.map((id) => rowOf.get(id) ?? -1);
  const container = timeline.kinds.map((kind) => CONTAINERS.has(kind));
  const used: number[] = [];
  for (let i = 0; i < timeline.lane.length; i++) {
    if (!container[timeline.kind[i]!] && rowOfName[timeline.session[i]!]! >= 0) used.push(i);
  }
  const row = (i: number) => rowOfName[timeline.session[i]!]!;
  used.sort((a, b) => row(a) - row(b) || timeline.duration_ns[b]! - timeline.duration_ns[a]!);

  const stages = [...new Set(used.map((i) => timeline.stages[timeline.stage[i]!]!))].sort();
  const placeOf = timeline.stages.map((s) => stages.indexOf(s));
  const first = new Uint32Array(set.size + 1);
  for (const i of used) first[row(i) + 1]!++;
  for (let i = 0; i < set.size; i++) first[i + 1]! += first[i]!;
  const fromS = timeline.from_ns / 1e9;
  return {
    stages,
    own: timeline.self_ns
      ? ownTimes(set, stages.length, used, row, (i) => placeOf[timeline.stage[i]!]!, timeline.self_ns)
      : null,
    first,
    stage: Uint16Array.from(used, (i) => placeOf[timeline.stage[i]!]!),
    startS: Float64Array.from(used, (i) => fromS + timeline.start_ns[i]! / 1e9),
    durationS: Float64Array.from(used, (i) => timeline.duration_ns[i]! / 1e9),
    open: Uint8Array.from(used, (i) => Number(timeline.open[i])),
    leftOut: timeline.left_out,
  };
}

function ownTimes(
  set: SessionSet,
  stages: number,
  used: readonly number[],
  row: (i: number) => number,
  stage: (i: number) => number,
  selfNs: readonly number[],
): Float64Array[] {
  const own = Array.from({ length: stages }, () => new Float64Array(set.size).fill(Number.NaN));
  for (const i of used) {
    const column = own[stage(i)]!;
    const before = column[row(i)]!;
    column[row(i)] = (Number.isNaN(before) ? 0 : before) + selfNs[i]! / 1e9;
  }
  return own;
}
