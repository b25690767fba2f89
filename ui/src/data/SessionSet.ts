import type { SessionColumns, SessionStatus } from './types';

/** Sessions as typed arrays, one place per session, in order of start: 100,000 are sorted and filtered in milliseconds. */
export type SessionSet = {
  size: number;
  /** All that match, and how many of them are not here. */
  total: number;
  leftOut: number;
  session: readonly string[];
  statuses: readonly SessionStatus[];
  batches: readonly string[];
  tasks: readonly string[];
  taskNames: readonly string[];
  workers: readonly string[];
  reasons: readonly string[];
  status: Int32Array;
  batch: Int32Array;
  task: Int32Array;
  taskName: Int32Array;
  worker: Int32Array;
  reason: Int32Array;
  start: Float64Array;
  /** When its work was done; of an unfinished one, until when it is counted. */
  end: Float64Array;
  /** When its verdict was given, else as `end`. */
  verdict: Float64Array;
  /** Until its verdict. */
  wall: Float64Array;
  /** Until its work was done: how long a session took, unless something else is asked for. */
  work: Float64Array;
  queue: Float64Array;
  gap: Float64Array;
  siblings: Float64Array;
  barrier: Float64Array;
  unaccounted: Float64Array;
  /** Time in which it did something. */
  busy: Float64Array;
  spans: Float64Array;
  open: Float64Array;
  errors: Float64Array;
  /** NaN where none is known. */
  trainStep: Float64Array;
  reward: Float64Array;
  inputTokens: Float64Array;
  outputTokens: Float64Array;
  /** 1: queued or running. What is lost has ended. */
  unfinished: Uint8Array;
  firstS: number;
  /** Last end of a finished session. */
  lastEndS: number;
  /** Until when the ages of unfinished sessions are counted. */
  nowS: number;
};

const UNFINISHED: readonly SessionStatus[] = ['queued', 'running'];

export function isUnfinished(status: SessionStatus): boolean {
  return UNFINISHED.includes(status);
}

export function sessionSet(c: SessionColumns): SessionSet {
  const numbers = (values: readonly number[]) => Float64Array.from(values);
  const known = (values: readonly (number | null)[] | undefined) =>
    Float64Array.from(c.session, (_, i) => values?.[i] ?? Number.NaN);
  const places = (values: readonly number[]) => Int32Array.from(values);
  const status = places(c.status);
  const open = c.statuses.map(isUnfinished);
  const waits = {
    queue: numbers(c.queue_s),
    gap: numbers(c.gap_s),
    siblings: numbers(c.siblings_s),
    barrier: numbers(c.barrier_s),
    unaccounted: numbers(c.unaccounted_s),
  };
  const wall = numbers(c.wall_s);
  const start = numbers(c.start_s);
  const work = numbers(c.work_s);
  const end = start.map((s, i) => s + work[i]!);
  const unfinished = Uint8Array.from(status, (s) => Number(open[s]));
  const idle = Object.values(waits);
  const busy = wall.map((w, i) =>
    Math.max(
      0,
      idle.reduce((left, wait) => left - wait[i]!, w),
    ),
  );
  return {
    size: c.session.length,
    total: c.total,
    leftOut: c.left_out,
    session: c.session,
    statuses: c.statuses,
    batches: c.batches,
    tasks: c.tasks,
    taskNames: c.task_names,
    workers: c.workers,
    reasons: c.reasons,
    status,
    batch: places(c.batch),
    task: places(c.task),
    taskName: places(c.task_name),
    worker: places(c.worker),
    reason: places(c.reason),
    start,
    end,
    verdict: start.map((s, i) => s + wall[i]!),
    wall,
    work,
    ...waits,
    busy,
    spans: numbers(c.span_count),
    open: numbers(c.open_count),
    errors: numbers(c.error_count),
    trainStep: known(c.train_step),
    reward: known(c.reward),
    inputTokens: known(c.input_tokens),
    outputTokens: known(c.output_tokens),
    unfinished,
    ...bounds(start, end, unfinished),
  };
}

function bounds(start: Float64Array, end: Float64Array, unfinished: Uint8Array) {
  let [firstS, lastEndS, nowS] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let i = 0; i < start.length; i++) {
    firstS = Math.min(firstS, start[i]!);
    nowS = Math.max(nowS, end[i]!);
    if (!unfinished[i]) lastEndS = Math.max(lastEndS, end[i]!);
  }
  if (start.length === 0) return { firstS: 0, lastEndS: 0, nowS: 0 };
  return { firstS, lastEndS: Number.isFinite(lastEndS) ? lastEndS : nowS, nowS };
}

/** Of these rows (or all), those that have ended. */
export function finishedOf(set: SessionSet, rows?: Uint32Array): Uint32Array {
  const found = new Uint32Array(rows ? rows.length : set.size);
  let n = 0;
  for (let k = 0; k < found.length; k++) {
    const row = rows ? rows[k]! : k;
    if (!set.unfinished[row]) found[n++] = row;
  }
  return found.slice(0, n);
}
