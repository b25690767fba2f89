import { expect, test } from 'vitest';
import { nextSort, parseSort, sortRows } from './sortRows';

const rows = [
  { n: 2, s: 'r10' },
  { n: null, s: 'r9' },
  { n: 30, s: null },
];
const value = (row: (typeof rows)[number], key: string) => row[key as 'n' | 's'];

test('numbers as numbers, names with their numbers, unknown last', () => {
  expect(sortRows(rows, { key: 'n', descending: true }, value).map((r) => r.n)).toEqual([30, 2, null]);
  expect(sortRows(rows, { key: 'n', descending: false }, value).map((r) => r.n)).toEqual([2, 30, null]);
  expect(sortRows(rows, { key: 's', descending: false }, value).map((r) => r.s)).toEqual(['r9', 'r10', null]);
});

test('a sort survives the address, and a second click turns it round', () => {
  const usual = { key: 'last', descending: true };
  expect(parseSort(undefined, usual)).toBe(usual);
  expect(parseSort('-wall', usual)).toEqual({ key: 'wall', descending: true });
  expect(nextSort(parseSort('-wall', usual), 'wall')).toBe('wall');
  expect(nextSort(usual, 'name', false)).toBe('name');
});
