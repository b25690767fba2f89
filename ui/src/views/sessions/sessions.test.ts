import { expect, test } from 'vitest';
import { finishedOf, sessionSet } from '../../data/SessionSet';
import type { SessionColumns, SessionStatus, Timeline } from '../../data/types';
import { piecesOf } from './pieces';
import { placePoints, scatterScale, timeAt, totalAt, xOf, yOf } from './scatterScale';
import { chosen, formatRange, misses, NONE, parseRange, STATUS, tally, WORKER } from './selection';
import { ranksOf, sortSessions } from './sortSessions';
import { stageTimes } from './stageTimes';
import { histogram, numbersOf, percentile, sortedValues } from './statistics';
import { stepsOf } from './steps';
import { compareWorkers } from './workerNumbers';

type Row = {
  id: string;
  status: SessionStatus;
  start: number;
  wall: number;
  worker?: string;
  batch?: string;
  reason?: string;
  queue?: number;
  barrier?: number;
};

function columns(rows: readonly Row[]): SessionColumns {
  const names = (pick: (r: Row) => string | undefined) => [
    ...new Set(rows.map(pick).filter((v) => v !== undefined)),
  ];
  const places = (list: readonly string[], pick: (r: Row) => string | undefined) =>
    rows.map((r) => list.indexOf(pick(r) ?? ''));
  const statuses = names((r) => r.status) as SessionStatus[];
  const [batches, workers, reasons] = [names((r) => r.batch), names((r) => r.worker), names((r) => r.reason)];
  return {
    source: '',
    run: 'r',
    scope: 'all',
    total: rows.length,
    left_out: 0,
    statuses,
    batches,
    tasks: [],
    task_names: [],
    workers,
    reasons,
    source_statuses: [],
    inferred_groups: [],
    trace_id: rows.map(() => null),
    source_status: rows.map(() => -1),
    inferred_group: rows.map(() => -1),
    session: rows.map((r) => r.id),
    status: places(statuses, (r) => r.status),
    batch: places(batches, (r) => r.batch),
    task: rows.map(() => -1),
    task_name: rows.map(() => -1),
    worker: places(workers, (r) => r.worker),
    reason: places(reasons, (r) => r.reason),
    start_s: rows.map((r) => r.start),
    wall_s: rows.map((r) => r.wall),
    end_s: rows.map((r) => r.start + r.wall),
    work_s: rows.map((r) => r.wall - (r.barrier ?? 0)),
    own_s: rows.map((r) => r.wall - (r.barrier ?? 0)),
    finalised: rows.map(() => true),
    queue_s: rows.map((r) => r.queue ?? 0),
    gap_s: rows.map(() => 0),
    siblings_s: rows.map(() => 0),
    barrier_s: rows.map((r) => r.barrier ?? 0),
    unaccounted_s: rows.map(() => 0),
    outside_s: rows.map(() => 0),
    span_count: rows.map(() => 1),
    open_count: rows.map(() => 0),
    error_count: rows.map(() => 0),
    train_step: rows.map((r) => (r.batch ? Number(r.batch.slice(1)) : null)),
  };
}

const SET = sessionSet(
  columns([
    { id: 's1', status: 'completed', start: 100, wall: 10, worker: 'r2', batch: 'b1', queue: 2, barrier: 3 },
    { id: 's2', status: 'failed', start: 101, wall: 20, worker: 'r10', batch: 'b1', reason: 'timeout' },
    { id: 's10', status: 'completed', start: 130, wall: 40, worker: 'r2', batch: 'b2' },
    { id: 's3', status: 'running', start: 140, wall: 60, batch: 'b2' },
  ]),
);
const STEPS = stepsOf(SET, []);
const ids = (rows: Uint32Array) => Array.from(rows, (r) => SET.session[r]);

test('a session took as long as its work; now is where ages are counted to', () => {
  expect([SET.work[0], SET.wall[0], SET.busy[0], SET.end[0], SET.verdict[0]]).toEqual([7, 10, 5, 107, 110]);
  expect([SET.firstS, SET.lastEndS, SET.nowS]).toEqual([100, 170, 200]);
  expect(ids(finishedOf(SET))).toEqual(['s1', 's2', 's10']);
});

