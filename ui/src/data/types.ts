// The answers of the HTTP API (docs/api.md), as they arrive. Keys marked optional may be absent in older servers.

export type SessionStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'accepted'
  | 'rejected'
  | 'failed'
  | 'dropped'
  | 'cancelled'
  | 'lost';

export const STATUSES: readonly SessionStatus[] = [
  'queued',
  'running',
  'completed',
  'accepted',
  'rejected',
  'failed',
  'dropped',
  'cancelled',
  'lost',
];

export type RunState = 'live' | 'silent' | 'ended' | 'finished';

export type Run = {
  run: string;
  project: string | null;
  system: string | null;
  state: RunState;
  first_s: number;
  last_s: number;
  batches: number;
  sessions: number;
  spans: number;
  open_spans: number;
};

export type Runs = { runs: Run[]; next_cursor: string | null };

export type SkippedLines = { count: number; examples: { file: string; line: number; reason: string }[] };

// ── live

export type SessionSummary = Record<'total' | SessionStatus, number>;

export type TaskSummary = {
  total_tasks: number;
  running_tasks: number;
  completed_tasks: number;
  current_stage_counts: Record<string, number>;
};

export type OpenSpanSummary = {
  span: string;
  stage: string;
  open_count: number;
  oldest_age_s: number;
  p50_age_s: number;
  p95_age_s: number;
  usual_p50_s?: number | null;
  usual_p95_s: number | null;
  suspect: boolean;
  oldest_trace_id: string | null;
  oldest_session: string | null;
  worker: string | null;
};

export type LiveRow = {
  trace_id: string | null;
  session: string;
  task?: string | null;
  task_name: string | null;
  status: SessionStatus;
  source_status: string | null;
  stage: string | null;
  latest_stage: string | null;
  open_span: string | null;
  open_age_s: number | null;
  usual_p95_s: number | null;
  suspect: boolean;
  latest_timestamp_s: number | null;
  event_count: number;
  worker: string | null;
  batch?: string | null;
  train_step: number | null;
  /** Its own work is done, and it waits for these. */
  waits_for?: 'siblings' | 'verdict' | null;
};

/** A process that ended with open work, or is silent. */
export type LiveProcess = {
  worker: string | null;
  role: string | null;
  rank: number | null;
  host: string | null;
  pid: number | null;
  state: 'lost' | 'silent';
  since_s: number;
  sessions: number;
  batches: string[];
  /** Whether another process works in its place since. */
  replaced: boolean;
};

export type LiveWorker = {
  worker: string;
  /** null for processes that send no beats. */
  state: 'alive' | 'silent' | 'lost' | null;
  last_event_s: number | null;
  open_spans?: number;
};

/** How far a batch is, as of the live report. */
export type LiveBatch = {
  batch: string;
  train_step: number | null;
  start_s: number;
  sessions: number;
  ended: number;
};

/** What a process says it had to drop. */
export type DroppedBy = {
  worker: string | null;
  host: string | null;
  pid: number | null;
  spans: number;
  starts: number;
  metrics: number;
  /** Shortened or left out; absent in reports of earlier versions. */
  attributes?: number;
  /** Spans of pieces that were deleted to keep a folder below its limit. */
  deleted?: number;
};

/** What snapshots and deltas have in common: replaced as a whole. */
type LiveHead = {
  generated_at_s: number;
  /** Whether that is the run's last event: nothing comes in while it happens. */
  past?: boolean;
  event_count: number;
  raw_event_count: number;
  session_summary: SessionSummary;
  task_summary: TaskSummary;
  open_span_summaries: OpenSpanSummary[];
  dropped: Record<string, number>;
  /** The processes that dropped most, at most 20. */
  dropped_by?: DroppedBy[];
  workers?: LiveWorker[];
  processes?: LiveProcess[];
  /** The batch that something last happened in. */
  batch?: LiveBatch | null;
  /** Sessions that ended in the last minute. */
  finished_last_minute?: number;
  /** Sessions, whatever is filtered; a report counts them itself. */
  overdue?: number;
};

export type LiveReport = LiveHead & {
  source: string;
  run: string;
  scope: string;
  rows: LiveRow[];
  other_runs: string[];
  skipped_lines: SkippedLines;
};

export type LiveDelta = LiveHead & { rows: LiveRow[]; removed: string[] };

// ── hotspots

export type WaitTimes = {
  queue_s: number;
  gap_s: number;
  /** Its own work was done, others of its group were not. */
  siblings_s: number;
  barrier_s: number;
  unaccounted_s: number;
  outside_s: number;
};

