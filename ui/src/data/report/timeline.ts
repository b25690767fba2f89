import type { TimelineWindow } from '../source';
import type { LaneInfoColumns, SessionColumns, Timeline } from '../types';
import type { SpanSet } from './SpanSet';

type By = NonNullable<TimelineWindow['by']>;

const DEFAULT_BUDGET = 5000;

/**
 * The spans of a window, the longest as far as the budget goes, lane by lane.
 *
 * @param chosen the sessions; null for everything
 */
export function timelineOf(
  head: { source: string; run: string },
  sessions: SessionColumns,
  spans: SpanSet,
  chosen: Int32Array | null,
  window: TimelineWindow,
): Timeline {
  const by = window.by ?? 'session';
  const lanes = new Lanes(by, sessions, spans);
  const from = window.from === undefined ? 0 : window.from * 1e9 - spans.fromNs;
  const to = window.to === undefined ? Number.POSITIVE_INFINITY : window.to * 1e9 - spans.fromNs;
  const inWindow = collect(spans, chosen, (i) => {
    const [start, end] = [spans.start[i]!, spans.end(i)];
    return start < to && (end > from || (start === end && end === from)) && lanes.has(i);
  });
  const kept = longest(spans, inWindow, window.budget ?? DEFAULT_BUDGET);
  if (by !== 'session') kept.sort((a, b) => lanes.of(a) - lanes.of(b) || spans.start[a]! - spans.start[b]!);
  return write(head, sessions, spans, lanes, kept, {
    from: Math.max(0, from),
    to: Math.min(to, spans.columns.to_ns - spans.fromNs),
    leftOut: inWindow.length - kept.length,
  });
}

function collect(spans: SpanSet, chosen: Int32Array | null, wanted: (i: number) => boolean): number[] {
  const found: number[] = [];
  const add = (lane: number) => {
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) if (wanted(i)) found.push(i);
  };
  if (chosen === null) for (let lane = 0; lane < spans.laneCount; lane++) add(lane);
  else
    for (const session of chosen) if (spans.laneOfSession[session]! >= 0) add(spans.laneOfSession[session]!);
  return found;
}

function longest(spans: SpanSet, found: number[], budget: number): number[] {
  if (found.length <= budget) return found;
  const sorted = Float64Array.from(found, (i) => spans.duration[i]!).sort();
  const least = sorted[sorted.length - budget]!;
  let equal = budget;
  for (let k = sorted.length - 1; k >= 0 && sorted[k]! > least; k--) equal--;
  return found.filter((i) => spans.duration[i]! > least || (spans.duration[i] === least && equal-- > 0));
}

/** What makes a lane. */
class Lanes {
  private readonly places = new Map<string, number>();
  readonly labels: string[] = [];

  constructor(
    readonly by: By,
    private readonly sessions: SessionColumns,
    private readonly spans: SpanSet,
  ) {}

  has(i: number): boolean {
    return this.label(i) !== null;
  }

  of(i: number): number {
    const label = this.label(i)!;
    let place = this.places.get(label);
    if (place === undefined) {
      place = this.labels.push(label) - 1;
      this.places.set(label, place);
    }
    return place;
  }

  private label(i: number): string | null {
    const { sessions, spans } = this;
    const lane = spans.lane[i]!;
    const session = spans.sessionOf(lane);
    switch (this.by) {
      case 'session':
        return session < 0 ? null : sessions.session[session]!;
      case 'worker':
        return spans.columns.workers[spans.worker[i]!] ?? null;
      case 'task':
        return session < 0 ? null : (sessions.tasks[sessions.task[session]!] ?? null);
      case 'lane':
        return session < 0 ? spans.columns.tracks[lane - spans.columns.lane_session.length]! : null;
    }
  }
}

function write(
  head: { source: string; run: string },
  sessions: SessionColumns,
  spans: SpanSet,
  lanes: Lanes,
  kept: number[],
  window: { from: number; to: number; leftOut: number },
): Timeline {
  const places = new Int32Array(spans.count).fill(-1);
  kept.forEach((i, n) => {
    places[i] = n;
  });
  const sessionPlaces = new Map<number, number>();
  const sessionIds: string[] = [];
  const sessionOf = (i: number) => {
    const session = spans.sessionOf(spans.lane[i]!);
    if (session < 0) return -1;
    let place = sessionPlaces.get(session);
    if (place === undefined) {
      place = sessionIds.push(sessions.session[session]!) - 1;
      sessionPlaces.set(session, place);
    }
    return place;
  };
  const parentOf = (i: number) => (spans.parent[i]! < 0 ? -1 : places[spans.parent[i]!]!);
  const lane = kept.map((i) => lanes.of(i));
  return {
    ...head,
    from_ns: spans.fromNs + window.from,
    to_ns: spans.fromNs + window.to,
    by: lanes.by,
    lanes: lanes.labels,
    names: spans.columns.names,
    stages: spans.stages,
    kinds: spans.columns.kinds,
    outcomes: spans.columns.outcomes,
    errors: spans.columns.errors,
    lane,
    session: kept.map(sessionOf),
    sessions: sessionIds,
    name: kept.map((i) => spans.name[i]!),
    stage: kept.map((i) => spans.stage(i)),
    kind: kept.map((i) => spans.kind[i]!),
    outcome: kept.map((i) => spans.outcome[i]!),
    start_ns: kept.map((i) => spans.start[i]! - window.from),
    duration_ns: kept.map((i) => spans.duration[i]!),
    self_ns: kept.map((i) => spans.self[i]!),
    depth: kept.map((i) => spans.depth[i]!),
    parent: kept.map(parentOf),
    error: kept.map((i) => spans.error[i]!),
    open: kept.map((i) => spans.open[i] === 1),
    span_id: kept.map(String),
    lane_info: laneInfo(sessions, spans, lanes, kept, lane),
    left_out: window.leftOut,
  };
}

/** What is known of the lanes, by their first spans; for lanes that are no sessions only what all share. */
function laneInfo(
  sessions: SessionColumns,
  spans: SpanSet,
  lanes: Lanes,
  kept: number[],
  lane: number[],
): LaneInfoColumns | null {
  if (lanes.by !== 'session') return null;
  const of = new Int32Array(lanes.labels.length);
  kept.forEach((i, n) => {
    of[lane[n]!] = spans.sessionOf(spans.lane[i]!);
  });
  const s = sessions;
  const each = <T>(value: (session: number) => T) => Array.from(of, value);
  return {
    session: each((i) => s.session[i]!),
    task: each((i) => s.tasks[s.task[i]!] ?? null),
    task_name: each((i) => s.task_names[s.task_name[i]!] ?? null),
    worker: each((i) => s.workers[s.worker[i]!] ?? null),
    status: each((i) => s.statuses[s.status[i]!]!),
    batch: each((i) => s.batches[s.batch[i]!] ?? null),
    start_s: each((i) => s.start_s[i]!),
    wall_s: each((i) => s.wall_s[i]!),
  };
}
