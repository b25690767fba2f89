import type { Hotspots, NestingNode, SessionColumns, StageStats, WaitTimes, WorkerStats } from '../types';
import { errorsOf } from './errors';
import { Numbers, percentile } from './percentiles';
import type { SpanSet } from './SpanSet';

const MOST_ERRORS = 20;

/** Where the time of some sessions went, added up from their rows; what is not about them is as in `all`. */
export function hotspotsOf(
  all: Hotspots,
  sessions: SessionColumns,
  spans: SpanSet,
  chosen: Int32Array,
): Hotspots {
  const lanes = lanesOf(spans, chosen);
  const waits = waitsOf(sessions, chosen);
  const buckets = (all.buckets_s ?? []).map(nanos);
  const stages = new Map<string, Stage>();
  const workers = new Map<string, { worker: number; stage: number; stats: Stage }>();
  let [tasks, spanCount, clocks] = [0, 0, 0];
  let [first, last, longest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const lane of lanes) {
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (!spans.work[i]) continue;
      spanCount++;
      clocks += spans.clockDisagrees[i]!;
      from = Math.min(from, spans.offset[i]!);
      to = Math.max(to, spans.offset[i]! + spans.duration[i]!);
      const [kind, stage, worker] = [spans.line(i), spans.stage(i), spans.worker[i]!];
      known(stages, `${kind} ${stage}`, () => new Stage(kind, stage, buckets)).add(spans, i);
      if (worker >= 0) {
        const stats = () => ({ worker, stage, stats: new Stage(kind, stage, buckets) });
        known(workers, `${worker} ${stage}`, stats).stats.add(spans, i);
      }
    }
    if (from > to) continue;
    tasks++;
    first = Math.min(first, spans.laneFrom[lane]! + from);
    last = Math.max(last, spans.laneFrom[lane]! + to);
    longest = Math.max(longest, to - from);
  }
  const wall = sumOf(sessions.wall_s, chosen) - sumOf(sessions.barrier_s, chosen);
  return {
    ...all,
    task_count: tasks,
    session_count: chosen.length,
    span_count: spanCount,
    timeline_start_s: tasks ? spans.seconds(first) : 0,
    timeline_end_s: tasks ? spans.seconds(last) : 1,
    max_task_duration_s: longest / 1e9,
    stage_stats: [...stages.values()]
      .map((stage) => stage.stats(spans, wall))
      .sort((a, b) => b.p95_s - a.p95_s || b.total_s - a.total_s || order(a.stage, b.stage)),
    nesting: nestingOf(spans, lanes),
    workers: [...workers.values()]
      .map(({ worker, stage, stats }) =>
        workerStats(spans.columns.workers[worker]!, spans.stages[stage]!, stats),
      )
      .sort((a, b) => b.total_s - a.total_s || order(a.worker, b.worker) || order(a.stage, b.stage)),
    workers_left_out: 0,
    waits,
    outside_worker: outsideWorkerOf(sessions, chosen),
    clock_disagrees: clocks,
    errors: errorsOf(sessions, spans, chosen).slice(0, MOST_ERRORS),
  };
}

export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

export function lanesOf(spans: SpanSet, chosen: Int32Array): Int32Array {
  return chosen.map((session) => spans.laneOfSession[session]!).filter((lane) => lane >= 0);
}

/** Columns are nanoseconds divided by a billion: as whole numbers they add up exactly. */
export function nanos(seconds: number): number {
  return Math.round(seconds * 1e9);
}

function sumOf(column: readonly number[], chosen: Int32Array): number {
  let sum = 0;
  for (const i of chosen) sum += nanos(column[i]!);
  return sum;
}

class Stage {
  private readonly durations = new Numbers();
  private readonly distribution: number[];
  private self = 0;
  private open = 0;
  private errors = 0;

  constructor(
    private readonly kind: string,
    private readonly stage: number,
    private readonly buckets: readonly number[],
  ) {
    this.distribution = new Array<number>(buckets.length + 1).fill(0);
  }

