import { expect, test } from 'vitest';
import { formatNames, formatSpan, parseSpan } from '../../route/values';
import { timelineState } from './timelineState';
import { windowFor } from './useTimeline';

test('a window in the address comes back as it was', () => {
  expect(parseSpan(formatSpan({ from: 1781000312.5, to: 1781000600.2 }))).toEqual({
    from: 1781000312.5,
    to: 1781000600.2,
  });
  expect(formatSpan({ from: 0.000012, to: 0.000034 })).toBe('0.000012..0.000034');
});

test.each(['', '5', '5..', 'x..y', '9..3', '1..2..3', 'NaN..1'])('%j is no window', (text) => {
  expect(parseSpan(text)).toBeNull();
});

test('ids of any kind can be pinned', () => {
  const pins = ['dapo math:1', 'a%20b', 'x'];
  expect([...timelineState({ pin: formatNames(pins) }).pins]).toEqual(pins);
});

test('links with unknown words fall back to what the data suggest', () => {
  const state = timelineState({ lanes: 'elephants', sort: '?', axis: 'start', depth: '9', pin: '%E0%A4%A' });
  expect(state).toMatchObject({ lanes: null, sort: 'slowest', axis: 'start', depth: null });
});

test('a finer window is asked for only when it is much finer, and rarely anew', () => {
  const data = { from_ns: 0, to_ns: 1000e9 };
  expect(windowFor(data, { from: 0, to: 900 })).toBeNull();
  const window = windowFor(data, { from: 100, to: 120 })!;
  expect(window.from).toBeLessThanOrEqual(100);
  expect(window.to).toBeGreaterThanOrEqual(120);
  expect(windowFor(data, { from: 101, to: 121 })).toEqual(window);
});
