import type { Session, SessionColumns, SpanLine } from '../types';
import { pieces, WAIT_NAMES } from './pieces';
import type { SpanSet } from './SpanSet';

const MOST_SIBLINGS = 64;
const MOST_SEGMENTS = 10_000;

/** All that columns tell of a session; what only its source says is not known. */
export function sessionOf(
  head: { source: string; run: string },
  sessions: SessionColumns,
  spans: SpanSet,
  place: number,
): Session {
  const s = sessions;
  const lane = spans.laneOfSession[place]!;
  const wall = s.wall_s[place]!;
  return {
    ...head,
    session: s.session[place]!,
    trace_id: null,
    task: s.tasks[s.task[place]!] ?? null,
    task_name: s.task_names[s.task_name[place]!] ?? null,
    batch: s.batches[s.batch[place]!] ?? null,
    train_step: s.train_step[place] ?? null,
    model_step: null,
    future_step: null,
    worker: s.workers[s.worker[place]!] ?? null,
    status: s.statuses[s.status[place]!]!,
    source_status: null,
    reason: s.reasons[s.reason[place]!] ?? null,
    relative_clock: false,
    start_s: s.start_s[place]!,
    end_s: s.end_s[place]!,
    finalised: s.finalised[place]!,
    wall_s: wall,
    stages: stagesOf(spans, lane, wall),
    waits: {
      queue_s: s.queue_s[place]!,
      gap_s: s.gap_s[place]!,
      barrier_s: s.barrier_s[place]!,
      unaccounted_s: s.unaccounted_s[place]!,
      outside_s: 0,
    },
    spans: linesOf(spans, lane),
    siblings: siblingsOf(s, place),
    attributes: {},
    segments: segmentsOf(s, spans, place),
    events: null,
  };
}

function* inLane(spans: SpanSet, lane: number): Generator<number> {
  if (lane < 0) return;
  for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) yield i;
}

function stagesOf(spans: SpanSet, lane: number, wall: number): Session['stages'] {
  const sums = new Map<string, { count: number; self: number }>();
  for (const i of inLane(spans, lane)) {
    if (!spans.work[i]) continue;
    const sum = sums.get(spans.stageOf(i)) ?? { count: 0, self: 0 };
    sum.count++;
    sum.self += spans.self[i]!;
    sums.set(spans.stageOf(i), sum);
  }
  return [...sums]
    .map(([stage, { count, self }]) => ({
      stage,
      count,
      self_s: self / 1e9,
      share: wall === 0 ? 0 : self / 1e9 / wall,
    }))
    .sort((a, b) => b.self_s - a.self_s);
}

function linesOf(spans: SpanSet, lane: number): SpanLine[] {
  const { names, kinds, outcomes, workers, errors } = spans.columns;
  const critical = new Set<number>();
  for (const i of inLane(spans, lane)) {
    if (!spans.work[i] || spans.self[i] === 0) continue;
    for (let on = i; on >= 0 && !critical.has(on); on = spans.parent[on]!) critical.add(on);
  }
  return Array.from(inLane(spans, lane), (i) => ({
    span: names[spans.name[i]!]!,
    span_id: String(i),
    parent_id: spans.parent[i]! < 0 ? null : String(spans.parent[i]),
    kind: kinds[spans.kind[i]!]!,
    critical: critical.has(i),
    stage: spans.stageOf(i),
    outcome: outcomes[spans.outcome[i]!]!,
    depth: spans.depth[i]!,
    start_s: spans.seconds(spans.start[i]!),
    end_s: spans.open[i] ? null : spans.seconds(spans.end(i)),
    duration_s: spans.duration[i]! / 1e9,
    self_s: spans.self[i]! / 1e9,
    worker: workers[spans.worker[i]!] ?? null,
    train_step: null,
    status: null,
    error: errors[spans.error[i]!] ?? null,
    clock_disagrees: false,
    attributes: {},
  }));
}

function siblingsOf(s: SessionColumns, place: number): Session['siblings'] {
  const siblings: Session['siblings'] = [];
  const task = s.task[place]!;
  for (let i = 0; task >= 0 && i < s.session.length && siblings.length < MOST_SIBLINGS; i++) {
    if (i !== place && s.task[i] === task) {
      siblings.push({ session: s.session[i]!, status: s.statuses[s.status[i]!]!, wall_s: s.wall_s[i]! });
    }
  }
  return siblings;
}

function segmentsOf(s: SessionColumns, spans: SpanSet, place: number): [number, number, string][] {
  const segments: [number, number, string][] = [];
  const lane = spans.laneOfSession[place]!;
  if (lane < 0) return segments;
  const since = s.start_s[place]! * 1e9 - spans.fromNs;
  const until = since + s.wall_s[place]! * 1e9;
  pieces(spans, lane, since, until, s.finalised[place]!, (leaf, from, to) => {
    const name = leaf < 0 ? WAIT_NAMES[leaf]! : spans.stageOf(leaf);
    const last = segments.at(-1);
    if (last?.[2] === name) last[1] = spans.seconds(to);
    else if (segments.length < MOST_SEGMENTS) segments.push([spans.seconds(from), spans.seconds(to), name]);
  });
  return segments;
}
