import { expect, test } from 'vitest';
import type { Metric, MetricData, MetricSeries } from '../../data/metricTypes';
import { formatAddress, parseAddress } from '../../route/address';
import { formatNames, formatSpan } from '../../route/values';
import { boardsOf, type Chart, chartOf } from './boards';
import { chartsState } from './chartsState';
import { lineStyle } from './lineStyle';
import { type Line, MOST_LINES, pictureOf } from './lines';
import { apart, clockOf, marksOf } from './marks';
import { howRead, questionsOf } from './question';
import { readingsOf, readOut, stepPlace } from './readings';
import { timelineOf } from './timelineLink';
import { bounded, padded, united } from './window';

const gauge: Metric = {
  name: 'reward',
  kind: 'gauge',
  unit: null,
  series: 4,
  labels: { replica: ['0', '1'] },
  first_s: 0,
  last_s: 9,
  last_value: 1,
  has_step: true,
  step_source: 'sent',
};
const counter: Metric = { ...gauge, name: 'tokens', kind: 'sum', monotonic: true };
const histogram: Metric = { ...gauge, name: 'latency_seconds', kind: 'histogram' };
const plain = chartsState({});
const view = { from: 0, to: 100 };

function series(y: (number | null)[], more: Partial<MetricSeries> = {}): MetricSeries {
  return { name: 'reward', labels: {}, kind: 'gauge', y, min: y, max: y, ...more };
}
function data(all: MetricSeries[], x = all[0]!.y.map((_, i) => i)): MetricData {
  return { axis: 'time', x, series: all, heatmap: null, truncated: false, bucket_s: 1 };
}
const line = (y: (number | null)[], more: Partial<Line> = {}): Line => ({
  key: '',
  label: '',
  y,
  low: null,
  high: null,
  spread: false,
  ...more,
});

const draw = (chart: Chart, ...answers: MetricData[]) =>
  pictureOf(chart, answers, [{ agg: 'p50' }, { agg: 'p90' }, { agg: 'p99' }], null);

test('the whole state comes back from the address', () => {
  const pins = ['vllm:x', 'a b%20c', '<b>&=?#/é'];
  const params = {
    board: 'engine',
    axis: 'step',
    agg: 'p95',
    by: 'replica',
    where: 'host:a:b',
    smooth: 'mid',
    scale: 'log',
    hist: 'bands',
    size: 'tall',
    t: formatSpan({ from: 1781000312.5, to: 1781000600.2 }),
    steps: '3..9',
    find: 'loss',
    pin: formatNames(pins),
    hide: formatNames(['x y']),
    chart: pins[2]!,
    numbers: pins[1]!,
  };
  const route = parseAddress(formatAddress({ view: 'charts', run: 'a/b', session: null, params }));
  expect(route).toMatchObject({ view: 'charts', run: 'a/b' });
  expect(chartsState(route.params)).toEqual({
    board: 'engine',
    axis: 'step',
    agg: 'p95',
    by: 'replica',
    where: 'host:a:b',
    smooth: 'mid',
    log: true,
    hist: 'bands',
    tall: true,
    t: { from: 1781000312.5, to: 1781000600.2 },
    steps: { from: 3, to: 9 },
    find: 'loss',
    pins,
    hidden: new Set(['x y']),
    chart: pins[2],
    numbers: pins[1],
  });
});

test('an address with unknown words falls back to what is usual', () => {
  const odd = { board: 'x', axis: 'moon', agg: 'p42', smooth: '7', hist: '', t: '9..3', pin: '%E0%A4%A' };
  expect(chartsState(odd)).toMatchObject({ board: null, axis: 'clock', agg: null, smooth: 'off', t: null });
});

test('gauges are asked for by their mean, counters by the sum of their rates', () => {
  expect(questionsOf(chartOf(gauge), plain, null)).toEqual([
    { name: ['reward'], axis: 'time', agg: 'mean', as: 'value', points: 500 },
  ]);
  const asked = { ...plain, axis: 'step' as const, by: 'replica', where: 'host:n1' };
  expect(questionsOf(chartOf(counter), asked, { from: 2.2, to: 9.7 })).toEqual([
    {
      name: ['tokens'],
      axis: 'step',
      agg: 'sum',
      as: 'rate',
      points: 500,
      by: ['replica'],
      where: ['host:n1'],
      from_step: 3,
      to_step: 9,
    },
  ]);
  const each = questionsOf(chartOf(gauge), { ...plain, agg: 'none', by: 'replica' }, { from: 1, to: 2 });
  expect(each[0]).toMatchObject({ agg: 'none', from_s: 1, to_s: 2 });
  expect(each[0]).not.toHaveProperty('by');
});

