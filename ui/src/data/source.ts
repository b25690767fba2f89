import { createContext, useContext } from 'react';
import type { Filter } from './filter';
import type { Findings } from './findingTypes';
import type * as Metrics from './metricTypes';
import type * as Answers from './types';

/** Where views get their data from: a server, or the file they are in. Views never fetch themselves. */
export interface Source {
  /** `server`: changes as the run goes on. `report`: as of one moment. */
  readonly kind: 'server' | 'report';
  /** Where programs send data to, for the first visit; null in a report. */
  readonly otlpUrl: string | null;
  /** What a report says of itself; null on a server. */
  readonly report: ReportAbout | null;

  runs(query: { q?: string; cursor?: string }, signal: AbortSignal): Promise<Answers.Runs>;
  run(run: string, signal: AbortSignal): Promise<Answers.Run>;
  /** @param detail the parts that take longer: they are null unless asked for */
  hotspots(
    run: string,
    filter: Filter,
    signal: AbortSignal,
    detail?: 'nesting,workers',
  ): Promise<Answers.Hotspots>;
  sessions(run: string, filter: Filter, page: SessionPage, signal: AbortSignal): Promise<Answers.Sessions>;
  /** All sessions, or the most telling ones of very many. */
  sessionColumns(run: string, filter: Filter, signal: AbortSignal): Promise<Answers.SessionColumns>;
  session(run: string, session: string, signal: AbortSignal): Promise<Answers.Session>;
  /** Where a session can be downloaded for Perfetto; null where it cannot. */
  chromeTraceUrl(run: string, session: string): string | null;
  batches(run: string, limit: number, signal: AbortSignal): Promise<Answers.Batches>;
  errors(run: string, filter: Filter, limit: number, signal: AbortSignal): Promise<Answers.Errors>;
  /** What is wrong with the whole run; rejects with status 404 where findings are not to be had. */
  findings(run: string, signal: AbortSignal): Promise<Findings>;
  timeline(
    run: string,
    filter: Filter,
    window: TimelineWindow,
    signal: AbortSignal,
  ): Promise<Answers.Timeline>;
  occupancy(
    run: string,
    filter: Filter,
    window: OccupancyWindow,
    signal: AbortSignal,
  ): Promise<Answers.Occupancy>;

  /** What the run measures; null in a report of a run without metrics. */
  readonly monitoring: Monitoring | null;

  /** The live board, and then what changes. */
  live(run: string, filter: Filter, listener: LiveListener): LiveSubscription;
}

/** Metrics of runs, and where a server reads them. */
export interface Monitoring {
  /** Most places of a line where all there is was written down before; null where any question can be asked. */
  readonly points: number | null;
  metrics(run: string, signal: AbortSignal): Promise<Metrics.MetricList>;
  metricData(run: string, question: MetricQuestion, signal: AbortSignal): Promise<Metrics.MetricData>;
  /** Steps and weight syncs, to be marked in charts. */
  annotations(
    run: string,
    window: { from_s?: number; to_s?: number },
    signal: AbortSignal,
  ): Promise<Metrics.Annotations>;
  targets(signal: AbortSignal): Promise<Metrics.Targets>;
}

/** Named as the API's parameters are. */
export type MetricQuestion = {
  name: readonly string[];
  axis: 'time' | 'step';
  agg: string;
  as: 'value' | 'rate';
  by?: readonly string[];
  where?: readonly string[];
  points?: number;
  from_s?: number;
  to_s?: number;
  from_step?: number;
  to_step?: number;
};

export type ReportAbout = {
  source: string;
  scope: string;
  /** The moment of its live board. */
  nowS: number;
  writtenS: number;
  /** How many of all sessions and spans are in it; null if all are. */
  sampled: { sessions_total: number; sessions_kept: number; spans_total: number; spans_kept: number } | null;
};

export type SessionPage = { sort?: string; limit?: number; cursor?: string; batch_size?: number | undefined };
export type Window = { from?: number; to?: number };
export type TimelineWindow = Window & { by?: 'session' | 'worker' | 'task' | 'lane'; budget?: number };
export type OccupancyWindow = Window & { buckets?: number };

/** How the live board is connected. Times are of the browser, in milliseconds. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'away'; sinceMs: number; retryAtMs: number; reason: string }
  /** The server is there, the run is not. */
  | { state: 'missing' }
  | { state: 'report' };

export interface LiveListener {
  snapshot(report: Answers.LiveReport): void;
  delta(delta: Answers.LiveDelta): void;
  connection(connection: Connection): void;
}

export interface LiveSubscription {
  /** Tries again now instead of after the pause. */
  retry(): void;
  close(): void;
}

/** What went wrong, in words for people. */
export class SourceError extends Error {
  /** HTTP status, or 0 when there was no answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'SourceError';
    this.status = status;
  }

  /** Whether asking again may help: the question was fine, the moment was not. */
  get transient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export const SourceContext = createContext<Source | null>(null);

export function useSource(): Source {
  const source = useContext(SourceContext);
  if (!source) throw new Error('useSource: outside of SourceContext');
  return source;
}
