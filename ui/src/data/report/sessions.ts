import type { SessionPage } from '../source';
import type { Distribution, SessionColumns, SessionRow, Sessions } from '../types';
import { errorsOf } from './errors';
import type { ReportFile } from './file';
import { lanesOf, nanos, order, waitsOf } from './hotspots';
import { percentile } from './percentiles';
import type { SpanSet } from './SpanSet';

type Summary = Omit<Sessions, 'total' | 'rows' | 'next_cursor'>;

const DEFAULT_LIMIT = 100;
const MOST_ERRORS = 20;

/** A page of some sessions. */
export function pageOf(
  s: SessionColumns,
  spans: SpanSet,
  chosen: Int32Array,
  page: SessionPage,
): Pick<Sessions, 'total' | 'rows' | 'next_cursor'> {
  const descending = page.sort?.startsWith('-') ?? false;
  const value = sortValue(s, page.sort?.replace(/^-/, '') ?? 'start');
  const sign = descending ? -1 : 1;
  const sorted = [...chosen].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    return x < y ? -sign : x > y ? sign : order(s.session[a]!, s.session[b]!);
  });
  const from = Number(page.cursor ?? 0);
  const to = from + (page.limit ?? DEFAULT_LIMIT);
  return {
    total: chosen.length,
    rows: sorted.slice(from, to).map((i) => rowOf(s, spans, i)),
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

function rowOf(s: SessionColumns, spans: SpanSet, i: number): SessionRow {
  return {
    session: s.session[i]!,
    trace_id: s.trace_id[i] ?? s.session[i]!,
    batch: s.batches[s.batch[i]!] ?? null,
    train_step: s.train_step[i] ?? null,
    task: s.tasks[s.task[i]!] ?? null,
    task_name: s.task_names[s.task_name[i]!] ?? null,
    status: s.statuses[s.status[i]!]!,
    source_status: s.source_statuses[s.source_status[i]!] ?? null,
    reason: s.reasons[s.reason[i]!] ?? null,
    worker: s.workers[s.worker[i]!] ?? null,
    start_s: s.start_s[i]!,
    end_s: s.end_s[i]!,
    finalised: s.finalised[i]!,
    relative_clock: spans.isRelative(i),
    wall_s: s.wall_s[i]!,
    work_s: s.work_s[i]!,
    own_s: s.own_s[i]!,
    waits: waitsOf(s, Int32Array.of(i)),
    span_count: s.span_count[i]!,
    open_count: s.open_count[i]!,
    error_count: s.error_count[i]!,
    reward: s.reward?.[i] ?? null,
    input_tokens: s.input_tokens?.[i] ?? null,
    output_tokens: s.output_tokens?.[i] ?? null,
  };
}

/** How some sessions fared; what is not about them is as in `all`. */
export function summaryOf(file: ReportFile, spans: SpanSet, chosen: Int32Array): Summary {
  const { sessions: s, workers, reason_types } = file;
  const words = (column: number[], of: readonly (string | number | null)[], otherwise?: string) =>
    counts(Array.from(chosen, (i) => of[column[i]!] ?? otherwise));
  const closed = new Map<string, Map<number, number>>();
  const spanCounts: string[] = [];
  let unended = 0;
  for (const lane of lanesOf(spans, chosen)) {
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (!spans.work[i]) continue;
      const stage = spans.stageOf(i);
      spanCounts.push(stage);
      if (spans.open[i]) {
        unended++;
        continue;
      }
      const sums = closed.get(stage) ?? new Map<number, number>();
      sums.set(lane, (sums.get(lane) ?? 0) + spans.duration[i]!);
      closed.set(stage, sums);
    }
  }
  const measured = chosen.filter((i) => spans.columns.measured[spans.laneOfSession[i]!] === 1);
  const metric = (column: number[], of = measured) => distribution(Array.from(of, (i) => nanos(column[i]!)));
  const metrics: [string, Distribution | null][] = [
    ['total_s', metric(s.wall_s)],
    ['work_s', metric(s.work_s)],
    ['queue_s', metric(s.queue_s)],
    ['gap_s', metric(s.gap_s)],
    ['siblings_s', metric(s.siblings_s)],
    [
      'barrier_s',
      metric(
        s.barrier_s,
        measured.filter((i) => s.finalised[i]),
      ),
    ],
  ];
  const amounts = (column: readonly (number | null)[] = []) =>
    distribution(
      Array.from(chosen, (i) => column[i] ?? null).filter((n) => n !== null),
      1,
    );
  metrics.push(
    ['reward', amounts(s.reward)],
    ['input_tokens', amounts(s.input_tokens)],
    ['output_tokens', amounts(s.output_tokens)],
  );
  for (const stage of [...closed.keys()].sort()) {
    metrics.push([`${stage}_s`, distribution([...closed.get(stage)!.values()])]);
  }
  return {
    ...file.sessions_summary,
    records: chosen.length,
    status_counts: words(s.source_status, s.source_statuses, 'unknown'),
    statuses: words(s.status, s.statuses),
    reason_counts: words(s.reason, reason_types),
    rank_counts: words(
      s.worker,
      workers.map((w) => w.rank),
      'unknown',
    ),
    role_counts: words(
      s.worker,
      workers.map((w) => w.role),
    ),
    metrics: Object.fromEntries(metrics.filter((m): m is [string, Distribution] => m[1] !== null)),
    span_counts: counts(spanCounts),
    null_end_spans: unended,
    errors: errorsOf(s, spans, chosen).slice(0, MOST_ERRORS),
  };
}

