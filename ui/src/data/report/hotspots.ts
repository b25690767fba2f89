import type { Hotspots, NestingNode, SessionColumns, StageStats, WaitTimes, WorkerStats } from '../types';
import { Numbers, percentile } from './percentiles';
import type { SpanSet } from './SpanSet';

/** 1 ms to 100,000 s, four to a power of ten. */
const BUCKETS_S = Array.from({ length: 33 }, (_, k) => 10 ** ((k - 12) / 4));
const MOST_NODES = 500;
const OTHER = '(other)';

/** Where the time of some sessions went, told from their spans; what is not about them is as in `all`. */
export function hotspotsOf(
  all: Hotspots,
  sessions: SessionColumns,
  spans: SpanSet,
  chosen: Int32Array,
): Hotspots {
  const lanes = lanesOf(spans, chosen);
  const stages = new Map<number, Stage>();
  let wall = 0;
  let spanCount = 0;
  let tasks = 0;
  let [first, last, longest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const i of chosen) wall += sessions.wall_s[i]!;
  for (const lane of lanes) {
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (!spans.work[i]) continue;
      spanCount++;
      from = Math.min(from, spans.start[i]!);
      to = Math.max(to, spans.end(i));
      const key = spans.stage(i);
      let stage = stages.get(key);
      if (!stage) {
        stage = new Stage();
        stages.set(key, stage);
      }
      stage.add(spans, i);
    }
    if (from > to) continue;
    tasks++;
    first = Math.min(first, from);
    last = Math.max(last, to);
    longest = Math.max(longest, to - from);
  }
  return {
    ...all,
    task_count: tasks,
    session_count: chosen.length,
    span_count: spanCount,
    timeline_start_s: tasks ? spans.seconds(first) : 0,
    timeline_end_s: tasks ? spans.seconds(last) : 1,
    max_task_duration_s: longest / 1e9,
    buckets_s: BUCKETS_S,
    stage_stats: [...stages]
      .map(([key, stage]) => stage.stats(spans.stages[key]!, wall))
      .sort((a, b) => b.p95_s - a.p95_s || b.total_s - a.total_s || (a.stage < b.stage ? -1 : 1)),
    nesting: nestingOf(spans, lanes),
    workers: workersOf(spans, lanes),
    workers_left_out: 0,
    waits: waitsOf(sessions, chosen),
    errors: [],
  };
}

export function lanesOf(spans: SpanSet, chosen: Int32Array): Int32Array {
  return chosen.map((session) => spans.laneOfSession[session]!).filter((lane) => lane >= 0);
}

class Stage {
  private readonly durations = new Numbers();
  private readonly distribution = new Array<number>(BUCKETS_S.length + 1).fill(0);
  private self = 0;
  private open = 0;
  private errors = 0;

  add(spans: SpanSet, i: number): void {
    const seconds = spans.duration[i]! / 1e9;
    this.durations.add(seconds);
    this.self += spans.self[i]!;
    if (spans.open[i]) {
      this.open++;
      return;
    }
    const bucket = BUCKETS_S.findIndex((bound) => seconds <= bound);
    this.distribution[bucket < 0 ? BUCKETS_S.length : bucket]!++;
    if (isError(spans, i)) this.errors++;
  }

  counts() {
    const sorted = this.durations.sorted();
    return {
      count: this.durations.count,
      open_count: this.open,
      error_count: this.errors,
      total_s: this.durations.sum,
      self_s: this.self / 1e9,
      p50_s: percentile(sorted, 0.5),
      p95_s: percentile(sorted, 0.95),
      sorted,
    };
  }

  stats(stage: string, wall: number): StageStats {
    const { sorted, ...counts } = this.counts();
    return {
      stage,
      kind: 'phase',
      ...counts,
      avg_s: counts.total_s / counts.count,
      p99_s: percentile(sorted, 0.99),
      max_s: percentile(sorted, 1),
      share: wall === 0 ? 0 : counts.self_s / wall,
      distribution: this.distribution,
    };
  }
}

export function isError(spans: SpanSet, i: number): boolean {
  return spans.columns.outcomes[spans.outcome[i]!] === 'error';
}

function waitsOf(sessions: SessionColumns, chosen: Int32Array): WaitTimes {
  const sum = (column: number[]) => chosen.reduce((total, i) => total + column[i]!, 0);
  return {
    queue_s: sum(sessions.queue_s),
    gap_s: sum(sessions.gap_s),
    barrier_s: sum(sessions.barrier_s),
    unaccounted_s: sum(sessions.unaccounted_s),
    outside_s: 0,
  };
}

function workersOf(spans: SpanSet, lanes: Int32Array): WorkerStats[] {
  const byWorker = new Map<string, { worker: number; stage: number; stats: Stage }>();
  for (const lane of lanes) {
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (!spans.work[i] || spans.worker[i]! < 0) continue;
      const key = `${spans.worker[i]} ${spans.stage(i)}`;
      let known = byWorker.get(key);
      if (!known) {
        known = { worker: spans.worker[i]!, stage: spans.stage(i), stats: new Stage() };
        byWorker.set(key, known);
      }
      known.stats.add(spans, i);
    }
  }
  return [...byWorker.values()]
    .map(({ worker, stage, stats }) => {
      const { sorted: _, ...counts } = stats.counts();
      return { worker: spans.columns.workers[worker]!, stage: spans.stages[stage]!, ...counts };
    })
    .sort((a, b) => b.total_s - a.total_s);
}

type Node = { stage: string; count: number; total: number; self: number; below: Map<string, Node> };

const newNode = (stage: string): Node => ({ stage, count: 0, total: 0, self: 0, below: new Map() });

/** The tree of stages within stages, parents first; containers are looked through. */
function nestingOf(spans: SpanSet, lanes: Int32Array): NestingNode[] {
  const root = newNode('');
  const nodes = new Map<number, Node>();
  let count = 0;
  for (const lane of lanes) {
    nodes.clear();
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (!spans.work[i]) continue;
      let above = spans.parent[i]!;
      while (above >= 0 && !spans.work[above]) above = spans.parent[above]!;
      const parent = nodes.get(above) ?? root;
      let stage = spans.stageOf(i);
      if (!parent.below.has(stage) && count >= MOST_NODES) stage = OTHER;
      let node = parent.below.get(stage);
      if (!node) {
        node = newNode(stage);
        parent.below.set(stage, node);
        count++;
      }
      node.count++;
      node.total += spans.duration[i]!;
      node.self += spans.self[i]!;
      nodes.set(i, node);
    }
  }
  const list: NestingNode[] = [];
  const write = (node: Node, parent: number) => {
    for (const child of [...node.below.values()].sort((a, b) => b.total - a.total)) {
      const place = list.length;
      list.push({
        stage: child.stage,
        parent,
        count: child.count,
        total_s: child.total / 1e9,
        self_s: child.self / 1e9,
      });
      write(child, place);
    }
  };
  write(root, -1);
  return list;
}