test('histograms are asked for as a heat map or by percentile, never as buckets', () => {
  const asked = (more: object) =>
    questionsOf(chartOf(histogram), { ...plain, ...more }, null).map((q) => q.agg);
  expect(asked({})).toEqual(['heatmap']);
  expect(asked({ agg: 'max' })).toEqual(['heatmap']);
  expect(asked({ hist: 'bands' })).toEqual(['p50', 'p90', 'p99']);
  expect(asked({ hist: 'bands', by: 'replica', agg: 'p90' })).toEqual(['p90']);
  expect(asked({ hist: 'bands', by: 'replica', agg: 'max' })).toEqual(['p95']);
});

test('how a chart is read is said in words', () => {
  expect(howRead(chartOf(gauge), plain)).toBe('mean of 4 series');
  expect(howRead(chartOf({ ...gauge, series: 1 }), plain)).toBe('');
  expect(howRead(chartOf(counter), { ...plain, by: 'replica' })).toBe('per second, sum by replica');
  expect(howRead(chartOf(counter), { ...plain, axis: 'step', agg: 'none' })).toBe('per step');
  expect(howRead(chartOf(histogram), { ...plain, hist: 'bands' })).toBe('percentiles');
});

test('lines are named by the labels in which they differ, numbers as numbers', () => {
  const one = (replica: string, y: number) => series([y], { labels: { replica, job: 'vllm' } });
  const picture = draw(chartOf(gauge), data([one('10', 1), one('9', 2), one('2', 3)]));
  expect(picture.lines.map((l) => l.label)).toEqual(['replica=2', 'replica=9', 'replica=10']);
  // Bands of many lines would cover each other.
  expect(picture.lines.every((l) => l.low === null)).toBe(true);
  const by = pictureOf(chartOf(gauge), [data([one('', 1), one('1', 2)])], [{ agg: 'mean' }], 'replica');
  expect(by.lines.map((l) => l.label)).toEqual(['no replica', '1']);
});

test('a single line has its band; lines beyond the limit are counted', () => {
  const single = draw(chartOf(gauge), data([series([2], { min: [1], max: [3] })]));
  expect(single.lines[0]).toMatchObject({ label: '', y: [2], low: [1], high: [3] });
  const many = Array.from({ length: MOST_LINES + 3 }, (_, i) => series([i], { labels: { i: `${i}` } }));
  const picture = draw(chartOf(gauge), { ...data(many), left_out: 4 });
  expect(picture.lines).toHaveLength(MOST_LINES);
  expect(picture.leftOut).toBe(7);
});

test('the band of a sum would not be around it', () => {
  const answer = data([series([5], { min: [1], max: [4] })]);
  const [line] = pictureOf(chartOf(counter), [answer], [{ agg: 'sum' }], null).lines;
  expect(line).toMatchObject({ y: [5], low: null, high: null });
});

test('mean, least and greatest become a line with a band', () => {
  const names = ['x/mean', 'x/max', 'x/min'].map((n) => `critic/${n}`);
  const chart = boardsOf(names.map((name) => ({ ...gauge, name })))[0]!.groups[0]!.charts[0]!;
  const picture = draw(
    chart,
    data([
      series([5], { name: names[0]! }),
      series([9], { name: names[1]! }),
      series([1], { name: names[2]! }),
    ]),
  );
  expect(picture.lines).toMatchObject([{ label: 'mean', y: [5], low: [1], high: [9], spread: true }]);
});

test('percentiles that were asked for one after the other are on the same places', () => {
  const chart = chartOf(histogram);
  const late = data([series([20, 30, 40])], [1, 2, 3]);
  const picture = draw(chart, data([series([1, 2])], [1, 2]), late, late);
  expect(picture.lines.map((l) => [l.label, l.y])).toEqual([
    ['p50', [1, 2]],
    ['p90', [20, 30]],
    ['p99', [20, 30]],
  ]);
});

