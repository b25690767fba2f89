import { expect, test } from 'vitest';
import { duration, exactDuration, shortDuration, unbroken } from './duration';

test.each([
  [0, '0 s'],
  [0.0000042, '4.20 µs'],
  [0.00352, '3.52 ms'],
  [0.352, '352 ms'],
  [0.9996, '1.00 s'],
  [5.574, '5.57 s'],
  [33.34, '33.3 s'],
  [59.949, '59.9 s'],
  [59.96, '1 m 00 s'],
  [271, '4 m 31 s'],
  [3599.6, '1 h 00 m'],
  [7860, '2 h 11 m'],
  [86_400 * 2 + 3600 * 5, '2 d 05 h'],
  [86_400 * 99 + 3600 * 5, '99 d 05 h'],
  [86_400 * 158.9, '159 d'],
  [-1.5, '−1.50 s'],
])('%d seconds read %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test('a duration that is not known is a dash', () => {
  expect(duration(Number.NaN)).toBe('–');
  expect(exactDuration(Number.NaN)).toBe('not known');
});

test('cells have room for four characters', () => {
  expect(shortDuration(271)).toBe('4m31');
  expect(shortDuration(13.6)).toBe('14s');
  expect(shortDuration(3720)).toBe('1h02');
  expect(shortDuration(200_000)).toBe('2d');
});

test('exact values keep nanoseconds', () => {
  expect(exactDuration(1.000000001)).toBe('1.000000001 s');
});

test('durations in a sentence stay on one line', () => {
  expect(unbroken('Step 4 took 14 m 02 s, 57.7 % of 3 sessions')).toBe(
    'Step 4 took 14\u00a0m\u00a002\u00a0s, 57.7\u00a0% of 3 sessions',
  );
});