test('each part of a selection filters the others, but shows its own alternatives', () => {
  const miss = misses(SET, STEPS, { status: 'completed', worker: 'r2' });
  expect(ids(chosen(miss))).toEqual(['s1', 's10']);
  expect(ids(chosen(miss, STATUS))).toEqual(['s1', 's10']);
  expect(ids(chosen(miss, WORKER))).toEqual(['s1', 's10']);
  const byStatus = misses(SET, STEPS, { status: 'completed' });
  expect(tally(chosen(byStatus, STATUS), SET.status, SET.statuses)).toEqual([
    { name: 'completed', count: 2 },
    { name: 'failed', count: 1 },
    { name: 'running', count: 1 },
  ]);
});

test('sessions that name no worker can be chosen, an unknown name chooses nothing', () => {
  expect(ids(chosen(misses(SET, STEPS, { worker: NONE })))).toEqual(['s3']);
  expect(ids(chosen(misses(SET, STEPS, { worker: 'gone' })))).toEqual([]);
});

test('a brush takes what ended inside; open to the right it takes unfinished ones too', () => {
  const within = misses(SET, STEPS, { finish: { from: 105, to: 125 }, total: { from: 15, to: 100 } });
  expect(ids(chosen(within))).toEqual(['s2']);
  const open = misses(SET, STEPS, { finish: { from: 120, to: Number.POSITIVE_INFINITY } });
  expect(ids(chosen(open))).toEqual(['s2', 's10', 's3']);
});

test.each([
  ['312..600', { from: 312, to: 600 }],
  ['312.5..', { from: 312.5, to: Number.POSITIVE_INFINITY }],
  ['..4', { from: Number.NEGATIVE_INFINITY, to: 4 }],
])('a range in the address survives: %s', (text, range) => {
  expect(parseRange(text)).toEqual(range);
  expect(formatRange(range)).toBe(text);
});

test.each(['..', 'x..y', '', undefined, '1..2..3', '1.2.3..4'])('what is no range is none: %s', (text) => {
  expect(parseRange(text)).toBeUndefined();
});

test('steps are batches in order of their start, with their step number', () => {
  expect(STEPS.labels).toEqual(['step 1', 'step 2']);
  expect(Array.from(STEPS.atS)).toEqual([100, 130]);
  expect(Array.from(STEPS.of)).toEqual([0, 0, 1, 1]);
});

test('without batches a session belongs to the first boundary at or after its end', () => {
  const set = sessionSet(
    columns([
      { id: 'a', status: 'accepted', start: 0, wall: 5 },
      { id: 'b', status: 'accepted', start: 0, wall: 10 },
      { id: 'c', status: 'accepted', start: 0, wall: 11 },
      { id: 'd', status: 'running', start: 0, wall: 3 },
    ]),
  );
  const steps = stepsOf(set, [{ step: 0, end_offset_s: 10, sessions: 2, accepted: 2 }]);
  expect(Array.from(steps.of)).toEqual([0, 0, -1, -1]);
});

test('numbers in names count as numbers, also those of 39 digits', () => {
  const names = ['r10', 'r2', 'r002', 'q:128359023220305088203938867296456589360', 'q:99', 'a'];
  const order = [...names].sort(
    (a, b) => ranksOf(names)[names.indexOf(a)]! - ranksOf(names)[names.indexOf(b)]!,
  );
  expect(order).toEqual(['a', 'q:99', 'q:128359023220305088203938867296456589360', 'r2', 'r002', 'r10']);
});

test('every column sorts; what is not known comes last in both directions', () => {
  const all = Uint32Array.from([0, 1, 2, 3]);
  const sorted = (key: string, descending: boolean) =>
    ids(sortSessions(all, SET, STEPS, { key, descending }));
  expect(sorted('total', true)).toEqual(['s3', 's10', 's2', 's1']);
  expect(sorted('session', false)).toEqual(['s1', 's2', 's3', 's10']);
  expect(sorted('worker', false)).toEqual(['s1', 's10', 's2', 's3']);
  expect(sorted('worker', true)).toEqual(['s2', 's1', 's10', 's3']);
  expect(sorted('ended', true)).toEqual(['s10', 's2', 's1', 's3']);
});

