import type { Session, SessionColumns, SpanLine } from '../types';
import { nanos, waitsOf } from './hotspots';
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
    trace_id: s.trace_id[place] ?? s.session[place]!,
    task: s.tasks[s.task[place]!] ?? null,
    task_name: s.task_names[s.task_name[place]!] ?? null,
    batch: s.batches[s.batch[place]!] ?? null,
    train_step: s.train_step[place] ?? null,
    model_step: null,
    future_step: null,
    worker: s.workers[s.worker[place]!] ?? null,
    status: s.statuses[s.status[place]!]!,
    source_status: s.source_statuses[s.source_status[place]!] ?? null,
    reason: s.reasons[s.reason[place]!] ?? null,
    relative_clock: spans.isRelative(place),
    start_s: s.start_s[place]!,
    end_s: s.end_s[place]!,
    finalised: s.finalised[place]!,
    wall_s: wall,
    work_s: s.work_s[place]!,
    own_s: s.own_s[place]!,
    reward: s.reward?.[place] ?? null,
    input_tokens: s.input_tokens?.[place] ?? null,
    output_tokens: s.output_tokens?.[place] ?? null,
    stages: stagesOf(spans, lane, nanos(wall) - nanos(s.barrier_s[place]!)),
    waits: waitsOf(s, Int32Array.of(place)),
    spans: linesOf(spans, lane),
    siblings: siblingsOf(s, spans, place),
    attributes: {},
    segments: segmentsOf(spans, lane),
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
      share: wall === 0 ? 0 : self / wall,
    }))
    .sort((a, b) => b.self_s - a.self_s);
}

function linesOf(spans: SpanSet, lane: number): SpanLine[] {
  const { names, kinds, outcomes, workers, errors } = spans.columns;
  return Array.from(inLane(spans, lane), (i) => ({
    span: names[spans.name[i]!]!,
    span_id: String(i),
    parent_id: spans.parent[i]! < 0 ? null : String(spans.parent[i]),
    kind: kinds[spans.kind[i]!]!,
    critical: spans.columns.critical[i] === 1,
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
    clock_disagrees: spans.clockDisagrees[i] === 1,
    attributes: {},
  }));
}

function siblingsOf(s: SessionColumns, spans: SpanSet, place: number): Session['siblings'] {
  const siblings: Session['siblings'] = [];
  const { lane_group, lane_session } = spans.columns;
  const lane = spans.laneOfSession[place]!;
  const group = lane_group[lane] ?? -1;
  for (let other = 0; group >= 0 && other < lane_group.length && siblings.length < MOST_SIBLINGS; other++) {
    if (other === lane || lane_group[other] !== group) continue;
    const i = lane_session[other]!;
    siblings.push({
      session: s.session[i]!,
      status: s.statuses[s.status[i]!]!,
      wall_s: s.wall_s[i]!,
      work_s: s.work_s[i]!,
    });
  }
  return siblings;
}

function segmentsOf(spans: SpanSet, lane: number): [number, number, string][] {
  const segments: [number, number, string][] = [];
  if (lane < 0) return segments;
  const seconds = (after: number) => spans.seconds(spans.laneFrom[lane]! + after);
  spans.eachPiece(lane, (leaf, from, to) => {
    const name = spans.placeOf(leaf);
    const last = segments.at(-1);
    if (last?.[2] === name) last[1] = seconds(to);
    else if (segments.length < MOST_SEGMENTS) segments.push([seconds(from), seconds(to), name]);
  });
  return segments;
}
