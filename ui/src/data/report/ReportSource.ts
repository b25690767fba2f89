import { type Filter, filterKey } from '../filter';
import type { Findings } from '../findingTypes';
import {
  type LiveListener,
  type LiveSubscription,
  type Monitoring,
  type OccupancyWindow,
  type SessionPage,
  type Source,
  SourceError,
  type TimelineWindow,
} from '../source';
import type * as Answers from '../types';
import { chooseLive, chooseSessions, choosesAll } from './choose';
import { chromeTrace } from './chromeTrace';
import { errorsOf } from './errors';
import type { ReportFile } from './file';
import { hotspotsOf } from './hotspots';
import { monitoringOf } from './metrics';
import { occupancyOf, rebucketed } from './occupancy';
import { sessionOf } from './oneSession';
import { SpanSet } from './SpanSet';
import { pageOf, someColumns, summaryOf } from './sessions';
import { timelineOf } from './timeline';

const MOST_REMEMBERED = 20;

/** Data of the file that the page is in. The same question gets the same object, so that nothing is drawn twice. */
export class ReportSource implements Source {
  readonly kind = 'report';
  readonly otlpUrl = null;
  readonly monitoring: Monitoring | null;
  readonly report: NonNullable<Source['report']>;
  private readonly spans: SpanSet;
  private readonly remembered = new Map<string, unknown>();

  constructor(private readonly file: ReportFile) {
    this.spans = new SpanSet(file.timeline, file.sessions.session.length);
    this.monitoring = file.metrics ? monitoringOf(file.metrics) : null;
    this.report = {
      source: file.source,
      scope: file.scope,
      nowS: file.now_s,
      writtenS: file.generated_at_s,
      sampled: file.sampled,
    };
  }

  async runs(): Promise<Answers.Runs> {
    return { runs: [this.file.run_info], next_cursor: null };
  }

  async run(run: string): Promise<Answers.Run> {
    this.check(run);
    return this.file.run_info;
  }

  async hotspots(run: string, filter: Filter): Promise<Answers.Hotspots> {
    this.check(run);
    const { hotspots, sessions } = this.file;
    if (choosesAll(filter)) return hotspots;
    return this.once(`hotspots ${filterKey(filter)}`, () =>
      hotspotsOf(hotspots, sessions, this.spans, this.chosen(filter)),
    );
  }

  async sessions(run: string, filter: Filter, page: SessionPage): Promise<Answers.Sessions> {
    this.check(run);
    const { sessions, sessions_summary } = this.file;
    const chosen = this.chosen(filter);
    return this.once(`sessions ${filterKey(filter)} ${page.sort} ${page.cursor} ${page.limit}`, () => ({
      ...(choosesAll(filter) ? sessions_summary : summaryOf(this.file, this.spans, chosen)),
      ...pageOf(sessions, this.spans, chosen, page),
    }));
  }

  async sessionColumns(run: string, filter: Filter): Promise<Answers.SessionColumns> {
    this.check(run);
    if (choosesAll(filter)) return this.file.sessions;
    return this.once(`columns ${filterKey(filter)}`, () =>
      someColumns(this.file.sessions, this.chosen(filter)),
    );
  }

  async session(run: string, session: string): Promise<Answers.Session> {
    this.check(run);
    return this.one(session);
  }

  private one(session: string): Answers.Session {
    if (Object.hasOwn(this.file.details, session)) return this.file.details[session]!;
    const place = this.file.sessions.session.indexOf(session);
    if (place < 0) throw new SourceError(404, `session: ${session} (expected: one of this report)`);
    return this.once(`session ${session}`, () => sessionOf(this.head, this.file.sessions, this.spans, place));
  }

  chromeTraceUrl(_run: string, session: string): string {
    return this.once(`chrome ${session}`, () => {
      const trace = new Blob([chromeTrace(this.one(session))], { type: 'application/json' });
      return URL.createObjectURL(trace);
    });
  }

  async batches(run: string): Promise<Answers.Batches> {
    this.check(run);
    return this.file.batches;
  }

  async errors(run: string, filter: Filter): Promise<Answers.Errors> {
    this.check(run);
    const { errors, sessions } = this.file;
    if (choosesAll(filter)) return errors;
    return this.once(`errors ${filterKey(filter)}`, () => ({
      ...errors,
      errors: errorsOf(sessions, this.spans, this.chosen(filter), filter.stage),
      left_out: 0,
    }));
  }

  async findings(run: string): Promise<Findings> {
    this.check(run);
    return this.file.findings;
  }

  async timeline(run: string, filter: Filter, window: TimelineWindow): Promise<Answers.Timeline> {
    this.check(run);
    const key = `${filterKey(filter)} ${window.from} ${window.to} ${window.by} ${window.budget}`;
    return this.once(`timeline ${key}`, () => {
      const chosen = choosesAll(filter) ? null : this.chosen(filter);
      return timelineOf(this.head, this.file.sessions, this.spans, chosen, window);
    });
  }

  async occupancy(run: string, filter: Filter, window: OccupancyWindow): Promise<Answers.Occupancy> {
    this.check(run);
    const { occupancy, sampled } = this.file;
    const key = `${filterKey(filter)} ${window.from} ${window.to} ${window.buckets}`;
    return this.once(`occupancy ${key}`, () =>
      // A sample would not add up to the sessions alive; its filtered answers say what they leave out.
      sampled && choosesAll(filter)
        ? rebucketed(occupancy, window)
        : occupancyOf(occupancy, this.spans, this.chosen(filter), window),
    );
  }

  live(run: string, filter: Filter, listener: LiveListener): LiveSubscription {
    listener.connection({ state: 'report' });
    if (run === this.file.run) {
      const { live, sessions } = this.file;
      const rows = choosesAll(filter) ? live.rows : chooseLive(live.rows, sessions, this.chosen(filter));
      listener.snapshot({ ...live, rows });
    }
    return { retry: () => {}, close: () => {} };
  }

  private get head() {
    return { source: this.file.source, run: this.file.run };
  }

  private check(run: string): void {
    if (run !== this.file.run) {
      throw new SourceError(404, `run: ${run} (expected: ${this.file.run}, which this report is about)`);
    }
  }

  private chosen(filter: Filter): Int32Array {
    return this.once(`chosen ${filterKey(filter)}`, () =>
      chooseSessions(this.file.sessions, this.file.workers, this.spans, filter),
    );
  }

  private once<T>(key: string, make: () => T): T {
    if (!this.remembered.has(key)) {
      this.remembered.set(key, make());
      if (this.remembered.size > MOST_REMEMBERED) {
        this.remembered.delete(this.remembered.keys().next().value!);
      }
    }
    return this.remembered.get(key) as T;
  }
}
