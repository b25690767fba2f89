import type { LaneInfo, Timeline } from '../data/types';
import { deriveParents, packRows } from './nesting';
import { findOverlaps } from './overlaps';
import { sortIndices } from './sortIndices';

export const OPEN = 1;
export const ERROR = 2;
export const LOST = 4;
/** Nobody saw it start; only its children tell of it. */
export const INFERRED = 8;
/** Only holds work together: its own time is a wait. */
export const CONTAINER = 16;
/** Open, and nothing below it is: where the session really is. */
export const LEAF_OPEN = 32;

/** Its own work is done, and another session of its task is still at work: late, but not the cause. */
export const WAITING = 64;

/** A state that began while another one was open on its lane. */
export const OVERLAPS = 128;

/** Spans as columns, by lane and then by start, longer ones first. Times are seconds from `originS`. */
export type SpanTable = {
  count: number;
  originS: number;
  lanes: readonly string[];
  info: readonly (LaneInfo | null)[];
  names: readonly string[];
  stages: readonly string[];
  sessions: readonly string[];
  errors: readonly string[];
  outcomes: readonly string[];
  ids: readonly string[];
  lane: Int32Array;
  name: Int32Array;
  stage: Int32Array;
  session: Int32Array;
  outcome: Int32Array;
  error: Int32Array;
  parent: Int32Array;
  /** Of states: place in `overlapped` of the other one that was open on its lane. */
  overlaps: Int32Array;
  overlapped: readonly string[];
  /** Row inside its lane. */
  row: Int32Array;
  start: Float64Array;
  /** Infinity while open. */
  end: Float64Array;
  flags: Uint8Array;
  /** Spans of lane i: laneFirst[i] to laneFirst[i + 1]. */
  laneFirst: Int32Array;
  laneRows: Int32Array;
};

const NOT_YET_SEEN = '(not yet seen)';

/**
 * Brings an answer into drawing order. All that follows works on typed arrays.
 *
 * @param base a coarser answer to the same question, whose origin and lanes it keeps, so that nothing moves when it takes its place
 */
export function readSpans(given: Timeline, base?: SpanTable): SpanTable {
  const { answer, info } = base ? onLanesOf(base, given) : { answer: given, info: laneInfo(given) };
  const originS = base?.originS ?? given.from_ns / 1e9;
  const order = drawingOrder(answer);
  const count = order.length;
  const column = (source: readonly number[] | undefined) => {
    const target = new Int32Array(count).fill(-1);
    if (source) for (let i = 0; i < count; i++) target[i] = source[order[i]!]!;
    return target;
  };
  const { start, end, flags } = times(answer, order, answer.from_ns / 1e9 - originS);
  const lane = column(answer.lane);
  endWithSession(lane, info, originS, start, end, flags);
  const laneFirst = firstOf(lane, answer.lanes.length);
  const session = column(answer.session);
  const parent = answer.parent
    ? movedParents(answer.parent, order)
    : deriveParents(lane, session, start, end, answer.sessions.length);
  markLeaves(parent, flags);
  markWaiting(lane, parent, flags, info);
  const stage = column(answer.stage);
  const { overlaps, overlapped } = findOverlaps(answer, column(answer.overlaps), {
    kind: column(answer.kind),
    lane,
    stage,
    start,
    end,
  });
  for (let i = 0; i < count; i++) if (overlaps[i]! >= 0) flags[i]! |= OVERLAPS;
  const { row, laneRows } = packRows(laneFirst, lane, parent, start, end);
  return {
    count,
    originS,
    lanes: answer.lanes,
    info,
    names: answer.names,
    stages: answer.stages,
    sessions: answer.sessions,
    errors: answer.errors ?? [],
    outcomes: answer.outcomes,
    ids: Array.from(order, (i) => answer.span_id[i] ?? ''),
    lane,
    name: column(answer.name),
    stage,
    session,
    outcome: column(answer.outcome),
    error: column(answer.error),
    overlaps,
    overlapped,
    parent,
    row,
    start,
    end,
    flags,
    laneFirst,
    laneRows,
  };
}

function drawingOrder({ lane, lanes, start_ns, duration_ns }: Timeline): Int32Array {
  const next = firstOf(lane, lanes.length);
  const order = new Int32Array(lane.length);
  const laneFirst = next.slice();
  for (let i = 0; i < lane.length; i++) order[next[lane[i]!]!++] = i;
  for (let l = 0; l < lanes.length; l++) {
    sortIndices(order.subarray(laneFirst[l], laneFirst[l + 1]), start_ns, duration_ns);
  }
  return order;
}

/** Where the entries of each lane begin once they are sorted by lane. */
function firstOf(lane: ArrayLike<number>, lanes: number): Int32Array {
  const first = new Int32Array(lanes + 1);
  for (let i = 0; i < lane.length; i++) first[lane[i]! + 1]!++;
  for (let l = 0; l < lanes; l++) first[l + 1]! += first[l]!;
  return first;
}

