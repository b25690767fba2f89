import { expect, test } from 'vitest';
import { columnsOf } from './columns';
import { columnWidth, darkness, heatOf } from './heat';
import type { Line } from './lines';
import { cellAt, cellText } from './readings';
import { positive, yScale, yTicks } from './scale';
import { smoothed } from './smooth';

const view = { from: 0, to: 100 };
const line = (y: (number | null)[], more: Partial<Line> = {}): Line => ({
  key: '',
  label: '',
  y,
  low: null,
  high: null,
  spread: false,
  ...more,
});

test('smoothing begins at the first value, keeps constants, and starts anew after a break', () => {
  expect(smoothed([4, 4, 4], 0.9).map((v) => v?.toFixed(9))).toEqual(Array(3).fill('4.000000000'));
  expect(smoothed([1, 3], 0.5)).toEqual([1, (0.25 + 1.5) / 0.75]);
  expect(smoothed([100, null, 2], 0.97)).toEqual([100, null, 2]);
  expect(smoothed([1, 5, 2], 0)).toEqual([1, 5, 2]);
});

test('the raw line lies behind the smoothed one; bands of raw points go', () => {
  const lines = [line([1, 3], { low: [0, 0], high: [9, 9] })];
  const roles = (smooth: number) =>
    columnsOf({ x: [0, 1], lines }, { smooth, log: false }, view).columns.map((c) => c.role);
  expect(roles(0)).toEqual(['high', 'low', 'line']);
  expect(roles(0.9)).toEqual(['raw', 'line']);
});

test('a logarithmic scale leaves out what it has no place for, and gives up where nothing is above zero', () => {
  const lines = [line([0, 0.03, -1, 700])];
  const made = columnsOf({ x: [0, 1, 2, 3], lines }, { smooth: 0, log: true }, view);
  expect(made.scale).toEqual({ min: 0.02, max: 1000, log: true, leftOut: 2 });
  expect(made.data[1]).toEqual([null, 0.03, null, 700]);
  expect(yScale([[0, -5]], true)).toMatchObject({ log: false, leftOut: 0 });
  expect(positive([1, 0, null])).toEqual([1, null, null]);
});

test('the y axis shows what is in sight, with zero if that is near', () => {
  const lines = [line([0.2, 0.5, 1000])];
  expect(columnsOf({ x: [1, 2, 300], lines }, { smooth: 0, log: false }, view).scale.max).toBeLessThan(1);
  expect(yScale([[10, 100]], false).min).toBe(0);
  expect(yScale([[1000, 1010]], false).min).toBeGreaterThan(990);
  expect(yScale([[7, 7]], false)).toMatchObject({ min: 6.3, max: 7.7 });
  expect(yScale([[0]], false)).toMatchObject({ min: 0, max: 1 });
  expect(yScale([[null]], false)).toMatchObject({ min: 0, max: 1 });
  expect(yScale([[-100, -1]], false).max).toBe(0);
});

test('ticks are round and few', () => {
  expect(yTicks({ min: 0, max: 0.72, log: false, leftOut: 0 }, 4)).toEqual([0, 0.2, 0.4, 0.6]);
  expect(yTicks({ min: 1, max: 10, log: true, leftOut: 0 }, 4)).toEqual([1, 2, 5, 10]);
  const wide = yTicks({ min: 1e-7, max: 1e5, log: true, leftOut: 0 }, 4);
  expect(wide.length).toBeLessThanOrEqual(5);
  expect(wide).toContain(1);
});

test('heat maps leave out empty ends, join buckets and lose no observation', () => {
  const bounds = [1, 2, 4, 8, 16, null];
  const counts = [
    [0, 1, 2, 3, 4, 0],
    [0, 0, 0, 9, 0, 0],
  ];
  const heat = heatOf({ bounds, counts }, 24)!;
  expect(heat).toMatchObject({ edges: [1, 2, 4, 8, 16], rows: 4, columns: 2, most: 9 });
  const few = heatOf({ bounds, counts }, 2)!;
  expect(few.edges).toEqual([1, 4, 16]);
  expect([...few.counts]).toEqual([3, 7, 0, 9]);
  const ends = heatOf({ bounds, counts: [[1, 0, 0, 0, 0, 1]] }, 24)!;
  expect([ends.edges[0], ends.edges.at(-1)]).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(heatOf({ bounds, counts: [[0, 0, 0, 0, 0, 0]] }, 24)).toBeNull();
  expect(cellText(cellAt(heat, 0, 3.7)!, 's')).toBe('8 s to 16 s: 4 of 10');
});

test('a cell is as wide as its time; single observations are seen beside thousands', () => {
  expect(columnWidth([0, 10, 50], 10)).toBe(10);
  expect(columnWidth([1, 2, 3, 9], null)).toBe(1);
  expect(columnWidth([7], null)).toBe(1);
  expect([darkness(0, 5000), darkness(5000, 5000)]).toEqual([0, 1]);
  expect(darkness(1, 5000)).toBeGreaterThan(0.1);
});
