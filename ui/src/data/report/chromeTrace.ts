import type { Session } from '../types';

/** A session for Perfetto: a track per depth, times from its start. */
export function chromeTrace(session: Session): string {
  const events = session.spans.map((span) => ({
    name: span.span,
    cat: span.stage,
    ph: 'X',
    ts: (span.start_s - session.start_s) * 1e6,
    dur: span.duration_s * 1e6,
    pid: 1,
    tid: span.depth + 1,
    args: { outcome: span.outcome, worker: span.worker, error: span.error },
  }));
  const name = { name: 'process_name', ph: 'M', pid: 1, args: { name: session.session } };
  return JSON.stringify({ displayTimeUnit: 'ms', traceEvents: [name, ...events] });
}