test('percentiles are interpolated at (n − 1)·p, as the server does', () => {
  const sorted = Float64Array.from([1, 2, 3, 4]);
  expect(percentile(sorted, 0.5)).toBe(2.5);
  expect(percentile(sorted, 0.95)).toBeCloseTo(3.85, 12);
  expect(numbersOf(sorted)).toMatchObject({ count: 4, mean: 2.5, min: 1, max: 4 });
  expect(numbersOf(new Float64Array())).toBeNull();
});

test.each(['linear', 'log'] as const)('a %s histogram counts every value once', (axis) => {
  const sorted = Float64Array.from([0, 0, 0.001, 0.5, 1, 1, 1, 7, 300]).sort();
  const { edges, counts } = histogram(sorted, axis);
  expect(counts.reduce((a, b) => a + b, 0)).toBe(9);
  expect(edges.length).toBe(counts.length + 1);
  expect(edges.at(-1)).toBeCloseTo(300, 6);
});

test.each([[[5]], [[0, 0]], [[3, 3, 3]]])('equal values make a histogram too: %o', (values) => {
  for (const axis of ['linear', 'log'] as const) {
    const { counts, edges } = histogram(Float64Array.from(values), axis);
    expect(counts.reduce((a, b) => a + b, 0)).toBe(values.length);
    expect(edges.every(Number.isFinite)).toBe(true);
  }
});

test('the scatter can be read back: a point under the pointer has its time and total', () => {
  const scale = scatterScale(SET, { width: 900, height: 300 });
  expect(timeAt(scale, xOf(scale, 150))).toBeCloseTo(150, 9);
  expect(totalAt(scale, yOf(scale, 20))).toBeCloseTo(20, 9);
  expect(scale.laterS).toBe(30);
  const { x } = placePoints(SET, scale);
  expect(x[3]).toBeGreaterThan(scale.right);
});

test('a run that hangs for months does not squeeze the axis', () => {
  const set = sessionSet(
    columns([
      { id: 'a', status: 'completed', start: 0, wall: 10 },
      { id: 'b', status: 'running', start: 5, wall: 1e7 },
    ]),
  );
  const scale = scatterScale(set, { width: 900, height: 300 });
  expect(scale.toS).toBeLessThan(11);
  expect(scale.highS).toBeLessThan(20);
  expect(yOf(scale, 1e7)).toBe(scale.top);
});

test('own times of spans split the bar, and it still adds up', () => {
  const timeline = {
    from_ns: 100e9,
    stages: ['session', 'generate', 'reward'],
    kinds: ['session', 'phase'],
    sessions: ['s1', 'other'],
    lane: [0, 0, 0, 1],
    kind: [0, 1, 1, 1],
    stage: [0, 1, 2, 1],
    session: [0, 0, 0, 1],
    start_ns: [0, 2e9, 6e9, 0],
    duration_ns: [10e9, 4e9, 1e9, 1e9],
    self_ns: [0, 4e9, 1e9, 1e9],
    open: [false, false, false, false],
    left_out: 0,
  } as unknown as Timeline;
  const spans = stageTimes(SET, timeline);
  expect(spans.stages).toEqual(['generate', 'reward']);
  expect(piecesOf(SET, spans, 0)).toEqual([
    { place: 'queue', s: 2 },
    { place: 'generate', s: 4 },
    { place: 'reward', s: 1 },
  ]);
  expect(piecesOf(SET, null, 0)).toContainEqual({ place: 'work', s: 5 });
  expect(sortedValues(Uint32Array.from([0, 1]), spans.own![0]!)).toEqual(Float64Array.from([4]));
});

test('a worker twice as slow as all together is named', () => {
  const rows: Row[] = Array.from({ length: 400 }, (_, i) => ({
    id: `s${i}`,
    status: i % 50 === 0 ? 'failed' : 'completed',
    start: 0,
    wall: i < 12 ? 100 : 1 + (i % 7) / 10,
    worker: i < 12 ? 'slow' : `r${i % 4}`,
  }));
  const set = sessionSet(columns(rows));
  const { workers } = compareWorkers({ set, miss: new Uint8Array(set.size) });
  expect(workers.filter((w) => w.slower).map((w) => w.name)).toEqual(['slow']);
  expect(workers.reduce((n, w) => n + w.failed, 0)).toBe(8);
});
