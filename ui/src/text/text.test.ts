import { expect, test } from 'vitest';
import { count, counted, fourDigits, percent, times } from './count';
import { shortId } from './id';
import { naturalKey } from './natural';
import { exactTime, isUndated, moment } from './time';
import { exactValue, value } from './value';

test('counts are grouped and agree with their noun', () => {
  expect(count(13824)).toBe('13,824');
  expect(counted(1, 'session')).toBe('1 session');
  expect(counted(0, 'batch', 'batches')).toBe('0 batches');
});

test('rewards and tokens take four digits', () => {
  expect([0, 0.7, -0.712345, 88, 1412.4, 123456, 0.00001234, -2.5e15].map(fourDigits)).toEqual([
    '0',
    '0.7',
    '-0.7123',
    '88',
    '1,412',
    '123,456',
    '1.23E-5',
    '-2.5E15',
  ]);
});

test('ratios stay short', () => {
  expect([1.04, 8.14, 9.96, 14.4, 99.6].map(times)).toEqual(['1.0×', '8.1×', '10×', '14×', '>99×']);
});

test('a share that is not zero never reads as zero', () => {
  expect([0, 0.0001, 0.465].map(percent)).toEqual(['0 %', '< 0.1 %', '46.5 %']);
});

test('39-digit uids of XTuner and 32-digit trace ids fold, short ids stay', () => {
  expect(shortId('dapo_math:125')).toBe('dapo_math:125');
  expect(shortId('gsm8k:123045678901234567890123456789012343979')).toBe('gsm8k:1230…3979');
  expect(shortId('5b8efff798038103d269b633813fc60c')).toBe('5b8e…c60c');
  expect(shortId('a-very-long-session-name-of-words')).toBe('a-very-long…e-of-words');
});

test('numbers inside ids sort as numbers, however long', () => {
  const ids = ['s10', 's9', 's123045678901234567890', 's99045678901234567890', 'a'];
  expect(ids.sort((a, b) => (naturalKey(a) < naturalKey(b) ? -1 : 1))).toEqual([
    'a',
    's9',
    's10',
    's99045678901234567890',
    's123045678901234567890',
  ]);
});

test('a surrogate pair is never cut in half', () => {
  expect(shortId('😀'.repeat(40))).toBe(`${'😀'.repeat(11)}…${'😀'.repeat(10)}`);
});

test('a time of today is a clock, an older one has a date, the exact one a zone', () => {
  const noon = new Date(2026, 10, 15, 12, 0, 5, 42).getTime() / 1000;
  expect(moment(noon, noon + 60)).toBe('12:00:05');
  expect(moment(noon, noon + 86_400 * 3)).toBe('15 Nov 12:00');
  expect(moment(noon, noon + 86_400 * 400)).toBe('15 Nov 2026 12:00');
  expect(exactTime(noon)).toMatch(/^2026-11-15 12:00:05\.042 UTC[+-]\d\d:\d\d$/);
  expect(exactTime(Number.NaN)).toBe('not known');
  // A trial on a clock of its own was last active "12 Apr 1970".
  expect([isUndated(8_738_394.8), isUndated(noon)]).toEqual([true, false]);
});

test('measured values are short, told by their unit, and exact on hover', () => {
  expect([0, 0.42134, 0.00001234, -0.5, 999.4, 1234.5, 12_345_678, 2e18].map((v) => value(v))).toEqual([
    '0',
    '0.4213',
    '1.23e-5',
    '−0.5',
    '999.4',
    '1,235',
    '12.3 M',
    '2.00e18',
  ]);
  expect(value(0.25, 's')).toBe('250 ms');
  expect(value(1500, 'ms')).toBe('1.50 s');
  expect(value(1_610_612_736, 'By')).toBe('1.61 GB');
  expect(value(3, '1')).toBe('3');
  expect(value(3, 'token')).toBe('3 token');
  expect([value(null), value(Number.NaN)]).toEqual(['–', '–']);
  expect(exactValue(0.42134987654321)).toBe('0.42134987654321');
  expect(exactValue(1234567, 'By')).toBe('1,234,567 bytes');
  expect(exactValue(null)).toBe('nothing');
});
