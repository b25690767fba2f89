import type { Filter } from '../filter';
import type { LiveRow, SessionColumns } from '../types';
import type { WorkerName } from './file';
import type { SpanSet } from './SpanSet';

/** Whether a filter leaves anything out. The scope was chosen when the report was written. */
export function choosesAll(filter: Filter): boolean {
  const { batch, status, stage, task, worker, q } = filter;
  return !(batch || status || stage || task || worker || q);
}

/** Places of the sessions that a filter lets through (contracts.md 6.2). */
export function chooseSessions(
  sessions: SessionColumns,
  workers: readonly WorkerName[],
  spans: SpanSet,
  filter: Filter,
): Int32Array {
  const s = sessions;
  const { batch, status, stage, task, worker, q } = filter;
  const tests: ((i: number) => boolean)[] = [];
  if (batch) tests.push(isOneOf(s.batches, s.batch, (b) => b === batch));
  if (status) tests.push(isOneOf(s.statuses, s.status, (word) => word === status));
  if (task) {
    const byId = isOneOf(s.tasks, s.task, (t) => t === task);
    const byName = isOneOf(s.task_names, s.task_name, (t) => t === task);
    tests.push((i) => byId(i) || byName(i));
  }
  if (worker) tests.push(isOneOf(s.workers, s.worker, (label, n) => isWorker(label, workers[n], worker)));
  if (stage) tests.push(hasSpan(spans, (name) => spans.columns.name_stages[name] === stage));
  if (q) tests.push(hasText(s, spans, q));
  return Int32Array.from(s.session.keys()).filter((i) => tests.every((test) => test(i)));
}

/** Looks at each word once, not at each session. */
function isOneOf(
  words: readonly string[],
  column: readonly number[],
  wanted: (word: string, place: number) => boolean,
): (i: number) => boolean {
  const found = words.map(wanted);
  return (i) => found[column[i]!] ?? false;
}

/** By its label, its role, or role:rank. */
function isWorker(label: string, name: WorkerName | undefined, wanted: string): boolean {
  return label === wanted || name?.role === wanted || `${name?.role}:${name?.rank}` === wanted;
}

function hasSpan(
  spans: SpanSet,
  name: (name: number) => boolean,
  error?: (error: number) => boolean,
): (i: number) => boolean {
  const names = spans.columns.names.map((_, n) => name(n));
  const errors = spans.columns.errors.map((_, n) => error?.(n) ?? false);
  return (session) => {
    const lane = spans.laneOfSession[session]!;
    if (lane < 0) return false;
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (names[spans.name[i]!] || errors[spans.error[i]!]) return true;
    }
    return false;
  };
}

function hasText(s: SessionColumns, spans: SpanSet, q: string): (i: number) => boolean {
  const text = q.toLowerCase();
  const has = (word: string | null | undefined) => word?.toLowerCase().includes(text) ?? false;
  const { name_stages, errors } = spans.columns;
  const tests = [
    (i: number) => has(s.session[i]) || has(s.trace_id[i]),
    isOneOf(s.tasks, s.task, has),
    isOneOf(s.task_names, s.task_name, has),
    isOneOf(s.workers, s.worker, has),
    isOneOf(s.reasons, s.reason, has),
    hasSpan(
      spans,
      (n) => has(name_stages[n]),
      (e) => has(errors[e]),
    ),
  ];
  return (i) => tests.some((test) => test(i));
}

/** Rows of the live board whose sessions a filter lets through. */
export function chooseLive(
  rows: readonly LiveRow[],
  sessions: SessionColumns,
  chosen: Int32Array,
): LiveRow[] {
  const ids = new Set(Array.from(chosen, (i) => sessions.session[i]!));
  return rows.filter((row) => ids.has(row.session));
}