/** The most frequent first. */
function counts(words: Iterable<string | number | undefined>): Record<string, number> {
  const sums = new Map<string, number>();
  for (const word of words) if (word !== undefined) sums.set(String(word), (sums.get(String(word)) ?? 0) + 1);
  return Object.fromEntries([...sums].sort(([x, a], [y, b]) => b - a || order(x, y)));
}

/** Of times in nanoseconds, which become seconds, or of numbers of another unit; null of none. */
function distribution(values: number[], unit = 1e9): Distribution | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (p: number) => percentile(sorted, p) / unit;
  return {
    count: values.length,
    mean: values.reduce((a, b) => a + b, 0) / unit / values.length,
    min: at(0),
    max: at(1),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
  };
}

/** Only some sessions of the columns. */
export function someColumns(s: SessionColumns, chosen: Int32Array): SessionColumns {
  const pick = <T>(column: T[]) => Array.from(chosen, (i) => column[i]!);
  // Its places are those of all sessions.
  const { outside: _, ...rest } = s;
  return {
    ...rest,
    total: chosen.length,
    left_out: 0,
    session: pick(s.session),
    trace_id: pick(s.trace_id),
    status: pick(s.status),
    batch: pick(s.batch),
    task: pick(s.task),
    task_name: pick(s.task_name),
    worker: pick(s.worker),
    reason: pick(s.reason),
    source_status: pick(s.source_status),
    inferred_group: pick(s.inferred_group),
    start_s: pick(s.start_s),
    wall_s: pick(s.wall_s),
    end_s: pick(s.end_s),
    work_s: pick(s.work_s),
    own_s: pick(s.own_s),
    finalised: pick(s.finalised),
    queue_s: pick(s.queue_s),
    gap_s: pick(s.gap_s),
    siblings_s: pick(s.siblings_s),
    barrier_s: pick(s.barrier_s),
    unaccounted_s: pick(s.unaccounted_s),
    outside_s: pick(s.outside_s),
    span_count: pick(s.span_count),
    open_count: pick(s.open_count),
    error_count: pick(s.error_count),
    train_step: pick(s.train_step),
    reward: pick(s.reward ?? []),
    input_tokens: pick(s.input_tokens ?? []),
    output_tokens: pick(s.output_tokens ?? []),
  };
}
