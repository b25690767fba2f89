import { expect, test } from 'vitest';
import { heatOf } from './heat';
import { csvOf, numbersOf } from './numbers';

const line = (label: string, y: (number | null)[]) => ({
  key: label,
  label,
  y,
  low: null,
  high: null,
  spread: false,
});

test('a chart is a table too, newest first, and a file', () => {
  const picture = {
    x: [1, 2, 3],
    bucketS: 1,
    lines: [line('a,"b"', [0.5, null, 2]), line('', [1, null, null])],
    heat: null,
    leftOut: 0,
  };
  const numbers = numbersOf(picture, '', { from: 0, to: 9 });
  expect(numbers.rows).toEqual([
    { x: 3, values: [2, null] },
    { x: 1, values: [0.5, 1] },
  ]);
  expect(csvOf(numbers, 'clock')).toBe('time_s,"a,""b""",value\n3,2,\n1,0.5,1');
});

test('a heat map is a table of its buckets', () => {
  const heat = heatOf({ bounds: [0.1, 0.25, null], counts: [[0, 3, 1]] }, 24);
  const numbers = numbersOf({ x: [7], bucketS: null, lines: [], heat, leftOut: 0 }, 's', { from: 7, to: 7 });
  expect(numbers).toEqual({ heads: ['100 ms to 250 ms', '250 ms to ∞'], rows: [{ x: 7, values: [3, 1] }] });
});
