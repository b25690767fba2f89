import { expect, test } from 'vitest';
import type { Metric } from '../../data/metricTypes';
import { type Board, boardsOf, findChart, searched } from './boards';
import { labelNames, labelValues } from './labels';
import { isCounter, nameKey, shortName, unitOf } from './metricNames';

function metric(name: string, more: Partial<Metric> = {}): Metric {
  return {
    name,
    kind: 'gauge',
    unit: null,
    series: 1,
    labels: {},
    first_s: 100,
    last_s: 200,
    last_value: 1,
    has_step: true,
    step_source: 'sent',
    ...more,
  };
}

const all = (...names: string[]) => boardsOf(names.map((n) => metric(n)));
const titles = (boards: readonly Board[]) => boards.map((b) => b.id);
const charts = (board: Board | undefined) => board?.groups.flatMap((g) => g.charts.map((c) => c.title));

test('a board is there only if the run has metrics for it', () => {
  expect(titles(all('node_cpu_seconds_total'))).toEqual(['all']);
  expect(titles(all('actor/pg_loss'))).toEqual(['training', 'all']);
  expect(titles(all('rl_insight_monitor_response_length_mean'))).toEqual(['rollout', 'all']);
  expect(titles(all('vllm:num_requests_running'))).toEqual(['engine', 'all']);
  expect(titles(all('sglang:num_queue_reqs', 'perf/throughput', 'num_turns/mean'))).toEqual([
    'training',
    'rollout',
    'engine',
    'all',
  ]);
  expect(titles(all())).toEqual(['all']);
});

test('names of verl, of RL-Insight and of OpenTelemetry lead to the same group', () => {
  for (const name of ['actor/pg_loss', 'rl_insight_monitor_actor_pg_loss', 'actor.pg_loss']) {
    expect(nameKey(name)).toBe('actor_pg_loss');
    expect(all(name)[0]!.groups.map((g) => g.title)).toEqual(['Policy']);
  }
  expect(shortName('rl_insight_monitor_actor_pg_loss')).toBe('actor_pg_loss');
  expect(nameKey('vllm:prompt_tokens_total')).toBe('vllm:prompt_tokens');
});

test('mean, least and greatest of one thing are one chart with a band', () => {
  const [board] = all('critic/score/mean', 'critic/score/max', 'critic/score/min', 'critic/vf_loss');
  const [spread] = board!.groups[0]!.charts;
  expect(spread).toMatchObject({ id: 'critic/score*', kind: 'spread', names: ['mean', 'max', 'min'] });
  expect(charts(board)).toEqual(['critic/score', 'critic/vf_loss']);
  // Without a mean there is no line for the band to be around.
  expect(charts(all('actor_x_min', 'actor_x_max')[0])).toEqual(['actor_x_max', 'actor_x_min']);
});

test('what is read together is one chart, in the order people read it, and no more than the API takes', () => {
  const [engine] = all('vllm:num_requests_waiting', 'vllm:num_requests_running', 'vllm:aaa');
  expect(engine!.groups[0]!.charts[0]!.names).toEqual(['running', 'waiting']);
  const times = Array.from({ length: 25 }, (_, i) => `timing_s/${String(i).padStart(2, '0')}`);
  const found = all(...times)[0]!.groups[0]!.charts;
  expect(found[0]!.metrics).toHaveLength(20);
  expect(found).toHaveLength(6);
});

test('a metric is on its board once, and every metric is among all', () => {
  const names = ['actor_lr', 'critic_score_mean', 'critic_score_min', 'vllm:x', 'val_acc', 'other'];
  const boards = all(...names);
  for (const board of boards.slice(0, -1)) {
    const seen = board.groups.flatMap((g) => g.charts.flatMap((c) => c.metrics.map((m) => m.name)));
    expect(new Set(seen).size).toBe(seen.length);
  }
  expect(
    boards
      .at(-1)!
      .groups[0]!.charts.map((c) => c.id)
      .sort(),
  ).toEqual([...names].sort());
});

test('histograms are never joined with others', () => {
  const boards = boardsOf([
    metric('vllm:prompt_tokens', { kind: 'histogram' }),
    metric('vllm:generation_tokens', { kind: 'sum', monotonic: true }),
  ]);
  expect(boards[0]!.groups[0]!.charts.map((c) => [c.id, c.kind])).toEqual([
    ['vllm:generation_tokens', 'lines'],
    ['vllm:prompt_tokens', 'histogram'],
  ]);
});

test('a chart is found by what the address says, whatever it is called', () => {
  const boards = all('<img src=x onerror=alert(1)>', 'actor_a_mean', 'actor_a_max', '__proto__');
  for (const id of ['<img src=x onerror=alert(1)>', 'actor_a*', '__proto__']) {
    expect(findChart(boards, id)?.id).toBe(id);
  }
  expect(findChart(boards, 'gone')).toBeUndefined();
});

test('the search looks into names of metrics, too', () => {
  const groups = all('critic/score/mean', 'critic/score/max', 'actor/lr')[0]!.groups;
  expect(searched(groups, 'SCORE/MAX').flatMap((g) => g.charts.map((c) => c.id))).toEqual(['critic/score*']);
  expect(searched(groups, 'nothing')).toEqual([]);
  expect(searched(groups, ' ')).toEqual(groups);
});

test('units are those sent, else those that the name tells', () => {
  expect(unitOf({ name: 'x', unit: '{token}' })).toBe('token');
  expect(unitOf({ name: 'vllm:e2e_request_latency_seconds', unit: null })).toBe('s');
  expect(unitOf({ name: 'timing_s/gen', unit: '' })).toBe('s');
  expect(unitOf({ name: 'process_resident_memory_bytes', unit: null })).toBe('By');
  expect(unitOf({ name: 'reward', unit: null })).toBe('');
});

test('what only grows or tells what was added is a counter; sums that go up and down are none', () => {
  expect(isCounter({ kind: 'sum', monotonic: true })).toBe(true);
  expect(isCounter({ kind: 'sum', monotonic: false, temporality: 'delta' })).toBe(true);
  expect(isCounter({ kind: 'sum', monotonic: false, temporality: 'cumulative' })).toBe(false);
  expect(isCounter({ kind: 'histogram', monotonic: true, temporality: 'delta' })).toBe(false);
  expect(isCounter({ kind: 'gauge' })).toBe(false);
});

test('labels to choose from are those of all metrics, the telling ones first', () => {
  const metrics = [
    metric('a', { labels: { host: ['n1'], replica: ['10', '9'] } }),
    metric('b', { labels: { replica: ['11'] } }),
  ];
  expect(labelNames(metrics)).toEqual([
    { name: 'replica', values: 3 },
    { name: 'host', values: 1 },
  ]);
  expect(labelValues(metrics)).toEqual(['host:n1', 'replica:9', 'replica:10', 'replica:11']);
});
