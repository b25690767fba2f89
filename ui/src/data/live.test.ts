import { describe, expect, test } from 'vitest';
import { inView } from './inView';
import { ended, LiveBoard, perMinute, usualBySpan } from './LiveBoard';
import { overdueCount, overdueOfRun } from './openWork';
import { isOverdue, rankOpenWork, ratioOf } from './overdue';
import type { LiveReport, LiveRow, OpenSpanSummary, SessionSummary } from './types';

const SUMMARY: SessionSummary = {
  total: 3,
  running: 2,
  queued: 0,
  completed: 1,
  accepted: 0,
  rejected: 0,
  failed: 0,
  dropped: 0,
  cancelled: 0,
  lost: 0,
};

function row(session: string, change: Partial<LiveRow> = {}): LiveRow {
  return {
    trace_id: session,
    session,
    task_name: null,
    status: 'running',
    source_status: null,
    stage: 'generate',
    latest_stage: 'generate',
    open_span: 'generate',
    open_age_s: 10,
    usual_p95_s: 5,
    suspect: false,
    latest_timestamp_s: 90,
    event_count: 1,
    worker: 'r0',
    train_step: 1,
    ...change,
  };
}

function report(rows: LiveRow[], change: Partial<LiveReport> = {}): LiveReport {
  return {
    generated_at_s: 100,
    source: 's',
    run: 'r',
    scope: 'active',
    event_count: 1,
    raw_event_count: 1,
    session_summary: SUMMARY,
    task_summary: { total_tasks: 3, running_tasks: 2, completed_tasks: 1, current_stage_counts: {} },
    open_span_summaries: [],
    rows,
    dropped: {},
    other_runs: [],
    skipped_lines: { count: 0, examples: [] },
    ...change,
  };
}

describe('the live board', () => {
  test('ages of rows that a delta does not mention go on growing', () => {
    const board = new LiveBoard();
    board.snapshot(report([row('a'), row('b'), row('c')]));
    const { rows: _, ...head } = report([], { generated_at_s: 107 });
    board.delta({ ...head, rows: [row('b', { open_age_s: 1 })], removed: ['c'] });
    const rows = board.get().rows;
    expect([...rows.keys()]).toEqual(['a', 'b']);
    expect(107 - rows.get('a')!.since_s!).toBe(17);
    expect(107 - rows.get('b')!.since_s!).toBe(1);
  });

  test('rows keep their identity when a delta changes none', () => {
    const board = new LiveBoard();
    board.snapshot(report([row('a')]));
    const before = board.get().rows;
    const { rows: _, ...head } = report([], { generated_at_s: 101 });
    board.delta({ ...head, rows: [], removed: [] });
    expect(board.get().rows).toBe(before);
  });

  test('a delta before the first snapshot is passed over', () => {
    const board = new LiveBoard();
    const { rows: _, ...head } = report([]);
    board.delta({ ...head, rows: [row('a')], removed: [] });
    expect(board.get().report).toBeNull();
  });

  test('the rate counts sessions that end or go, once it has watched for long enough', () => {
    const board = new LiveBoard();
    const two = { ...SUMMARY, running: 2 };
    board.snapshot(
      report([row('a'), row('b'), row('old', { status: 'completed' })], { session_summary: two }),
    );
    const { rows: _, ...head } = report([], { session_summary: two });
    board.delta({
      ...head,
      generated_at_s: 105,
      rows: [row('a', { status: 'failed' }), row('c')],
      removed: ['old'],
    });
    expect(perMinute(board.get().finished, 105)).toBeNull();
    board.delta({ ...head, generated_at_s: 120, rows: [], removed: ['b'] });
    expect(perMinute(board.get().finished, 120)).toBe(6);
  });

  test('a session that only left the filter has not ended', () => {
    const board = new LiveBoard();
    board.snapshot(report([row('a')], { session_summary: { ...SUMMARY, running: 500 } }));
    board.snapshot(report([], { generated_at_s: 130, session_summary: { ...SUMMARY, running: 500 } }));
    expect(perMinute(board.get().finished, 130)).toBe(0);
  });

  test('what is over is neither running nor queued; what is lost has ended', () => {
    expect(ended({ ...SUMMARY, total: 10, running: 3, queued: 2, lost: 1 })).toBe(5);
  });
});

describe('overdue work', () => {
  const summaries = [{ span: 'generate', usual_p95_s: 4 } as OpenSpanSummary];
  const board = new LiveBoard();
  board.snapshot(
    report([
      row('late', { open_age_s: 6 }),
      row('stuck', { open_age_s: 40, suspect: true }),
      row('unknown', { open_age_s: 500, open_span: 'new', usual_p95_s: null }),
      row('long', { open_age_s: 300, open_span: 'agent', usual_p95_s: 200 }),
      row('done', { open_age_s: null, status: 'completed' }),
    ]),
  );
  const usual = usualBySpan(summaries);

  test('order is that of the API: ratio, then what has no usual', () => {
    const ranked = rankOpenWork(board.get().rows.values(), usual, 100);
    expect(ranked.map((w) => w.row.session)).toEqual(['stuck', 'long', 'late', 'unknown']);
    expect(ranked.map((w) => ratioOf(w, 100))).toEqual([10, 1.5, 1.5, null]);
    expect(ranked.map((w) => isOverdue(w))).toEqual([true, false, false, false]);
  });

  test('the badge of Live is about the run: a filter that hides the stuck session does not change it', () => {
    const whole = new LiveBoard();
    whole.snapshot(report([row('stuck', { open_age_s: 40, suspect: true }), row('b')], { overdue: 1 }));
    expect(overdueOfRun(whole.get())).toBe(1);
    whole.expect(true);
    whole.snapshot(report([row('b')], { overdue: 1 }));
    expect(overdueCount(whole.get())).toBe(0);
    expect(overdueOfRun(whole.get())).toBe(1);
  });

  test('or time lost', () => {
    const ranked = rankOpenWork(board.get().rows.values(), usual, 100, 'lost');
    expect(ranked.map((w) => w.row.session)).toEqual(['long', 'stuck', 'late', 'unknown']);
  });
});

describe('what is in view', () => {
  test('a session of which only the container is open waits between two spans', () => {
    const board = new LiveBoard();
    const stages = { session: 2, gap: 1, generate: 1 };
    const task_summary = {
      total_tasks: 4,
      running_tasks: 4,
      completed_tasks: 0,
      current_stage_counts: stages,
    };
    board.snapshot(report([row('a', { stage: 'session' })], { task_summary }));
    expect(board.get().rows.get('a')?.stage).toBe('gap');
    expect(inView(board.get())?.stages).toEqual({ gap: 3, generate: 1 });
  });

  const two = [row('a'), row('b', { status: 'failed', stage: null })];

  test('counts are those of the server while nothing is filtered', () => {
    const board = new LiveBoard();
    board.snapshot(report(two));
    expect(inView(board.get())?.summary).toBe(SUMMARY);
  });

  test('with filters, the rows that they let through are counted', () => {
    const board = new LiveBoard();
    board.snapshot(report(two));
    board.expect(true);
    expect(inView(board.get())?.summary).toBe(SUMMARY);
    board.snapshot(report(two));
    expect(inView(board.get())).toEqual({
      summary: { ...SUMMARY, total: 2, running: 1, completed: 0, failed: 1 },
      stages: { generate: 1 },
    });
    board.snapshot(report([]));
    expect(inView(board.get())?.summary.total).toBe(0);
  });
});