  add(spans: SpanSet, i: number): void {
    const length = spans.duration[i]!;
    this.durations.add(length);
    this.self += spans.self[i]!;
    if (spans.open[i]) {
      this.open++;
      return;
    }
    const bucket = this.buckets.findIndex((bound) => length <= bound);
    this.distribution[bucket < 0 ? this.buckets.length : bucket]!++;
    if (spans.failed(i)) this.errors++;
  }

  counts() {
    const sorted = this.durations.sorted();
    return {
      count: this.durations.count,
      open_count: this.open,
      error_count: this.errors,
      total_s: this.durations.sum / 1e9,
      self_s: this.self / 1e9,
      p50_s: percentile(sorted, 0.5) / 1e9,
      p95_s: percentile(sorted, 0.95) / 1e9,
      sorted,
    };
  }

  stats(spans: SpanSet, wall: number): StageStats {
    const { sorted, ...counts } = this.counts();
    return {
      stage: spans.stages[this.stage]!,
      kind: this.kind,
      ...counts,
      avg_s: counts.total_s / counts.count,
      p99_s: percentile(sorted, 0.99) / 1e9,
      max_s: percentile(sorted, 1) / 1e9,
      share: wall === 0 || this.kind !== 'phase' ? 0 : this.self / wall,
      distribution: this.distribution,
    };
  }
}

function workerStats(worker: string, stage: string, stats: Stage): WorkerStats {
  const { sorted: _, ...counts } = stats.counts();
  return { worker, stage, ...counts };
}

export function waitsOf(s: SessionColumns, chosen: Int32Array): WaitTimes {
  const sum = (column: number[]) => sumOf(column, chosen) / 1e9;
  return {
    queue_s: sum(s.queue_s),
    gap_s: sum(s.gap_s),
    siblings_s: sum(s.siblings_s),
    barrier_s: sum(s.barrier_s),
    unaccounted_s: sum(s.unaccounted_s),
    outside_s: sum(s.outside_s),
  };
}

/** Of equal ones the least name. */
function outsideWorkerOf({ outside }: SessionColumns, chosen: Int32Array): string | null {
  const isChosen = new Set(chosen);
  const sums = new Map<string, number>();
  outside?.session.forEach((session, k) => {
    const worker = outside.workers[outside.worker[k]!]!;
    if (isChosen.has(session)) sums.set(worker, (sums.get(worker) ?? 0) + outside.ns[k]!);
  });
  const [most] = [...sums].sort((a, b) => b[1] - a[1] || order(a[0], b[0]));
  return most?.[0] ?? null;
}

/** The tree of stages within stages, parents first, the longest first within a parent. */
function nestingOf(spans: SpanSet, lanes: Int32Array): NestingNode[] {
  const { path, path_stages, path_parents } = spans.columns;
  const [count, total, self] = [0, 1, 2].map(() => new Float64Array(path_stages.length));
  for (const lane of lanes) {
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      const at = path[i]!;
      if (at < 0) continue;
      count![at]!++;
      total![at]! += spans.duration[i]!;
      self![at]! += spans.self[i]!;
    }
  }
  const below = new Map<number, number[]>();
  // Parents stand first: from the end on, whoever has something below is known before it is looked at.
  const shown = Uint8Array.from(count!, (n) => (n > 0 ? 1 : 0));
  for (let at = path_stages.length - 1; at >= 0; at--) {
    if (!shown[at]) continue;
    const parent = path_parents[at]!;
    if (parent >= 0) shown[parent] = 1;
    known(below, parent, () => [] as number[]).push(at);
  }
  const list: NestingNode[] = [];
  const write = (of: number, parent: number) => {
    const inside = below.get(of) ?? [];
    inside.sort((a, b) => total![b]! - total![a]! || order(path_stages[a]!, path_stages[b]!));
    for (const at of inside) {
      const node = { stage: path_stages[at]!, parent, count: count![at]! };
      const place = list.push({ ...node, total_s: total![at]! / 1e9, self_s: self![at]! / 1e9 }) - 1;
      write(at, place);
    }
  };
  write(-1, -1);
  return list;
}
