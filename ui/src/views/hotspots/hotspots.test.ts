import { describe, expect, test } from 'vitest';
import type { Hotspots, NestingNode, OpenSpanSummary, StageStats, WorkerStats } from '../../data/types';
import { axisOf, axisTicks, axisX, barsPath } from './distribution';
import { boxAt, icicleTree, layoutIcicle, nodeOfPath, pathOf } from './icicleLayout';
import { openAges } from './openAges';
import { barrierRow, stageRows, stageValue, sumRow } from './stageRows';
import { hotspotWords, outsideWords } from './words';
import { rangeAxis, workerLines, workerValue } from './workers';

const BOUNDS = Array.from({ length: 33 }, (_, i) => 10 ** ((i - 12) / 4));

function stage(name: string, change: Partial<StageStats> = {}): StageStats {
  const base = { kind: 'phase', count: 10, open_count: 0, error_count: 0, total_s: 0, self_s: 0, avg_s: 0 };
  return { stage: name, ...base, p50_s: 1, p95_s: 1, p99_s: 1, max_s: 1, share: 0, ...change };
}

function hotspots(change: Partial<Hotspots> = {}): Hotspots {
  return {
    session_count: 2,
    stage_stats: [
      stage('generate', { self_s: 60, total_s: 60, share: 0.8, p50_s: 2, p95_s: 9, max_s: 30 }),
      stage('agent.run', { self_s: 10, total_s: 80, share: 10 / 75 }),
      stage('train', { kind: 'op', self_s: 500, share: 0.9 }),
    ],
    waits: { queue_s: 0, gap_s: 5, siblings_s: 0, barrier_s: 25, unaccounted_s: 0, outside_s: 7 },
    clock_disagrees: 0,
    ...change,
  } as Hotspots;
}

describe('stages and waits', () => {
  test('add up to all of the session time; work outside of sessions is apart', () => {
    const rows = stageRows(hotspots(), 'sessions');
    expect(rows.map((r) => r.place)).toEqual([
      'generate',
      'agent.run',
      'queue',
      'gap',
      'siblings',
      'unaccounted',
    ]);
    expect(sumRow(rows).self_s).toBe(75);
    expect(sumRow(rows).share).toBeCloseTo(1, 3);
    expect(stageRows(hotspots(), 'other').map((r) => r.place)).toEqual(['train']);
  });

  test('a share that does not add up is shown as it is', () => {
    const report = hotspots({ stage_stats: [stage('generate', { self_s: 70, share: 0.5 })] });
    expect(sumRow(stageRows(report, 'sessions')).share).toBeCloseTo(0.567);
  });

  test('the barrier stands below the sum, without a share', () => {
    expect(barrierRow(hotspots())).toMatchObject({ kind: 'below', place: 'barrier', self_s: 25, share: 0 });
  });

  test('waits have no calls to sort by', () => {
    const [, , queue] = stageRows(hotspots(), 'sessions');
    expect(stageValue(queue!, 'p95')).toBeNull();
    expect(stageValue(queue!, 'self')).toBe(0);
  });
});

describe('the first line', () => {
  test('names the stage that costs most, its tail and the largest wait', () => {
    expect(hotspotWords(hotspots())).toEqual({
      title: 'generate costs most: 1 m 00 s, 80.0 % of session time.',
      text: 'Its p95 is 9.00 s, 4.5× the median of 2.00 s; the slowest of 10 calls took 30.0 s. Of the waits, gap takes 5.00 s, 6.7 % of session time.',
    });
  });

  test('says when waiting costs more than any work', () => {
    const waits = { queue_s: 900, gap_s: 0, siblings_s: 0, barrier_s: 0, unaccounted_s: 0, outside_s: 0 };
    const words = hotspotWords(hotspots({ waits }));
    expect(words?.title).toBe('Sessions mostly wait: queue takes 15 m 00 s, 92.8 % of session time.');
    expect(words?.text).toContain('Of the work, generate takes 1 m 00 s');
  });

  test('blames nobody for the barrier, however long, and names who is waited for', () => {
    const none = { queue_s: 0, gap_s: 0, siblings_s: 0, barrier_s: 9000, unaccounted_s: 0, outside_s: 0 };
    expect(hotspotWords(hotspots({ waits: none }))?.title).toContain('generate costs most');
    const words = hotspotWords(hotspots({ waits: { ...none, siblings_s: 130 } }));
    expect(words?.title).toBe(
      'Sessions mostly wait for siblings of their group: 2 m 10 s, 65.0 % of session time.',
    );
  });

  test('a skewed clock names the worker whose spans lie outside their session', () => {
    expect(outsideWords(hotspots())).toBe('7.00 s of spans outside their session not counted');
    expect(outsideWords(hotspots({ outside_worker: '[rollout] rank 3' }))).toBe(
      '7.00 s of spans outside their session not counted, most of them of [rollout] rank 3: is its clock right?',
    );
  });

  test('is about threads when no session has work, and nothing without any', () => {
    const waits = { queue_s: 0, gap_s: 0, siblings_s: 0, barrier_s: 0, unaccounted_s: 0, outside_s: 0 };
    const train = stage('train', { kind: 'op', self_s: 5 });
    expect(hotspotWords(hotspots({ waits, stage_stats: [train] }))?.title).toContain('train costs most');
    expect(hotspotWords(hotspots({ waits, stage_stats: [] }))).toBeNull();
  });
});

