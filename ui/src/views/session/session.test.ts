import { expect, test } from 'vitest';
import type { Session, SpanLine } from '../../data/types';
import { accounts, folded, sumOf } from './accounting';
import { pan, timeTicks, zoom } from './axis';
import { factsOf, groupName } from './facts';
import { parentsOf, spanRows, without } from './spanTree';
import { currentSpan } from './useUsual';

function span(
  stage: string,
  depth: number,
  from: number,
  length: number,
  more: Partial<SpanLine> = {},
): SpanLine {
  return {
    span: `x.${stage}`,
    stage,
    outcome: 'ok',
    depth,
    start_s: 1000 + from,
    end_s: 1000 + from + length,
    duration_s: length,
    self_s: 0,
    worker: null,
    train_step: null,
    status: null,
    error: null,
    clock_disagrees: false,
    ...more,
  };
}

const SPANS = [
  span('session', 0, 0, 10, { kind: 'session' }),
  span('agent', 1, 0, 8, { self_s: 2 }),
  span('generate', 2, 1, 3, { self_s: 3 }),
  span('decode', 3, 2, 1),
  span('generate', 2, 3, 4, { self_s: 3 }),
  span('idle', 1, 8, 0),
];

test('children are below their parent and one deeper, also where a depth is skipped', () => {
  expect(parentsOf(SPANS)).toEqual([-1, 0, 1, 2, 1, 0]);
  expect(parentsOf([{ depth: 0 }, { depth: 2 }, { depth: 1 }])).toEqual([-1, 0, 0]);
});

test('own time is what no child covers, with children that overlap', () => {
  const rows = spanRows({ start_s: 1000, spans: SPANS });
  expect(rows[1]!.own).toEqual([
    [0, 1],
    [7, 8],
  ]);
  expect(rows[2]!.own).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(rows[0]!.container).toBe(true);
});

test('the critical path is what had own time in the accounting, and all above it', () => {
  const rows = spanRows({ start_s: 1000, spans: SPANS });
  expect(rows.map((r) => r.critical)).toEqual([true, true, true, false, true, false]);
});

test.each([
  [[], [[0, 10]]],
  [[[0, 10]], []],
  [[[-5, 3]], [[3, 10]]],
  [
    [
      [6, 20],
      [2, 3],
      [2, 4],
    ],
    [
      [0, 2],
      [4, 6],
    ],
  ],
] as [[number, number][], [number, number][]][])('[0, 10] without %o is %o', (taken, left) => {
  expect(without(0, 10, taken)).toEqual(left);
});

test('the accounts add up to the time until the work was done; the barrier is none of them', () => {
  const list = accounts({
    wall_s: 10,
    stages: [
      { stage: 'agent', count: 1, self_s: 2, share: 0.2 },
      { stage: 'generate', count: 2, self_s: 6, share: 0.6 },
      { stage: 'tiny', count: 1, self_s: 0, share: 0 },
    ],
    waits: { queue_s: 0, gap_s: 0, siblings_s: 0, barrier_s: 2, unaccounted_s: 0, outside_s: 0 },
  });
  expect(list.map((a) => a.place)).toEqual(['generate', 'agent', 'unaccounted']);
  expect(sumOf(list)).toBe(8);
  expect(list[0]!.share).toBe(0.75);
});

test('small accounts are told together, and nothing is lost by that', () => {
  const list = accounts({
    wall_s: 1000,
    stages: ['a', 'b', 'c'].map((stage, i) => ({ stage, count: 1, self_s: i === 0 ? 999.8 : 0.1, share: 0 })),
    waits: { queue_s: 0, gap_s: 0, siblings_s: 0, barrier_s: 0, unaccounted_s: 0, outside_s: 0 },
  });
  const { shown, small } = folded(list);
  expect(shown.map((a) => a.place)).toEqual(['a', 'unaccounted']);
  expect(sumOf(shown) + sumOf(small)).toBeCloseTo(1000, 9);
});

const SESSION = {
  attributes: { 'areal.counters.turns': '2' },
  spans: SPANS.map((s, i) => ({
    ...s,
    attributes: {
      ...s.attributes,
      ...(i > 1 ? { 'rl.policy.version.first': String(i), 'rl.policy.version.last': String(i + 7) } : {}),
    },
  })),
} as unknown as Session;

test('samples of a group whose source names no task are not "of task null"', () => {
  expect(groupName(null)).toBe('its group');
  expect(groupName('math-19')).toBe('task math-19');
});

test('facts come from attributes', () => {
  const facts = factsOf(SESSION);
  expect(facts.policy).toEqual({ first: '2', last: '12' });
  expect(facts.counters).toEqual([['turns', '2']]);
});

test('what a session is in now is its newest open span', () => {
  const open = { outcome: 'open', end_s: null };
  const spans = [span('a', 0, 0, 9, open), span('b', 1, 2, 7, open), span('c', 1, 4, 1)];
  expect(currentSpan({ spans } as unknown as Session)?.stage).toBe('b');
  expect(currentSpan({ spans: [span('a', 0, 0, 1)] } as unknown as Session)).toBeNull();
});

test.each([
  [0, 271, 5, [0, 60, 120, 180, 240]],
  [0, 0.01, 5, [0, 0.002, 0.004, 0.006, 0.008, 0.01]],
  [0, 20, 4, [0, 5, 10, 15, 20]],
])('an axis from %d to %d has round ticks', (from, to, most, ticks) => {
  const made = timeTicks({ from, to }, most);
  expect(made.map((t) => Number(t.toFixed(9)))).toEqual(ticks);
});

test('ticks stay few for years and for nothing', () => {
  expect(timeTicks({ from: 0, to: 1.4e7 }, 8).length).toBeLessThanOrEqual(9);
  expect(timeTicks({ from: 0, to: 0 }, 8)).toEqual([0]);
});

test('zooming keeps what is under the pointer, panning stops at the ends', () => {
  expect(zoom({ from: 0, to: 100 }, 25, 0.5, 100)).toEqual({ from: 12.5, to: 62.5 });
  expect(zoom({ from: 10, to: 20 }, 15, 100, 100)).toEqual({ from: 0, to: 100 });
  expect(pan({ from: 10, to: 20 }, -2, 100)).toEqual({ from: 0, to: 10 });
  expect(pan({ from: 85, to: 95 }, 1, 100)).toEqual({ from: 90, to: 100 });
});
