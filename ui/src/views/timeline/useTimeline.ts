import { useMemo } from 'react';
import { type Filter, filterKey, useFilter } from '../../data/filter';
import { type Source, useSource } from '../../data/source';
import type { Timeline } from '../../data/types';
import { type Answer, useAnswer } from '../../data/useAnswer';
import { useRun } from '../../data/useLive';
import type { Span } from '../../lanes/axis';
import { readSpans, type SpanTable } from '../../lanes/spans';

export type LaneKind = 'session' | 'worker' | 'task' | 'lane';

/** Most spans that are asked for at once; the server keeps the longest. */
const BUDGET = 200_000;
const EVERY_MS = 5000;
/** A big answer is asked for again after this many times the time per span, so that reading it stays a small part. */
const MS_PER_SPAN = 0.5;

export type TimelineData = {
  answer: Answer<Timeline>;
  /** What is drawn: the finer window where there is one. */
  table: SpanTable | null;
  /** Everything in scope. */
  base: SpanTable | null;
  /** Spans of the shown window that the server left out. */
  leftOut: number;
  /** Whether a finer window is on its way. */
  refining: boolean;
};

const NO_FILTER: Filter = {};

/**
 * The spans in scope, and when some had to be left out, those of the window in sight.
 *
 * @param view what is in sight, epoch seconds, told once it stands still; null: everything
 * @param usual what is asked for where the address has no filter
 */
export function useTimeline(by: LaneKind, view: Span | null, usual = NO_FILTER): TimelineData {
  const run = useRun();
  const filter = { ...usual, ...useFilter() };
  const source = useSource();
  const key = `timeline ${run} ${by} ${filterKey(filter)}`;
  const answer = useAnswer<Timeline>(key, (s, signal) => ask(s, run, filter, { by }, signal), {
    everyMs: (data) => refreshMs(source, data),
  });
  const data = answer.data;
  const base = useMemo(() => (data ? readSpans(data) : null), [data]);
  const window = data && data.left_out > 0 && view ? windowFor(data, view) : null;
  const fine = useAnswer<Timeline>(
    `${key} ${window?.from} ${window?.to}`,
    (s, signal) => ask(s, run, filter, { by, ...window }, signal),
    { enabled: window !== null, everyMs: (fresh) => refreshMs(source, fresh) },
  );
  const useFine = window !== null && fine.data && !fine.stale && fine.data.by === data?.by ? fine.data : null;
  const fineTable = useMemo(() => (base && useFine ? readSpans(useFine, base) : null), [base, useFine]);
  return {
    answer,
    base,
    table: fineTable ?? base,
    leftOut: (useFine ?? data)?.left_out ?? 0,
    refining: window !== null && !useFine,
  };
}

function ask(
  source: Source,
  run: string,
  filter: Filter,
  window: { by: LaneKind; from?: number; to?: number },
  signal: AbortSignal,
): Promise<Timeline> {
  return source.timeline(run, filter, { ...window, budget: BUDGET }, signal);
}

function refreshMs(source: Source, data: Timeline): number | null {
  if (source.kind === 'report') return null;
  return Math.max(EVERY_MS, data.lane.length * MS_PER_SPAN);
}

/** The window to read for a view: four steps of a power of two, so that moving about asks for few of them. */
export function windowFor(data: { from_ns: number; to_ns: number }, view: Span): Span | null {
  const width = view.to - view.from;
  // Between half the width and the width: two steps cover the view wherever it begins in one.
  const step = 2 ** Math.ceil(Math.log2(width / 2));
  if (step * 4 >= ((data.to_ns - data.from_ns) / 1e9) * 0.8) return null;
  const from = Math.floor(view.from / step) * step - step / 2;
  return { from, to: from + 4 * step };
}