export type StageStats = {
  stage: string;
  kind: string;
  count: number;
  open_count: number;
  error_count: number;
  total_s: number;
  self_s: number;
  avg_s: number;
  p50_s: number;
  p95_s: number;
  p99_s: number;
  max_s: number;
  share: number;
  /** Closed spans by duration: one count per bound of `buckets_s`, and one above all. */
  distribution?: number[];
};

/** A stage below another: `parent` is a place in the list, -1 at the top. Parents come first. */
export type NestingNode = { stage: string; parent: number; count: number; total_s: number; self_s: number };

/** What one worker did of one stage. */
export type WorkerStats = {
  worker: string;
  stage: string;
  count: number;
  open_count: number;
  error_count: number;
  total_s: number;
  self_s: number;
  p50_s: number;
  p95_s: number;
};

export type ErrorGroup = {
  stage: string;
  error: string;
  count: number;
  sessions: number;
  first_s: number;
  last_s: number;
  examples: string[];
};

export type Hotspots = {
  source: string;
  run: string;
  scope: string;
  task_count: number;
  session_count: number;
  span_count: number;
  timeline_start_s: number;
  timeline_end_s: number;
  max_task_duration_s: number;
  buckets_s?: number[];
  stage_stats: StageStats[];
  /** Only if asked for. */
  nesting?: NestingNode[] | null;
  workers?: WorkerStats[] | null;
  workers_left_out?: number;
  waits: WaitTimes;
  /** Whose spans lie outside their sessions for the longest in sum. */
  outside_worker?: string | null;
  clock_disagrees: number;
  errors: ErrorGroup[];
  other_runs: string[];
  skipped_lines: SkippedLines;
};

export type Errors = { source: string; run: string; scope: string; errors: ErrorGroup[]; left_out: number };

// ── sessions

export type Distribution = Record<
  'count' | 'mean' | 'min' | 'max' | 'p25' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99',
  number
>;

export type SessionRow = {
  session: string;
  trace_id: string | null;
  batch: string | null;
  train_step: number | null;
  task: string | null;
  task_name: string | null;
  status: SessionStatus;
  source_status: string | null;
  reason: string | null;
  worker: string | null;
  start_s: number;
  end_s: number | null;
  finalised: boolean;
  relative_clock: boolean;
  wall_s: number;
  /** Until its own work was done, and until it only waited for others. */
  work_s: number;
  own_s: number;
  waits: WaitTimes;
  span_count: number;
  open_count: number;
  error_count: number;
  /** Absent in answers of earlier versions, as tokens are. */
  reward?: number | null;
  input_tokens?: number | null;
  output_tokens?: number | null;
};

export type Sessions = {
  source: string;
  run: string;
  scope: string;
  records: number;
  status_counts: Record<string, number>;
  statuses: Partial<Record<SessionStatus, number>>;
  reason_counts: Record<string, number>;
  rank_counts: Record<string, number>;
  role_counts: Record<string, number>;
  metrics: Record<string, Distribution>;
  span_counts: Record<string, number>;
  counters: Record<string, number>;
  null_end_spans: number;
  step_rule: string;
  step_note: string | null;
  steps: { step: number; end_offset_s: number; sessions: number; accepted: number }[];
  unassigned_sessions: number;
  errors: ErrorGroup[];
  skipped_lines?: SkippedLines;
  total: number;
  rows: SessionRow[];
  next_cursor: string | null;
};

/** All sessions by column, in order of start; places in the dictionaries, -1 is none. */
export type SessionColumns = {
  source: string;
  run: string;
  scope: string;
  total: number;
  left_out: number;
  statuses: SessionStatus[];
  batches: string[];
  tasks: string[];
  task_names: string[];
  workers: string[];
  reasons: string[];
  source_statuses: string[];
  inferred_groups: string[];
  session: string[];
  /** null where it is the session's id. */
  trace_id: (string | null)[];
  status: number[];
  batch: number[];
  task: number[];
  task_name: number[];
  worker: number[];
  reason: number[];
  source_status: number[];
  inferred_group: number[];
  start_s: number[];
  wall_s: number[];
  end_s: number[];
  work_s: number[];
  own_s: number[];
  finalised: boolean[];
  queue_s: number[];
  gap_s: number[];
  siblings_s: number[];
  barrier_s: number[];
  unaccounted_s: number[];
  outside_s: number[];
  /** Whose spans these are: per entry places of session and worker. */
  outside?: { workers: string[]; session: number[]; worker: number[]; ns: number[] };
  span_count: number[];
  open_count: number[];
  error_count: number[];
  train_step: (number | null)[];
  /** Absent in reports of earlier versions, as tokens are. */
  reward?: (number | null)[];
  input_tokens?: (number | null)[];
  output_tokens?: (number | null)[];
};

