import { useMemo, useState } from 'react';
import { type Filter, filterKey, useFilter } from '../../data/filter';
import { openWork } from '../../data/openWork';
import { isOverdue } from '../../data/overdue';
import { finishedOf, type SessionSet, sessionSet } from '../../data/SessionSet';
import type { SessionColumns, Sessions } from '../../data/types';
import { type Answer, useAnswer } from '../../data/useAnswer';
import { useLive, useRun } from '../../data/useLive';
import type { Sort } from '../../kit/DataTable';
import { parseSort } from '../../kit/sortRows';
import { useRoute } from '../../route/useRoute';
import { chosen, misses, parseRange, type Selection } from './selection';
import { sortSessions } from './sortSessions';
import { type StageTimes, stageTimes } from './stageTimes';
import { type Steps, stepsOf } from './steps';

/** Everything the parts of the page share. Made once per answer or choice, not per frame. */
export type Page = {
  run: string;
  set: SessionSet;
  steps: Steps;
  selection: Selection;
  miss: Uint8Array;
  /** Selected sessions in the order of the table. */
  rows: Uint32Array;
  /** Selected sessions that have ended. */
  ended: Uint32Array;
  sort: Sort;
  spans: StageTimes | null;
  overdue: ReadonlySet<string>;
};

const FEW = 20_000;
const OFTEN_MS = 5000;
const SELDOM_MS = 30_000;
const SPAN_BUDGET = 50_000;
export const USUAL_SORT: Sort = { key: 'work', descending: true };

export function useColumns(): Answer<SessionColumns> {
  const run = useRun();
  const filter = useFilter();
  const wide: Filter = wideFilter(filter);
  const [many, setMany] = useState(false);
  const all = useAnswer(
    `columns ${run} ${filterKey(wide)}`,
    async (source, signal) => {
      const columns = await source.sessionColumns(run, wide, signal);
      setMany(columns.session.length > FEW);
      return columns;
    },
    { everyMs: many ? SELDOM_MS : OFTEN_MS },
  );
  // Beyond the budget, what is chosen is asked for by itself, so that it is complete.
  const narrowed = (all.data?.left_out ?? 0) > 0 && filterKey(wide) !== filterKey(filter);
  const few = useAnswer(
    `columns ${run} ${filterKey(filter)}`,
    (source, signal) => source.sessionColumns(run, { ...wide, ...filter }, signal),
    { enabled: narrowed, everyMs: SELDOM_MS },
  );
  return narrowed && few.data ? few : all;
}

/** What the server filters by; the rest is chosen on the page, where each choice shows its alternatives. */
export function wideFilter({ scope, batch, stage, q }: Filter): Filter {
  return {
    ...(batch || scope ? { scope: batch ? 'all' : scope! } : {}),
    ...(stage ? { stage } : {}),
    ...(q ? { q } : {}),
  };
}

/** The server's summary of what is filtered: numbers per stage, counters, steps by AReaL's rule. */
export function useSummary(): Answer<Sessions> {
  const run = useRun();
  const filter = useFilter();
  const size = Number(useRoute().params.B) || undefined;
  const asked: Filter = filter.batch ? { ...filter, scope: 'all' } : filter;
  return useAnswer(
    `summary ${run} ${filterKey(asked)} ${size}`,
    (source, signal) => source.sessions(run, asked, { limit: 1, batch_size: size }, signal),
    { everyMs: SELDOM_MS },
  );
}

function useSpans(set: SessionSet | null): StageTimes | null {
  const run = useRun();
  const wide = wideFilter(useFilter());
  const few = set !== null && set.size <= FEW;
  const timeline = useAnswer(
    `spans ${run} ${filterKey(wide)}`,
    (source, signal) => source.timeline(run, wide, { by: 'session', budget: SPAN_BUDGET }, signal),
    { everyMs: SELDOM_MS, enabled: few },
  ).data;
  return useMemo(() => (set && timeline && few ? stageTimes(set, timeline) : null), [set, timeline, few]);
}

export function usePage(columns: SessionColumns | undefined, summary: Sessions | undefined): Page | null {
  const run = useRun();
  const { params } = useRoute();
  const set = useMemo(() => (columns ? sessionSet(columns) : null), [columns]);
  const found = summary?.steps;
  const steps = useMemo(() => set && stepsOf(set, found ?? []), [set, found]);
  const { status, reason, batch, step, task, worker, t, total } = params;
  const selection = useMemo<Selection>(
    () => ({
      status,
      reason,
      step: batch ?? step,
      task,
      worker,
      finish: parseRange(t),
      total: parseRange(total),
    }),
    [status, reason, batch, step, task, worker, t, total],
  );
  const miss = useMemo(() => set && steps && misses(set, steps, selection), [set, steps, selection]);
  const sort = useMemo(() => parseSort(params.sort, USUAL_SORT), [params.sort]);
  const rows = useMemo(
    () => set && steps && miss && sortSessions(chosen(miss), set, steps, sort),
    [set, steps, miss, sort],
  );
  const ended = useMemo(() => set && rows && finishedOf(set, rows), [set, rows]);
  const spans = useSpans(set);
  const overdue = useOverdue();
  return useMemo(
    () =>
      set && steps && miss && rows && ended
        ? { run, set, steps, selection, miss, rows, ended, sort, spans, overdue }
        : null,
    [run, set, steps, selection, miss, rows, ended, sort, spans, overdue],
  );
}

/** Ids of overdue sessions; the same set as long as it has the same ids. */
function useOverdue(): ReadonlySet<string> {
  const ids = useLive((b) => {
    return openWork(b)
      .filter(isOverdue)
      .map((w) => w.row.session)
      .sort()
      .join('\n');
  });
  return useMemo(() => new Set(ids ? ids.split('\n') : []), [ids]);
}
