import { expect, test } from 'vitest';
import type { Target } from '../../data/metricTypes';
import { sortRows } from '../../kit/sortRows';
import { labelText, sortValue, summary, targetKey } from './targets';

function target(name: string, up: boolean | null, more: Partial<Target> = {}): Target {
  return {
    target: name,
    job: 'vllm',
    labels: {},
    run: null,
    interval_s: 15,
    timeout_s: 10,
    source: 'api',
    up,
    last_scrape_s: null,
    last_duration_s: null,
    samples: null,
    error: null,
    ...more,
  };
}

test('down ones come first, then those not read yet, hosts with their numbers in order', () => {
  const targets = [target('h10', true), target('h9', true), target('b', null), target('z', false)];
  const sorted = sortRows(targets, { key: 'state', descending: false }, sortValue);
  expect(sorted.map((t) => t.target)).toEqual(['z', 'b', 'h9', 'h10']);
});

test('a sentence says how they are', () => {
  expect(summary([target('a', true)])).toBe('The only target is up');
  expect(summary([target('a', true), target('b', true)])).toBe('All 2 targets are up');
  expect(summary([target('a', false), target('b', false)])).toBe('All 2 targets are down');
  expect(summary([target('a', false), target('b', true), target('c', null)])).toBe(
    '1 of 3 targets is down; 1 not read yet',
  );
  expect(summary([target('a', null)])).toBe('0 of 1 targets are up; 1 not read yet');
});

test('two jobs of one address are two rows; labels are read as text', () => {
  expect(targetKey(target('a', true))).not.toBe(targetKey(target('a', true, { job: 'node' })));
  expect(labelText(target('a', true, { labels: { replica: '0', zone: '<b>' } }))).toBe('replica=0, zone=<b>');
});
