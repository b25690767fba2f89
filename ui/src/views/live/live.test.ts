import { describe, expect, test } from 'vitest';
import type { BoardRow } from '../../data/LiveBoard';
import type { OpenWork } from '../../data/overdue';
import type { Batch, LiveProcess, Occupancy } from '../../data/types';
import { droppedTitle } from './droppedBy';
import { cellAt, layoutMap, mapColumns } from './mapLayout';
import { barrierOf, stackColumns, stackOrder } from './occupancy';
import { processTitle, processWords } from './processes';
import { lostIn, stepProgress } from './stepEnd';
import { holdOrder } from './useHeldOrder';
import { workerLines } from './workers';

function row(session: string, change: Partial<BoardRow> = {}): BoardRow {
  return {
    session,
    status: 'running',
    worker: 'r0',
    train_step: 1,
    stage: 'generate',
    since_s: 0,
    ...change,
  } as BoardRow;
}

function batch(step: number, start: number, wall: number, statuses: Batch['statuses']): Batch {
  const sessions = Object.values(statuses).reduce((a, b) => a + b, 0);
  return {
    batch: `train_step=${step}`,
    train_step: step,
    start_s: start,
    wall_s: wall,
    sessions,
    statuses,
  } as Batch;
}

describe('end of the step', () => {
  test('goes by the median of the steps before, up to the slowest of them', () => {
    const progress = stepProgress([
      batch(4, 1000, 50, { running: 3, completed: 5, queued: 2 }),
      batch(3, 700, 300, { completed: 10 }),
      batch(2, 500, 100, { completed: 9, failed: 1 }),
      batch(1, 100, 200, { completed: 10 }),
    ]);
    expect(progress).toMatchObject({
      ended: 5,
      unfinished: 5,
      estimate: { usualS: 1200, slowestS: 1300, steps: 3 },
    });
  });

  test('a step that lost sessions has ended all the same', () => {
    const steps = [batch(2, 9, 1, { running: 1, lost: 2 }), batch(1, 0, 10, { completed: 3, lost: 1 })];
    expect(stepProgress(steps)).toMatchObject({ unfinished: 1, estimate: { usualS: 19, steps: 1 } });
    expect(lostIn(steps)).toBe(3);
  });

  test('goes by the live report, which is newer than the list of batches', () => {
    const batches = [batch(2, 100, 20, { running: 300 })];
    const live = { batch: 'train_step=2', train_step: 2, start_s: 100, sessions: 310, ended: 30 };
    expect(stepProgress(batches, live)).toMatchObject({ sessions: 310, ended: 30, unfinished: 280 });
    expect(stepProgress(batches, { ...live, batch: 'train_step=1' })).toMatchObject({
      ended: 0,
      unfinished: 300,
    });
    expect(stepProgress(batches, null)).toMatchObject({ sessions: 300, ended: 0 });
  });

  test('is not guessed in the first step, nor from steps that have not ended', () => {
    expect(stepProgress([batch(1, 0, 10, { running: 1 })])?.estimate).toBeNull();
    expect(
      stepProgress([batch(2, 9, 1, { running: 1 }), batch(1, 0, 10, { queued: 1 })])?.estimate,
    ).toBeNull();
    expect(stepProgress([])).toBeNull();
  });
});

describe('what was dropped', () => {
  const by = { worker: '[rollout] rank 7', host: 'gpu-2', pid: 202, spans: 1204, starts: 1, metrics: 0 };

  test('is said of the worker that dropped most', () => {
    expect(droppedTitle(1300, [by])).toBe('1,204 spans, 1 start dropped by [rollout] rank 7.');
    expect(droppedTitle(1300, [{ ...by, worker: null }])).toBe(
      '1,204 spans, 1 start dropped by gpu-2, pid 202.',
    );
  });

  test('is only counted where no process says so, as for verdicts', () => {
    expect(droppedTitle(3, [])).toBe('3 dropped before they got here.');
  });
});

