import { describe, expect, test } from 'vitest';
import type { Batch } from '../../data/types';
import { explain } from './explain';
import { barAt, barsIn, labelEvery, scaleOf, tickText } from './scale';
import {
  firstToLookAt,
  groupsIn,
  IDLE,
  idleShare,
  placesToName,
  type Step,
  sessionsIn,
  stepsOf,
  stepValue,
} from './steps';

const NO_WAITS = { queue_s: 0, gap_s: 0, siblings_s: 0, barrier_s: 0, unaccounted_s: 0, outside_s: 0 };

function batch(step: number, change: Partial<Batch> = {}): Batch {
  return {
    batch: `train_step=${step}`,
    train_step: step,
    model_step: null,
    future_step: null,
    sessions: 100,
    statuses: { completed: 100 },
    start_s: 1000 * step,
    end_s: 1000 * step + 360,
    wall_s: 360,
    slots: 10,
    tail_s: 60,
    tail_cost_s: 300,
    session_s: 3000,
    stages: { generate: 2500, judger: 400 },
    waits: { ...NO_WAITS, queue_s: 100 },
    stragglers: [],
    ...change,
  };
}

function steps(...batches: Batch[]): Step[] {
  return stepsOf('r', batches);
}

describe('a step', () => {
  test('has parts that add up to all of its slot time, idle slots included', () => {
    const [step] = steps(batch(1));
    expect(step!.slot_s).toBe(3600);
    expect(step!.parts.reduce((sum, p) => sum + p.s, 0)).toBe(3600);
    expect(step!.parts.at(-1)).toEqual({ place: IDLE, s: 600 });
    expect(idleShare(step!)).toBeCloseTo(1 / 6);
  });

  test('whose sessions wait outside of slots has no negative idle time', () => {
    const [step] = steps(batch(1, { waits: { ...NO_WAITS, queue_s: 9000 } }));
    expect(step!.parts.every((p) => p.place !== IDLE && p.s > 0)).toBe(true);
  });

  test('is compared with the finished ones', () => {
    const [first, second, open] = steps(
      batch(1),
      batch(2, { wall_s: 720 }),
      batch(3, { wall_s: 10_000, tail_s: 0, statuses: { running: 20, completed: 80 } }),
    );
    expect([first!.ratio, second!.ratio]).toEqual([360 / 540, 720 / 540]);
    expect(open).toMatchObject({ unfinished: 20, done90_s: null });
    expect(steps(batch(1))[0]!.ratio).toBeNull();
  });

  test('lost sessions have ended', () => {
    const lost = (n: number) => steps(batch(1, { tail_s: 0, statuses: { lost: n, completed: 100 - n } }))[0]!;
    expect(lost(5)).toMatchObject({ unfinished: 0, done90_s: 360 });
    expect(lost(20)).toMatchObject({ unfinished: 0, done90_s: 360 });
  });

  test('comes in order of start, whatever order the server gives', () => {
    expect(steps(batch(3), batch(1), batch(2)).map((s) => s.name)).toEqual(['Step 1', 'Step 2', 'Step 3']);
  });

  test('has a column for each way to end: lost ones are not failed, dropped and cancelled ones not rejected', () => {
    const statuses = { completed: 60, rejected: 13, cancelled: 5, dropped: 3, failed: 8, lost: 7, queued: 4 };
    const [step] = steps(batch(1, { statuses }));
    expect(
      groupsIn([step!.batch]).map(([key, head, of]) => [
        head,
        sessionsIn(step!.batch, of),
        stepValue(step!, key),
      ]),
    ).toEqual([
      ['Completed', 60, 60],
      ['Rejected', 13, 13],
      ['Dropped', 3, 3],
      ['Cancelled', 5, 5],
      ['Failed', 8, 8],
      ['Lost', 7, 7],
      ['Open', 4, 4],
    ]);
  });

  test('is sorted by its sessions of a status', () => {
    const [step] = steps(batch(1, { statuses: { failed: 3, lost: 2, accepted: 95 } }));
    expect(['done', 'failed', 'lost', 'open', 'nonsense'].map((k) => stepValue(step!, k))).toEqual([
      95,
      3,
      2,
      0,
      null,
    ]);
  });
});

