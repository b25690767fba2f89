import type { Filter } from '../filter';
import type { Findings } from '../findingTypes';
import type {
  LiveListener,
  LiveSubscription,
  Monitoring,
  OccupancyWindow,
  SessionPage,
  Source,
  TimelineWindow,
} from '../source';
import type * as Answers from '../types';
import { EventStream } from './EventStream';
import type { Http } from './http';
import { withParameters } from './http';

const API = '/api/v1';
/** Most that the API gives at once. */
const MOST_ROWS = 1000;
const MOST_SESSIONS = 100_000;

/** Data of a Rollscope server, over its HTTP API. */
export class ServerSource implements Source {
  readonly kind = 'server';
  readonly otlpUrl = location.origin;
  readonly report = null;
  readonly monitoring: Monitoring;

  constructor(private readonly http: Http) {
    this.monitoring = {
      points: null,
      metrics: (run, signal) => http.get(`${pathOf(run)}/metrics`, {}, signal),
      metricData: (run, question, signal) => http.get(`${pathOf(run)}/metrics/data`, question, signal),
      annotations: (run, window, signal) => http.get(`${pathOf(run)}/annotations`, window, signal),
      targets: (signal) => http.get(`${API}/targets`, {}, signal),
    };
  }

  runs(query: { q?: string; cursor?: string }, signal: AbortSignal): Promise<Answers.Runs> {
    return this.http.get(`${API}/runs`, { ...query, limit: MOST_ROWS }, signal);
  }

  run(run: string, signal: AbortSignal): Promise<Answers.Run> {
    return this.http.get(pathOf(run), {}, signal);
  }

  hotspots(
    run: string,
    filter: Filter,
    signal: AbortSignal,
    detail?: 'nesting,workers',
  ): Promise<Answers.Hotspots> {
    return this.http.get(`${pathOf(run)}/hotspots`, { ...filter, ...(detail && { detail }) }, signal);
  }

  sessions(run: string, filter: Filter, page: SessionPage, signal: AbortSignal): Promise<Answers.Sessions> {
    return this.http.get(`${pathOf(run)}/sessions`, { ...filter, ...page }, signal);
  }

  sessionColumns(run: string, filter: Filter, signal: AbortSignal): Promise<Answers.SessionColumns> {
    return this.http.get(
      `${pathOf(run)}/sessions`,
      { ...filter, as: 'columns', budget: MOST_SESSIONS },
      signal,
    );
  }

  session(run: string, session: string, signal: AbortSignal): Promise<Answers.Session> {
    return this.http.get(sessionPath(run, session), {}, signal);
  }

  chromeTraceUrl(run: string, session: string): string {
    return `${sessionPath(run, session)}/chrome`;
  }

  batches(run: string, limit: number, signal: AbortSignal): Promise<Answers.Batches> {
    return this.http.get(`${pathOf(run)}/batches`, { limit }, signal);
  }

  errors(run: string, filter: Filter, limit: number, signal: AbortSignal): Promise<Answers.Errors> {
    return this.http.get(`${pathOf(run)}/errors`, { ...filter, limit }, signal);
  }

  findings(run: string, signal: AbortSignal): Promise<Findings> {
    return this.http.get(`${pathOf(run)}/findings`, { scope: 'all' }, signal);
  }

  timeline(
    run: string,
    filter: Filter,
    window: TimelineWindow,
    signal: AbortSignal,
  ): Promise<Answers.Timeline> {
    return this.http.get(`${pathOf(run)}/timeline`, { ...filter, ...window }, signal);
  }

  occupancy(
    run: string,
    filter: Filter,
    window: OccupancyWindow,
    signal: AbortSignal,
  ): Promise<Answers.Occupancy> {
    return this.http.get(`${pathOf(run)}/occupancy`, { ...filter, ...window }, signal);
  }

  live(run: string, filter: Filter, listener: LiveListener): LiveSubscription {
    const url = withParameters(`${pathOf(run)}/live/stream`, { ...filter, limit: MOST_ROWS });
    return new EventStream(url, listener, () => this.run(run, new AbortController().signal));
  }
}

function pathOf(run: string): string {
  return `${API}/runs/${encodeURIComponent(run)}`;
}

function sessionPath(run: string, session: string): string {
  return `${pathOf(run)}/sessions/${encodeURIComponent(session)}`;
}
