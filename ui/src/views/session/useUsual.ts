import { type BoardRow, usualBySpan } from '../../data/LiveBoard';
import type { Session, SpanLine } from '../../data/types';
import { useAnswer } from '../../data/useAnswer';
import { sameValues, useLive, useRun } from '../../data/useLive';

/** The innermost open span: what the session is in now. */
export function currentSpan(session: Session): SpanLine | null {
  let found: SpanLine | null = null;
  for (const span of session.spans) {
    const open = span.outcome === 'open' || span.outcome === 'lost';
    if (open && (found === null || span.start_s >= found.start_s)) found = span;
  }
  return found;
}

/** Usual p95 of open spans by raw name, as the live board tells it. */
export function useUsual(): ReadonlyMap<string, number> {
  const usual = useLive(
    (b) => Object.fromEntries(usualBySpan(b.report?.open_span_summaries ?? [])),
    sameValues,
  );
  return new Map(Object.entries(usual));
}

/** How long sessions of this run usually take: those that have ended. */
export function useUsualTotal(): { p50: number; p95: number; count: number } | null {
  const run = useRun();
  const metrics = useAnswer(`usual total ${run}`, (source, signal) =>
    source.sessions(run, { scope: 'all' }, { limit: 1 }, signal),
  ).data?.metrics;
  const total = metrics?.work_s ?? metrics?.total_s;
  return total && total.count >= 20 ? total : null;
}

/** What the live board says of a session; null of one that has no row there. */
export function useRow(session: string): BoardRow | null {
  return useLive((b) => b.rows.get(session) ?? null);
}