test('the step to look at first is the one furthest out of line, else the newest', () => {
  const calm = [batch(1), batch(2), batch(3)];
  expect(firstToLookAt(steps(...calm))!.name).toBe('Step 3');
  expect(firstToLookAt(steps(...calm, batch(4, { wall_s: 900 }), batch(5)))!.name).toBe('Step 4');
  expect(firstToLookAt([])).toBeUndefined();
});

test('the legend names what the bars are made of, in their order', () => {
  const all = steps(batch(1, { stages: { generate: 2500, judger: 1 } }));
  expect(placesToName(all, ['judger', 'generate', 'queue', 'gap'])).toEqual(['generate', 'queue']);
});

describe('words', () => {
  const explained = (change: Partial<Batch>) => {
    const all = steps(batch(1), batch(2), batch(3), batch(4, change));
    return explain(all[3]!, all);
  };

  test('blame the tail when it made the difference', () => {
    const { title, reasons } = explained({ wall_s: 842, tail_s: 540, tail_cost_s: 4860 });
    expect(title).toBe('Step 4 took 14 m 02 s, 2.3× the median of 6 m 00 s.');
    expect(reasons).toEqual([
      'The tail made the difference: 90 % were done after 5 m 02 s (usually 5 m 00 s), the last 10 % took 9 m 00 s more (usually 1 m 00 s).',
      'In the tail of 9 m 00 s on average 9 of 10 slots were idle: 1 h 21 m of slot time, 57.7 % of the step.',
    ]);
  });

  test('blame the stage when everything was slower', () => {
    const { reasons } = explained({ wall_s: 720, tail_s: 60, stages: { generate: 5500, judger: 400 } });
    expect(reasons[0]).toBe(
      'The difference came before the tail: 90 % were done after 11 m 00 s, usually 5 m 00 s.',
    );
    expect(reasons[1]).toBe('A session spent 55.0 s in generate, usually 25.0 s.');
  });

  test('say that there was more to do', () => {
    const { reasons } = explained({ wall_s: 720, tail_s: 60, sessions: 200 });
    expect(reasons).toContain('It has 200 sessions, usually 100.');
  });

  test('say what is unfinished, what failed, and when all is as usual', () => {
    const open = explained({ tail_s: 0, statuses: { running: 12, completed: 88 } });
    expect(open.title).toBe('Step 4 has run for 6 m 00 s, about the median of 6 m 00 s.');
    expect(open.reasons).toEqual(['12 of 100 sessions have not ended.']);
    const failed = explained({ statuses: { failed: 8, completed: 92 } });
    expect(failed.reasons.at(-1)).toBe('8 sessions failed, usually 0.');
  });

  test('do not compare the only step', () => {
    const [only] = steps(batch(1));
    expect(explain(only!, [only!]).title).toBe(
      'Step 1 took 6 m 00 s; there is no other finished step to compare it with.',
    );
  });
});

describe('the chart', () => {
  test('is not flattened by one hung step', () => {
    const { top_s, ticks } = scaleOf(steps(batch(1), batch(2), batch(3, { wall_s: 1e7 })));
    expect(top_s).toBeCloseTo(5 * 360 * 1.12);
    expect(ticks).toEqual([0, 600, 1200, 1800]);
  });

  test('has short ticks', () => {
    expect([0, 20, 60, 90, 7200].map(tickText)).toEqual(['0', '20 s', '1 m', '1 m 30 s', '2 h']);
  });

  test('has room for a thousand steps, and finds the one below the pointer', () => {
    const bars = barsIn(1000, 64, 1300);
    expect(bars.left + 1000 * bars.pitch).toBeLessThanOrEqual(64 + 1300.001);
    expect(barAt(bars, 1000, 64 + 500.5 * bars.pitch)).toBe(500);
    expect(barAt(bars, 1000, 10)).toBe(-1);
    expect(labelEvery(bars, 28)).toBe(50);
  });
});
