// Generated answers of the API: a timeline of many spans and a live board of many running sessions. The same numbers give the same bytes.

const ORIGIN_S = 1_794_700_000;
const WORKERS = 16;
const SESSIONS_PER_TASK = 8;
const STAGES = [
  'session',
  'agent.run',
  'rollout.generate',
  'engine.queue',
  'engine.prefill',
  'engine.decode',
  'toolcall',
  'sandbox.exec',
  'judger',
];

/** A small generator of numbers between 0 and 1 (mulberry32), because Math.random cannot be repeated. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sessions of agents with several turns, started in waves; 2 % of the spans fail, the last wave is open. */
export function timeline(spans, by) {
  const random = numbers(7);
  const columns = { lane: [], name: [], stage: [], kind: [], outcome: [], session: [], error: [], parent: [], depth: [] };
  const [start_ns, duration_ns, self_ns, open, span_id] = [[], [], [], [], []];
  const sessions = [];
  const info = { session: [], task: [], task_name: [], worker: [], status: [], batch: [], start_s: [], wall_s: [] };
  const add = (session, stage, parent, depth, start, seconds, isOpen) => {
    const failed = !isOpen && random() < 0.02;
    columns.lane.push(by === 'worker' ? session % WORKERS : session);
    columns.name.push(stage);
    columns.stage.push(stage);
    columns.kind.push(stage === 0 ? 0 : 1);
    columns.outcome.push(isOpen ? 2 : failed ? 1 : 0);
    columns.session.push(session);
    columns.error.push(failed ? 0 : -1);
    columns.parent.push(parent);
    columns.depth.push(depth);
    start_ns.push(Math.round(start * 1e9));
    duration_ns.push(Math.round(seconds * 1e9));
    self_ns.push(0);
    open.push(isOpen);
    span_id.push(span_id.length.toString(16).padStart(16, '0'));
    return span_id.length - 1;
  };
  const end = 3600;
  while (span_id.length < spans) {
    const session = sessions.length;
    const wave = Math.floor(random() ** 0.9 * 12);
    const begin = wave * 300 + random() * 20;
    const wall = Math.min(60 + 240 * random() ** 6 + 120 * random(), end - begin);
    const isOpen = begin + wall >= end;
    const root = add(session, 0, -1, 0, begin, wall, isOpen);
    const run = add(session, 1, root, 1, begin + 0.1, wall - 0.2, isOpen);
    const turns = 4 + Math.floor(random() * 6);
    for (let turn = 0, at = begin + 0.2; turn < turns && span_id.length + 6 <= spans; turn++) {
      const length = (wall - 0.5) / turns;
      const generate = add(session, 2, run, 2, at, length * 0.7, false);
      add(session, 3, generate, 3, at + 0.001, length * 0.05, false);
      add(session, 4, generate, 3, at + length * 0.06, length * 0.04, false);
      add(session, 5, generate, 3, at + length * 0.1, length * 0.59, false);
      const tool = add(session, 6, run, 2, at + length * 0.72, length * 0.2, false);
      add(session, 7, tool, 3, at + length * 0.73, length * 0.15, false);
      at += length;
    }
    if (span_id.length < spans) add(session, 8, run, 2, begin + wall - 0.25, 0.04, false);
    sessions.push(`math:${session}`);
    if (by === 'worker') continue;
    info.session.push(`math:${session}`);
    info.task.push(String(Math.floor(session / SESSIONS_PER_TASK)));
    info.task_name.push('math');
    info.worker.push(`rank ${session % WORKERS}`);
    info.status.push(isOpen ? 'running' : 'completed');
    info.batch.push(`train_step=${wave}`);
    info.start_s.push(ORIGIN_S + begin);
    info.wall_s.push(wall);
  }
  const workers = Array.from({ length: WORKERS }, (_, w) => `rank ${w}`);
  return {
    source: 'bench',
    run: 'bench',
    from_ns: ORIGIN_S * 1e9,
    to_ns: (ORIGIN_S + end) * 1e9,
    by,
    lanes: by === 'worker' ? workers : sessions,
    names: STAGES,
    stages: STAGES,
    kinds: ['session', 'phase'],
    outcomes: ['ok', 'error', 'open'],
    sessions,
    errors: ['TimeoutError: no answer within 30 s'],
    ...columns,
    start_ns,
    duration_ns,
    self_ns,
    open,
    span_id,
    lane_info: by === 'worker' ? null : info,
    left_out: 0,
  };
}

const LIVE_STAGES = ['engine.decode', 'toolcall', 'judger'];