function times(answer: Timeline, order: Int32Array, shiftS: number) {
  const start = new Float64Array(order.length);
  const end = new Float64Array(order.length);
  const flags = new Uint8Array(order.length);
  const flagsOfOutcome = answer.outcomes.map((o) => (o === 'error' ? ERROR : o === 'lost' ? LOST : 0));
  const flagsOfKind = answer.kinds.map((k) => (['session', 'task', 'batch'].includes(k) ? CONTAINER : 0));
  const flagsOfName = answer.names.map((n) => (n === NOT_YET_SEEN ? INFERRED : 0));
  for (let i = 0; i < order.length; i++) {
    const at = order[i]!;
    let flag =
      (flagsOfOutcome[answer.outcome[at]!] ?? 0) |
      (flagsOfKind[answer.kind[at]!] ?? 0) |
      (flagsOfName[answer.name[at]!] ?? 0);
    if (answer.open[at] && !(flag & LOST)) flag |= OPEN;
    flags[i] = flag;
    start[i] = answer.start_ns[at]! / 1e9 + shiftS;
    end[i] =
      flag & OPEN
        ? Number.POSITIVE_INFINITY
        : (answer.start_ns[at]! + answer.duration_ns[at]!) / 1e9 + shiftS;
  }
  return { start, end, flags };
}

const GOES_ON: readonly (LaneInfo['status'] | undefined)[] = [undefined, null, 'running', 'queued'];

/** What was never told to have ended goes on no longer than its session: that has failed, or was given up. */
function endWithSession(
  lane: Int32Array,
  info: readonly (LaneInfo | null)[],
  originS: number,
  start: Float64Array,
  end: Float64Array,
  flags: Uint8Array,
): void {
  for (let i = 0; i < lane.length; i++) {
    if (!(flags[i]! & OPEN)) continue;
    const about = info[lane[i]!];
    if (!about || GOES_ON.includes(about.status) || about.start_s === null || about.wall_s === null) continue;
    flags[i]! &= ~OPEN;
    end[i] = Math.max(start[i]!, about.start_s + about.wall_s - originS);
  }
}

function movedParents(parent: readonly number[], order: Int32Array): Int32Array {
  const place = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) place[order[i]!] = i;
  const moved = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const p = parent[order[i]!]!;
    moved[i] = p < 0 ? -1 : place[p]!;
  }
  return moved;
}

function markLeaves(parent: Int32Array, flags: Uint8Array): void {
  for (let i = 0; i < flags.length; i++) if (flags[i]! & OPEN) flags[i]! |= LEAF_OPEN;
  for (let i = 0; i < flags.length; i++) {
    const p = parent[i]!;
    if (p >= 0 && flags[i]! & OPEN) flags[p]! &= ~LEAF_OPEN;
  }
}

function markWaiting(
  lane: Int32Array,
  parent: Int32Array,
  flags: Uint8Array,
  info: readonly (LaneInfo | null)[],
): void {
  const hasChild = new Uint8Array(flags.length);
  for (let i = 0; i < flags.length; i++) if (parent[i]! >= 0) hasChild[parent[i]!] = 1;
  const taskOf = (i: number) => {
    const about = info[lane[i]!];
    return about?.task == null ? null : `${about.task_name}\n${about.task}\n${about.batch}`;
  };
  const atWork = new Set<string | null>();
  for (let i = 0; i < flags.length; i++) if (flags[i]! & LEAF_OPEN && !hasChild[i]) atWork.add(taskOf(i));
  atWork.delete(null);
  for (let i = 0; i < flags.length; i++) {
    if (flags[i]! & LEAF_OPEN && hasChild[i] && atWork.has(taskOf(i))) flags[i]! |= WAITING;
  }
}

/** The lanes of the base first, in their order; then those that it left out altogether. */
function onLanesOf(base: SpanTable, answer: Timeline): { answer: Timeline; info: (LaneInfo | null)[] } {
  const lanes = [...base.lanes];
  const info = [...base.info];
  const known = new Map(lanes.map((name, l) => [name, l]));
  const own = laneInfo(answer);
  const moved = answer.lanes.map((name, l) => {
    let place = known.get(name);
    if (place === undefined) {
      place = lanes.push(name) - 1;
      info.push(own[l] ?? null);
      known.set(name, place);
    }
    return place;
  });
  return { answer: { ...answer, lanes, lane: answer.lane.map((l) => moved[l]!) }, info };
}

function laneInfo({ lanes, lane_info: columns }: Timeline): (LaneInfo | null)[] {
  if (!columns) return lanes.map(() => null);
  return lanes.map((_, i) => ({
    session: columns.session?.[i] ?? null,
    task: columns.task?.[i] ?? null,
    task_name: columns.task_name?.[i] ?? null,
    worker: columns.worker?.[i] ?? null,
    status: columns.status?.[i] ?? null,
    batch: columns.batch?.[i] ?? null,
    start_s: columns.start_s?.[i] ?? null,
    wall_s: columns.wall_s?.[i] ?? null,
  }));
}
