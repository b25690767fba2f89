import type { SessionPage } from '../source';
import type { Distribution, SessionColumns, SessionRow, Sessions } from '../types';
import { Numbers, percentile } from './percentiles';

type Summary = Omit<Sessions, 'total' | 'rows' | 'next_cursor'>;

const DEFAULT_LIMIT = 100;

/** A page of some sessions. */
export function pageOf(
  s: SessionColumns,
  chosen: Int32Array,
  page: SessionPage,
): Pick<Sessions, 'total' | 'rows' | 'next_cursor'> {
  const descending = page.sort?.startsWith('-') ?? false;
  const value = sortValue(s, page.sort?.replace(/^-/, '') ?? 'start');
  const sign = descending ? -1 : 1;
  const sorted = [...chosen].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x < y ? -sign : x > y ? sign : a - b;
  });
  const from = Number(page.cursor ?? 0);
  const to = from + (page.limit ?? DEFAULT_LIMIT);
  return {
    total: chosen.length,
    rows: sorted.slice(from, to).map((i) => rowOf(s, i)),
    next_cursor: to < sorted.length ? String(to) : null,
  };
}

function sortValue(s: SessionColumns, key: string): (i: number) => string | number {
  switch (key) {
    case 'end':
      return (i) => s.end_s[i]!;
    case 'wall':
      return (i) => s.wall_s[i]!;
    case 'session':
      return (i) => s.session[i]!;
    case 'status':
      return (i) => s.statuses[s.status[i]!]!;
    default:
      return (i) => s.start_s[i]!;
  }
}

function rowOf(s: SessionColumns, i: number): SessionRow {
  return {
    session: s.session[i]!,
    trace_id: null,
    batch: s.batches[s.batch[i]!] ?? null,
    train_step: s.train_step[i] ?? null,
    task: s.tasks[s.task[i]!] ?? null,
    task_name: s.task_names[s.task_name[i]!] ?? null,
    status: s.statuses[s.status[i]!]!,
    source_status: null,
    reason: s.reasons[s.reason[i]!] ?? null,
    worker: s.workers[s.worker[i]!] ?? null,
    start_s: s.start_s[i]!,
    end_s: s.end_s[i]!,
    finalised: s.finalised[i]!,
    relative_clock: false,
    wall_s: s.wall_s[i]!,
    waits: {
      queue_s: s.queue_s[i]!,
      gap_s: s.gap_s[i]!,
      barrier_s: s.barrier_s[i]!,
      unaccounted_s: s.unaccounted_s[i]!,
      outside_s: 0,
    },
    span_count: s.span_count[i]!,
    open_count: s.open_count[i]!,
    error_count: s.error_count[i]!,
  };
}

/** What columns tell of how some sessions fared; the rest is left empty. */
export function summaryOf(all: Summary, s: SessionColumns, chosen: Int32Array): Summary {
  const over = chosen.filter((i) => !['queued', 'running'].includes(s.statuses[s.status[i]!]!));
  const metric = (column: number[]) => distribution(over, column);
  return {
    ...all,
    records: chosen.length,
    status_counts: counts(chosen, s.status, s.statuses),
    statuses: counts(chosen, s.status, s.statuses),
    reason_counts: counts(chosen, s.reason, s.reasons),
    rank_counts: {},
    role_counts: {},
    metrics: {
      total_s: metric(s.wall_s),
      queue_s: metric(s.queue_s),
      gap_s: metric(s.gap_s),
      barrier_s: metric(s.barrier_s),
    },
    span_counts: {},
    counters: {},
    null_end_spans: 0,
    errors: [],
  };
}

function counts(chosen: Int32Array, column: number[], words: readonly string[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const i of chosen) {
    const word = words[column[i]!];
    if (word !== undefined) sums.set(word, (sums.get(word) ?? 0) + 1);
  }
  return Object.fromEntries([...sums].sort(([, a], [, b]) => b - a));
}

function distribution(chosen: Int32Array, column: number[]): Distribution {
  const values = new Numbers();
  for (const i of chosen) values.add(column[i]!);
  const sorted = values.sorted();
  return {
    count: values.count,
    mean: values.count ? values.sum / values.count : 0,
    min: percentile(sorted, 0),
    max: percentile(sorted, 1),
    p25: percentile(sorted, 0.25),
    p50: percentile(sorted, 0.5),
    p75: percentile(sorted, 0.75),
    p90: percentile(sorted, 0.9),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
  };
}

/** Only some sessions of the columns. */
export function someColumns(s: SessionColumns, chosen: Int32Array): SessionColumns {
  const pick = <T>(column: T[]) => Array.from(chosen, (i) => column[i]!);
  return {
    ...s,
    total: chosen.length,
    left_out: 0,
    session: pick(s.session),
    status: pick(s.status),
    batch: pick(s.batch),
    task: pick(s.task),
    task_name: pick(s.task_name),
    worker: pick(s.worker),
    reason: pick(s.reason),
    start_s: pick(s.start_s),
    wall_s: pick(s.wall_s),
    end_s: pick(s.end_s),
    finalised: pick(s.finalised),
    queue_s: pick(s.queue_s),
    gap_s: pick(s.gap_s),
    barrier_s: pick(s.barrier_s),
    unaccounted_s: pick(s.unaccounted_s),
    span_count: pick(s.span_count),
    open_count: pick(s.open_count),
    error_count: pick(s.error_count),
    train_step: pick(s.train_step),
  };
}