function liveRow(i, random, atS) {
  const stage = LIVE_STAGES[Math.floor(random() * LIVE_STAGES.length)];
  return {
    trace_id: null,
    session: `math:${i}`,
    task: String(Math.floor(i / SESSIONS_PER_TASK)),
    task_name: 'math',
    batch: 'train_step=12',
    start_s: atS - 300,
    status: 'running',
    source_status: null,
    stage,
    latest_stage: stage,
    open_span: stage,
    open_age_s: random() ** 4 * 300,
    usual_p95_s: 38,
    suspect: false,
    latest_timestamp_s: atS,
    event_count: 12,
    worker: `rank ${i % WORKERS}`,
    train_step: 12,
  };
}

function liveHead(sessions, atS) {
  const each = Math.floor(sessions / LIVE_STAGES.length);
  const none = { queued: 0, completed: 0, accepted: 0, rejected: 0, failed: 0, dropped: 0, cancelled: 0, lost: 0 };
  return {
    generated_at_s: atS,
    event_count: sessions * 9,
    raw_event_count: sessions * 9,
    session_summary: { total: sessions, running: sessions, ...none },
    task_summary: {
      total_tasks: Math.ceil(sessions / SESSIONS_PER_TASK),
      running_tasks: Math.ceil(sessions / SESSIONS_PER_TASK),
      completed_tasks: 0,
      current_stage_counts: Object.fromEntries(LIVE_STAGES.map((s) => [s, each])),
    },
    open_span_summaries: LIVE_STAGES.map((span, i) => ({
      span,
      stage: span,
      open_count: each,
      oldest_age_s: 300,
      p50_age_s: 14,
      p95_age_s: 40,
      usual_p50_s: 14,
      usual_p95_s: 38,
      suspect: true,
      oldest_trace_id: null,
      oldest_session: `math:${i}`,
      worker: 'rank 3',
    })),
    workers: Array.from({ length: WORKERS }, (_, w) => ({
      worker: `rank ${w}`,
      open: Math.floor(sessions / WORKERS),
      oldest_age_s: 300,
      last_event_s: atS,
      state: 'alive',
      finished: 100,
      failed: 0,
    })),
    batch: { batch: 'train_step=12', train_step: 12, start_s: ORIGIN_S, sessions, ended: 0 },
    finished_last_minute: 0,
    dropped: {},
  };
}

export function liveSnapshot(sessions) {
  const random = numbers(11);
  const rows = Array.from({ length: sessions }, (_, i) => liveRow(i, random, ORIGIN_S));
  const rest = { source: 'bench', run: 'bench', scope: 'active', other_runs: [], skipped_lines: { count: 0, examples: [] } };
  return { ...liveHead(sessions, ORIGIN_S), ...rest, rows };
}

/** @param changed rows that have news */
export function liveDelta(sessions, number, changed) {
  const random = numbers(100 + number);
  const atS = ORIGIN_S + number;
  const rows = Array.from({ length: changed }, () => liveRow(Math.floor(random() * sessions), random, atS));
  return { ...liveHead(sessions, atS), rows, removed: [] };
}

export const RUN = {
  run: 'bench',
  project: null,
  system: 'bench',
  state: 'live',
  first_s: ORIGIN_S,
  last_s: ORIGIN_S + 3600,
  batches: 12,
  sessions: 1,
  spans: 1,
  open_spans: 1,
};

export const BATCHES = {
  source: 'bench',
  run: 'bench',
  left_out: 0,
  batches: Array.from({ length: 12 }, (_, i) => ({
    batch: `train_step=${11 - i}`,
    train_step: 11 - i,
    model_step: null,
    future_step: null,
    sessions: 512,
    statuses: { completed: 512 },
    start_s: ORIGIN_S + (11 - i) * 300,
    end_s: ORIGIN_S + (12 - i) * 300,
    wall_s: 300,
    slots: 512,
    tail_s: 10,
    tail_cost_s: 10,
    session_s: 10,
    stages: {},
    waits: { queue_s: 0, gap_s: 0, barrier_s: 0, unaccounted_s: 0, outside_s: 0 },
    stragglers: [],
  })),
};

export function occupancy() {
  const start_s = Array.from({ length: 150 }, (_, i) => ORIGIN_S - 600 + i * 4);
  const flat = (n) => start_s.map(() => n);
  return {
    source: 'bench',
    run: 'bench',
    scope: 'all',
    from_ns: (ORIGIN_S - 600) * 1e9,
    to_ns: ORIGIN_S * 1e9,
    bucket_ns: 4e9,
    start_s,
    alive: flat(9000),
    stages: Object.fromEntries(LIVE_STAGES.map((s) => [s, flat(3000)])),
    waits: { queue: flat(0), gap: flat(0), barrier: flat(0), unaccounted: flat(0) },
    sessions: 10_000,
    left_out: 0,
  };
}