describe('distributions', () => {
  const counts = Array.from({ length: 34 }, (_, i) => (i === 12 ? 100 : i === 20 ? 1 : 0));
  const report = hotspots({ buckets_s: BOUNDS, stage_stats: [stage('a', { distribution: counts })] });

  test('share one axis of whole decades around what there is', () => {
    expect(axisOf(report, [])).toEqual({ from: -1, to: 2 });
    expect(axisOf(report, [400])).toEqual({ from: -1, to: 3 });
  });

  test('work open for months does not squeeze the rest', () => {
    expect(axisOf(report, [1e7])).toEqual({ from: -1, to: 3 });
  });

  test('have as many bars as there are filled buckets, a single call stays visible', () => {
    const path = barsPath(BOUNDS, counts, { from: -1, to: 2 }, 120, 15);
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path).toContain('v-15.0');
    expect(path).toContain('v-2.0');
  });

  test('ticks keep their distance', () => {
    const ticks = axisTicks({ from: -3, to: 5 }, 132);
    const gaps = ticks.slice(1).map((t, i) => t.x - ticks[i]!.x);
    expect(ticks.length).toBeGreaterThan(1);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(36);
    expect(axisX({ from: 0, to: 1 }, 0, 100)).toBe(0);
  });

  test('of several open spans of a stage the oldest speaks', () => {
    const span = (oldest_age_s: number, suspect = false) =>
      ({ stage: 'a', p50_age_s: 1, p95_age_s: 2, oldest_age_s, suspect }) as OpenSpanSummary;
    const ages = openAges([span(3), span(90, true), span(5)]);
    expect(ages.get('a')).toMatchObject({ oldest_s: 90, late: true });
  });
});

describe('the icicle', () => {
  const at = (name: string, parent: number, self_s: number): NestingNode => ({
    stage: name,
    parent,
    count: 1,
    total_s: 1000,
    self_s,
  });
  const nesting = [at('agent.run', -1, 10), at('train', -1, 5), at('generate', 0, 60), at('generate', 1, 0)];
  const nodes = icicleTree(hotspots({ nesting }));

  test('is as wide as all own times and waits, whatever total times say', () => {
    expect(nodes[0]).toMatchObject({ place: 'all sessions', inside_s: 80 });
    const top = nodes[0]!.children.map((i) => nodes[i]!.place);
    expect(top).toEqual(['agent.run', 'train', 'gap']);
  });

  test('no box lies over another and each is inside its parent', () => {
    const boxes = layoutIcicle(nodes, 0);
    expect(boxes).toHaveLength(nodes.length);
    for (const a of boxes) {
      const parent = boxes.find((b) => b.index === nodes[a.index]!.parent);
      if (parent) expect(a.from >= parent.from - 1e-9 && a.to <= parent.selfFrom + 1e-9).toBe(true);
      for (const b of boxes) {
        if (a !== b && a.row === b.row) expect(a.to <= b.from + 1e-9 || b.to <= a.from + 1e-9).toBe(true);
      }
    }
  });

  test('zoomed in, the node has the whole width and the way to it stays', () => {
    const zoom = nodeOfPath(nodes, 'agent.run > generate');
    expect(pathOf(nodes, zoom)).toBe('agent.run > generate');
    const boxes = layoutIcicle(nodes, zoom);
    expect(boxes.map((b) => [nodes[b.index]!.place, b.from, b.to])).toEqual([
      ['all sessions', 0, 1],
      ['agent.run', 0, 1],
      ['generate', 0, 1],
    ]);
    expect(boxAt(boxes, 1, 0.5)?.index).toBe(nodes[zoom]!.parent);
    expect(boxAt(boxes, 3, 0.5)).toBeUndefined();
  });

  test('a path that is no more leads to the top', () => {
    expect(nodeOfPath(nodes, 'gone > generate')).toBe(0);
  });
});

describe('workers', () => {
  const worker = (name: string, change: Partial<WorkerStats> = {}): WorkerStats => ({
    worker: name,
    stage: 'generate',
    count: 50,
    open_count: 0,
    error_count: 0,
    total_s: 0,
    self_s: 0,
    p50_s: 2,
    p95_s: 9,
    ...change,
  });

  test('are compared where two did the same; what is out of line says why', () => {
    const report = hotspots({
      stage_stats: [stage('generate', { count: 200, error_count: 4, p50_s: 2, p95_s: 9 }), stage('sampler')],
      workers: [
        worker('r1'),
        worker('r2', { p50_s: 3.1 }),
        worker('r3', { p95_s: 20 }),
        worker('r4', { count: 3, p95_s: 90 }),
        worker('r5', { error_count: 4 }),
        worker('r1', { stage: 'sampler' }),
      ],
    });
    const lines = workerLines(report);
    expect(lines.map((l) => [l.stats.worker, l.why])).toEqual([
      ['r1', null],
      ['r2', 'slow median'],
      ['r3', 'slow tail'],
      ['r4', null],
      ['r5', 'many errors'],
    ]);
    const worstFirst = [...lines].sort(
      (a, b) => Number(workerValue(b, 'worst')) - Number(workerValue(a, 'worst')),
    );
    expect(worstFirst.map((l) => l.stats.worker)).toEqual(['r3', 'r2', 'r5', 'r1', 'r4']);
    expect(workerLines(report, 'sampler')).toEqual([]);
    expect(rangeAxis(lines)).toEqual({ from: Math.log10(2), to: Math.log10(90) });
    expect(rangeAxis([])).toEqual({ from: -3, to: 3 });
  });
});