describe('the map of sessions', () => {
  test('has a column per task in order of steps, samples in natural order', () => {
    const columns = mapColumns([
      row('s10', { task: 't2', train_step: 2 }),
      row('s9', { task: 't2', train_step: 2 }),
      row('s1', { task: 't1', train_step: 1 }),
    ]);
    expect(columns.map((c) => c.rows.map((r) => r.session))).toEqual([['s1'], ['s9', 's10']]);
  });

  test('10,000 sessions have room, none over another', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => row(`s${i}`, { task: `t${i >> 3}` }));
    const layout = layoutMap(mapColumns(rows), 840, 260);
    expect(layout.cells).toHaveLength(10_000);
    expect(new Set(layout.cells.map((c) => `${c.x} ${c.y}`)).size).toBe(10_000);
    expect(Math.max(...layout.cells.map((c) => c.x + layout.cellWidth))).toBeLessThanOrEqual(840);
    expect(Math.max(...layout.cells.map((c) => c.y + layout.cellHeight))).toBeLessThanOrEqual(260);
  });

  test('a step that is narrower than its name leaves the next one room for its own', () => {
    const late = row('old', { train_step: 2, task: 't' });
    const layout = layoutMap(mapColumns([late, row('new', { train_step: 3, task: 'u' })]), 400, 200);
    expect(layout.steps.map((s) => s.label)).toEqual(['Step 2', 'Step 3']);
    expect(layout.steps[1]!.x).toBeGreaterThanOrEqual(52);
    expect(layout.cells[1]!.x).toBe(layout.steps[1]!.x);
  });

  test('a point in a cell finds it, a point beside finds none', () => {
    const layout = layoutMap(mapColumns([row('a'), row('b')]), 400, 200);
    const second = layout.cells[1]!;
    expect(cellAt(layout, second.x + 3, second.y + 3)).toBe(1);
    expect(cellAt(layout, 399, 199)).toBe(-1);
  });
});

describe('occupancy', () => {
  const occupancy = {
    start_s: [0, 1],
    stages: { 'engine.generate': [3, 1], judger: [1, 1] },
    waits: { queue: [2, 0], gap: [0, 0], siblings: [0, 0], barrier: [5, 0], unaccounted: [0, 0] },
  } as unknown as Occupancy;

  test('is stacked up to all that are unfinished, topmost first', () => {
    const order = stackOrder('r', ['judger', 'engine.generate']);
    expect(order).toEqual(['engine.generate', 'judger', 'queue', 'gap', 'siblings', 'unaccounted']);
    const columns = stackColumns(occupancy, order);
    expect(columns[1]).toEqual([6, 2]);
    expect(columns.at(-1)).toEqual([3, 1]);
  });

  test('who waits for a verdict is not unfinished', () => {
    expect(barrierOf(occupancy)).toEqual([5, 0]);
  });
});

describe('workers', () => {
  test('what rows tell, and what the server knows better', () => {
    const rows = [
      row('a', { worker: 'r10', latest_timestamp_s: 5, suspect: true }),
      row('b', { worker: 'r9', status: 'failed', latest_timestamp_s: 7 }),
    ];
    const work: OpenWork[] = [{ row: rows[0]!, since_s: 0, usual_s: 10 }];
    const told = [{ worker: 'r9', state: 'lost' as const, last_event_s: 6 }];
    expect(workerLines(rows, work, told)).toEqual([
      { worker: 'r9', inFlight: 0, overdue: 0, failed: 1, oldestSinceS: null, lastS: 7, state: 'lost' },
      { worker: 'r10', inFlight: 1, overdue: 1, failed: 0, oldestSinceS: 0, lastS: 5, state: null },
    ]);
    const elsewhere = [{ ...told[0]!, worker: 'r11' }];
    expect(workerLines(rows, work, elsewhere, true).map((l) => l.worker)).not.toContain('r11');
  });
});

test('rows stay where they are while the pointer is among them; new ones wait below', () => {
  const held = holdOrder(['c', 'x', 'a'], (r) => r, ['a', 'b', 'c']);
  expect(held).toEqual({ rows: ['a', 'c', 'x'], fresh: 1 });
});

test('a dead process is named with what it took, also when another is in its place', () => {
  const dead: LiveProcess = {
    worker: '[agent] rank 3',
    role: 'agent',
    rank: 3,
    host: 'node-1',
    pid: 4711,
    state: 'lost',
    since_s: 0,
    sessions: 34,
    batches: ['train_step=2', 'train_step=1'],
    replaced: true,
  };
  expect(processTitle(dead)).toMatch(/^\[agent\] rank 3 died at .*: 34 sessions lost\.$/);
  expect(processWords(dead)).toBe(
    'It ran as node-1, process 4711. Of train_step=1, train_step=2. A new process works in its place.',
  );
  expect(processTitle({ ...dead, state: 'silent' })).toContain('is silent since');
});
