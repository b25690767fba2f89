import type { Findings } from '../findingTypes';
import type * as Metrics from '../metricTypes';
import type { MetricQuestion } from '../source';
import type * as Answers from '../types';

/** What `rollscope report` writes (cli/…/report/ReportData.java). */
export type ReportFile = {
  version: number;
  generated_at_s: number;
  source: string;
  run: string;
  scope: string;
  /** The moment of `live`. */
  now_s: number;
  /** null if every session and span is here. */
  sampled: Sampled | null;
  run_info: Answers.Run;
  live: Answers.LiveReport;
  hotspots: Answers.Hotspots;
  sessions: Answers.SessionColumns;
  /** What `sessions.workers` are. */
  workers: WorkerName[];
  /** What `sessions.reasons` are counted by. */
  reason_types: string[];
  sessions_summary: Omit<Answers.Sessions, 'total' | 'rows' | 'next_cursor'>;
  batches: Answers.Batches;
  errors: Answers.Errors;
  /** As of `now_s`. */
  findings: Findings;
  occupancy: Answers.Occupancy;
  timeline: SpanColumns;
  details: Record<string, Answers.Session>;
  /** null if the run has none. */
  metrics: ReportMetrics | null;
};

/** cli/…/report/ReportMetrics.java */
export type ReportMetrics = {
  list: Metrics.MetricList;
  /** Most places of a line. */
  points: number;
  /** To one question about one metric each. */
  answers: (Pick<MetricQuestion, 'axis' | 'agg' | 'as'> & { name: string; data: Metrics.MetricData })[];
  annotations: Metrics.Annotations;
};

export type WorkerName = { role: string | null; rank: number | null };

export type Sampled = {
  sessions_total: number;
  sessions_kept: number;
  spans_total: number;
  spans_kept: number;
};

/** Spans by column, lane by lane, by start (core/…/view/SpanColumns.java says what each column means). */
export type SpanColumns = {
  from_ns: number;
  to_ns: number;
  names: string[];
  name_stages: string[];
  kinds: string[];
  kind_works: boolean[];
  outcomes: string[];
  workers: string[];
  errors: string[];
  tracks: string[];
  path_stages: string[];
  path_parents: number[];
  lane_session: number[];
  lane_spans: number[];
  lane_pieces: number[];
  lane_from_ns: number[];
  lane_ns: number[];
  lane_group: number[];
  measured: number[];
  relative: number[];
  name: number[];
  kind: number[];
  outcome: number[];
  worker: number[];
  parent: number[];
  depth: number[];
  path: number[];
  critical: number[];
  start_ns: number[];
  duration_ns: number[];
  open: number[];
  error_at: number[];
  error: number[];
  clock_disagrees: number[];
  piece_leaf: number[];
  piece_end: number[];
  piece_ns: number[];
};

const VERSION = 2;

/** Reads base64 of gzip of JSON; rejects with words for people. */
export async function readReport(text: string): Promise<ReportFile> {
  const zipped = bytesOf(text);
  const json = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  const file = (await new Response(json).json()) as ReportFile;
  if (file.version !== VERSION) {
    throw new Error(`its data is of version ${file.version} (expected: ${VERSION})`);
  }
  return file;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