/** Where the work of a span stood when its process was asked; frames are innermost first. */
export type SpanStack = { summary: string | null; at_s: number | null; frames: string[] };

export type SpanLine = {
  span: string;
  span_id?: string;
  parent_id?: string | null;
  kind?: string;
  /** It was the blocking leaf at some time, or is an ancestor of one. */
  critical?: boolean;
  attributes?: Record<string, string>;
  stack?: SpanStack | null;
  stage: string;
  outcome: string;
  depth: number;
  start_s: number;
  end_s: number | null;
  duration_s: number;
  self_s: number;
  worker: string | null;
  train_step: number | null;
  status: string | null;
  error: string | null;
  clock_disagrees: boolean;
};

export type Session = {
  source: string;
  run: string;
  session: string;
  trace_id: string | null;
  task: string | null;
  task_name: string | null;
  batch: string | null;
  train_step: number | null;
  model_step: number | null;
  future_step: number | null;
  worker: string | null;
  status: SessionStatus;
  source_status: string | null;
  reason: string | null;
  relative_clock: boolean;
  start_s: number;
  end_s: number;
  finalised: boolean;
  wall_s: number;
  work_s: number;
  own_s: number;
  /** Absent in reports of earlier versions, as tokens are. */
  reward?: number | null;
  input_tokens?: number | null;
  output_tokens?: number | null;
  stages: { stage: string; count: number; self_s: number; share: number }[];
  waits: WaitTimes;
  spans: SpanLine[];
  siblings: { session: string; status: SessionStatus; wall_s: number; work_s: number }[];
  attributes: Record<string, string>;
  attributes_cut?: boolean;
  /** Where it was at each time, in order: from, to, stage or wait. */
  segments?: [number, number, string][];
  events: string[] | null;
};

// ── batches, timeline, occupancy

export type Batch = {
  batch: string;
  train_step: number | null;
  model_step: number | null;
  future_step: number | null;
  sessions: number;
  statuses: Partial<Record<SessionStatus, number>>;
  start_s: number;
  end_s: number;
  wall_s: number;
  slots: number;
  tail_s: number;
  tail_cost_s: number;
  session_s: number;
  /** How long training, weight sync and the like took. */
  parts?: Record<string, number>;
  stages: Record<string, number>;
  waits: WaitTimes;
  stragglers: Straggler[];
};

/** A session that its step waited for. */
export type Straggler = {
  session: string;
  status: SessionStatus;
  worker: string | null;
  wall_s: number;
  /** Without queue, siblings and barrier. */
  own_s: number;
  longest_in: string | null;
  longest_s: number;
};

export type Batches = { source: string; run: string; batches: Batch[]; left_out: number };

/** Columns: the n-th entry of each list is about the n-th span; -1 is none. */
export type Timeline = {
  source: string;
  run: string;
  from_ns: number;
  to_ns: number;
  by: string;
  lanes: string[];
  names: string[];
  stages: string[];
  kinds: string[];
  outcomes: string[];
  sessions: string[];
  lane: number[];
  name: number[];
  stage: number[];
  kind: number[];
  outcome: number[];
  session: number[];
  start_ns: number[];
  duration_ns: number[];
  open: boolean[];
  span_id: string[];
  /** Place of its parent in these lists. */
  parent?: number[];
  self_ns?: number[];
  depth?: number[];
  errors?: string[];
  /** Place in `errors`. */
  error?: number[];
  overlapped?: string[];
  /** Of states: place in `overlapped` of what else its process had open on the lane. */
  overlaps?: number[];
  lane_info?: LaneInfoColumns | null;
  left_out: number;
};

/** What is known of a lane; for lanes that are sessions, that session. */
export type LaneInfo = {
  session: string | null;
  task: string | null;
  task_name: string | null;
  worker: string | null;
  status: SessionStatus | null;
  batch: string | null;
  start_s: number | null;
  wall_s: number | null;
};

export type LaneInfoColumns = { [K in keyof LaneInfo]?: LaneInfo[K][] | null };

export type Occupancy = {
  source: string;
  run: string;
  scope: string;
  from_ns: number;
  to_ns: number;
  bucket_ns: number;
  start_s: number[];
  alive: number[];
  stages: Record<string, number[]>;
  waits: Record<string, number[]>;
  sessions: number;
  left_out: number;
};