test('steps and weight syncs are marked on the clock only; close ones are thinned', () => {
  const annotations = {
    batches: [
      { batch: 'b2', train_step: 2, start_s: 50, end_s: null },
      { batch: 'odd', train_step: null, start_s: 10, end_s: 40 },
    ],
    weight_syncs: [{ stage: 'weight_sync', start_s: 45, end_s: null, count: 2 }],
  };
  expect(marksOf(annotations, 'clock', 60)).toEqual({
    steps: [
      { at: 10, label: 'odd' },
      { at: 50, label: 'step 2' },
    ],
    syncs: [{ from: 45, to: 60, label: 'weight_sync' }],
  });
  expect(marksOf(annotations, 'step', 60).steps).toEqual([]);
  expect(apart([{ at: 1 }, { at: 2 }, { at: 9 }], (x) => x * 10, 30).map((m) => m.at)).toEqual([1, 9]);
});

test('a window leads to the same window of the timeline, steps by the time of their batches', () => {
  const batches = [
    { batch: 'b3', train_step: 3, start_s: 30, end_s: 40 },
    { batch: 'b4', train_step: 4, start_s: 40, end_s: null },
    { batch: 'b9', train_step: 9, start_s: 90, end_s: 99 },
  ];
  const link = (axis: 'clock' | 'step', settled: { from: number; to: number } | null) =>
    timelineOf('r', { ...plain, axis }, { settled, view, whole: view, setView: () => {} }, batches, 60)
      ?.params;
  expect(link('clock', { from: 5, to: 7 })).toEqual({ scope: 'all', t: '5..7' });
  expect(link('step', { from: 2.5, to: 4.5 })).toEqual({ scope: 'all', t: '30..60' });
  expect(link('step', { from: 20, to: 30 })).toBeUndefined();
  expect(link('clock', null)).toEqual({ scope: 'all' });
  expect(clockOf({ from: 9, to: 9.5 }, batches, 60)).toEqual({ from: 90, to: 99 });
});

test('zooming ends at everything and at what can be told apart', () => {
  const whole = { from: 0, to: 100 };
  expect(bounded({ from: -50, to: 150 }, whole, 'clock')).toBeNull();
  expect(bounded({ from: 10, to: 20 }, whole, 'clock')).toEqual({ from: 10, to: 20 });
  expect(bounded({ from: 5, to: 5.2 }, whole, 'step')).toEqual({ from: 4.6, to: 5.6 });
  expect(united([null, { from: 3, to: 4 }, { from: 1, to: 2 }])).toEqual({ from: 1, to: 4 });
  expect(padded({ from: 5, to: 5 })).toEqual({ from: 4.5, to: 5.5 });
});

test('the keyboard reads place by place what the pointer would show', () => {
  const picture = { x: [10, 20, 30], bucketS: 10, lines: [line([1, null, 3])], heat: null, leftOut: 0 };
  expect(readingsOf(picture, 0, null, view)[0]!.y).toBe(3);
  expect(readingsOf(picture, 0, null, { from: 0, to: 29 })[0]!.y).toBe(1);
  expect(readingsOf(picture, 0, 1, view)[0]!.y).toBeNull();
  expect(readOut('reward', readingsOf(picture, 0, 0, view), 'step 10', 's')).toBe('reward, step 10: 1 s');
  expect(stepPlace(picture.x, null, -1, { from: 0, to: 25 })).toBe(1);
  expect(stepPlace(picture.x, null, 1, { from: 15, to: 40 })).toBe(1);
  expect(stepPlace(picture.x, 2, 1, { from: 0, to: 40 })).toBe(2);
  expect(stepPlace(picture.x, null, 1, { from: 50, to: 60 })).toBeNull();
});

test('twenty lines look different, and not by colour alone', () => {
  const looks = Array.from({ length: 20 }, (_, i) => JSON.stringify(lineStyle('light', i)));
  expect(new Set(looks).size).toBe(20);
  expect(lineStyle('dark', 8).dash).not.toEqual(lineStyle('dark', 0).dash);
});
