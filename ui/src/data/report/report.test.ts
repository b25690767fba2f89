import { describe, expect, test } from 'vitest';
import type { Occupancy, SessionColumns } from '../types';
import type { ReportFile, SpanColumns } from './file';
import { readReport } from './file';
import { rebucketed } from './occupancy';
import { ReportSource } from './ReportSource';
import { SpanSet } from './SpanSet';

const S = 1e9;
const FROM_S = 1000;

type Span = {
  name: string;
  at: number;
  s: number;
  parent?: number;
  open?: boolean;
  error?: string;
  kind?: string;
};

/** Whose time until when: the place of a span in its lane, or a wait. */
type Piece = [leaf: number, until: number];
type Lane = { from: number; spans: Span[]; pieces: Piece[] };

const QUEUE = -1;
const GAP = -2;
const SIBLINGS = -5;

/** Lanes of sessions, the spans of each by start; times in seconds after FROM_S. */
function columnsOf(lanes: Lane[]): SpanColumns {
  const all = lanes.flatMap((lane) => lane.spans);
  const places = <T>(values: T[]) => [...new Set(values)];
  const names = places(all.map((s) => s.name));
  const kinds = places(all.map((s) => s.kind ?? 'phase'));
  const outcomes = ['ok', 'error', 'open'];
  const errors = places(all.flatMap((s) => (s.error ? [s.error] : [])));
  const errorAt = all.flatMap((s, i) => (s.error ? [i] : []));
  return {
    from_ns: FROM_S * S,
    to_ns: (FROM_S + Math.max(...all.map((s) => s.at + s.s))) * S,
    names,
    name_stages: names.map((n) => n.replace(/^raw\./, '')),
    kinds,
    kind_works: kinds.map((kind) => kind !== 'session'),
    outcomes,
    workers: ['rank 0'],
    errors,
    tracks: [],
    lane_session: lanes.map((_, i) => i),
    lane_spans: lanes.map((l) => l.spans.length),
    lane_pieces: lanes.map((l) => l.pieces.length),
    lane_from_ns: lanes.map((l) => l.from * S),
    lane_ns: lanes.map((l) => (l.pieces.at(-1)![1] - l.from) * S),
    lane_group: lanes.map(() => 0),
    measured: lanes.map(() => 1),
    relative: lanes.map(() => 0),
    path_stages: ['outer', 'inner', 'inner'],
    path_parents: [-1, 0, -1],
    path: all.map((s) => (s.name === 'raw.outer' ? 0 : s.parent === undefined ? 2 : 1)),
    critical: all.map(() => 1),
    clock_disagrees: [],
    piece_leaf: lanes.flatMap(({ pieces }) => {
      let before = 0;
      return pieces.map(([leaf]) => {
        if (leaf < 0) return 2 * leaf + 1;
        const said = 2 * (leaf - before);
        before = leaf;
        return said;
      });
    }),
    piece_end: lanes.flatMap((l) => l.pieces.map(() => 0)),
    piece_ns: lanes.flatMap((l) => l.pieces.slice(0, -1).map(([, until]) => (until - l.from) * S)),
    name: all.map((s) => names.indexOf(s.name)),
    kind: all.map((s) => kinds.indexOf(s.kind ?? 'phase')),
    outcome: all.map((s) => (s.open ? 2 : s.error ? 1 : 0)),
    worker: all.map(() => 0),
    parent: all.map((s) => s.parent ?? -1),
    depth: all.map((s) => (s.parent === undefined ? 0 : 1)),
    start_ns: lanes.flatMap(({ from, spans }) =>
      spans.map((s, i) => (s.at - (spans[i - 1]?.at ?? from)) * S),
    ),
    duration_ns: all.map((s) => s.s * S),
    open: all.flatMap((s, i) => (s.open ? [i] : [])),
    error_at: errorAt,
    error: errorAt.map((i) => errors.indexOf(all[i]!.error!)),
  };
}

function sessionsOf(rows: { session: string; status: string; from: number; wall: number }[]): SessionColumns {
  const statuses = [...new Set(rows.map((r) => r.status))] as SessionColumns['statuses'];
  const none = rows.map(() => -1);
  const zero = rows.map(() => 0);
  return {
    source: 'runs/x',
    run: 'x',
    scope: 'all',
    total: rows.length,
    left_out: 0,
    statuses,
    batches: ['train_step=1'],
    tasks: [],
    task_names: [],
    workers: ['rank 0'],
    reasons: [],
    source_statuses: ['done'],
    inferred_groups: [],
    trace_id: rows.map(() => null),
    source_status: zero,
    inferred_group: none,
    session: rows.map((r) => r.session),
    status: rows.map((r) => statuses.indexOf(r.status as SessionColumns['statuses'][number])),
    batch: rows.map((_, i) => (i === 0 ? 0 : -1)),
    task: none,
    task_name: none,
    worker: zero,
    reason: none,
    start_s: rows.map((r) => FROM_S + r.from),
    wall_s: rows.map((r) => r.wall),
    end_s: rows.map((r) => FROM_S + r.from + r.wall),
    work_s: rows.map((r) => r.wall),
    own_s: rows.map((r) => r.wall),
    finalised: rows.map(() => false),
    queue_s: rows.map(() => 1),
    gap_s: zero,
    siblings_s: zero,
    barrier_s: zero,
    unaccounted_s: zero,
    outside_s: rows.map((_, i) => i + 0.25),
    outside: {
      workers: ['rank 9', 'rank 10', 'rank 3'],
      session: [0, 0, 1],
      worker: [0, 1, 2],
      ns: [0.125 * S, 0.125 * S, 1.25 * S],
    },
    span_count: zero,
    open_count: zero,
    error_count: zero,
    train_step: rows.map(() => null),
  };
}

/** a: queue 1, outer with inner inside; b: one that failed. */
const LANES: Lane[] = [
  {
    from: 0,
    spans: [
      { name: 'raw.outer', at: 1, s: 9 },
      { name: 'raw.inner', at: 3, s: 4, parent: 0 },
    ],
    pieces: [
      [QUEUE, 1],
      [0, 3],
      [1, 7],
      [0, 10],
    ],
  },
  {
    from: 1,
    spans: [{ name: 'raw.inner', at: 2, s: 2, error: 'TimeoutError: 503' }],
    pieces: [
      [QUEUE, 2],
      [0, 4],
    ],
  },
];

function reportOf(lanes = LANES): ReportSource {
  const sessions = sessionsOf([
    { session: 'a', status: 'completed', from: 0, wall: 10 },
    { session: 'b', status: 'failed', from: 1, wall: 3 },
  ]);
  return new ReportSource({
    version: 2,
    source: 'runs/x',
    run: 'x',
    scope: 'all',
    sampled: null,
    sessions,
    workers: [{ role: null, rank: 0 }],
    reason_types: [],
    sessions_summary: {},
    errors: {},
    timeline: columnsOf(lanes),
    details: {},
    hotspots: { session_count: 2, buckets_s: [1, 3, 10] },
    live: { rows: [] },
    occupancy: { from_ns: FROM_S * S, to_ns: (FROM_S + 10) * S },
  } as unknown as ReportFile);
}

test('pieces end with spans, with their lane, or at a time of their own', () => {
  const columns = columnsOf(LANES);
  // a: queue until outer (0 after the span before) starts, outer until inner starts, inner until it ends, outer.
  columns.piece_leaf = [-1, 0, 2, -2, -1, 0];
  columns.piece_end = [0, 2, 1, 0, 0, 0];
  columns.piece_ns = [1 * S, 1 * S];
  const spans = new SpanSet(columns, 2);
  const told: [string, number, number][] = [];
  spans.eachPiece(0, (leaf, from, to) => told.push([spans.placeOf(leaf), from / S, to / S]));
  expect(told).toEqual([
    ['queue', 0, 1],
    ['outer', 1, 3],
    ['inner', 3, 7],
    ['outer', 7, 10],
  ]);
  expect(Array.from(spans.self, (ns) => ns / S)).toEqual([5, 4, 2]);
});

test('time that a session waited for its siblings is no work of the stage it waited in', async () => {
  const lane: Lane = {
    from: 0,
    spans: [{ name: 'raw.outer', at: 0, s: 10 }],
    pieces: [
      [0, 3],
      [SIBLINGS, 8],
      [0, 9],
      [GAP, 10],
    ],
  };
  const { segments, stages } = await reportOf([lane, LANES[1]!]).session('x', 'a');
  expect(segments!.map(([from, to, what]) => [from - FROM_S, to - FROM_S, what])).toEqual([
    [0, 3, 'outer'],
    [3, 8, 'siblings'],
    [8, 9, 'outer'],
    [9, 10, 'gap'],
  ]);
  expect(stages).toMatchObject([{ stage: 'outer', self_s: 4 }]);
});

describe('a report answers', () => {
  test('hotspots of a filter from the spans of the sessions it lets through', async () => {
    const { stage_stats, waits, session_count, nesting } = await reportOf().hotspots('x', {
      status: 'completed',
    });
    expect(session_count).toBe(1);
    expect(waits.queue_s).toBe(1);
    expect(waits.outside_s).toBe(0.25);
    expect(stage_stats.map((s) => [s.stage, s.count, s.total_s, s.self_s, s.share])).toEqual([
      ['outer', 1, 9, 5, 0.5],
      ['inner', 1, 4, 4, 0.4],
    ]);
    expect(stage_stats[1]!.distribution!.reduce((a, b) => a + b, 0)).toBe(1);
    expect(nesting!.map((n) => [n.stage, n.parent])).toEqual([
      ['outer', -1],
      ['inner', 0],
    ]);
  });

  test('hotspots of a filter name whose spans lie outside the sessions it lets through', async () => {
    const told = async (filter: object) => (await reportOf().hotspots('x', filter)).outside_worker;
    expect(await told({ status: 'completed' })).toBe('rank 10');
    expect(await told({ status: 'failed' })).toBe('rank 3');
    expect(await told({ worker: 'rank 0' })).toBe('rank 3');
    expect(await told({ status: 'lost' })).toBeNull();
  });

  test('hotspots of a filter say what failed in them', async () => {
    const { errors } = await reportOf().hotspots('x', { worker: 'rank 0' });
    expect(errors).toMatchObject([{ stage: 'inner', error: 'TimeoutError: 503', count: 1 }]);
  });

  test('the text of an error finds its session', async () => {
    expect((await reportOf().sessions('x', { q: 'timeouterror' }, {})).rows.map((r) => r.session)).toEqual([
      'b',
    ]);
    expect((await reportOf().sessions('x', { q: 'RANK 0' }, {})).total).toBe(2);
  });

  test('hotspots of everything as they were written', async () => {
    expect(await reportOf().hotspots('x', { scope: 'active' })).toMatchObject({ session_count: 2 });
  });

  test('a session that it has no details of, from columns', async () => {
    const session = await reportOf().session('x', 'a');
    expect(session.spans.map((s) => [s.span, s.parent_id, s.start_s, s.end_s, s.critical])).toEqual([
      ['raw.outer', null, 1001, 1010, true],
      ['raw.inner', '0', 1003, 1007, true],
    ]);
    expect(session.segments!.map(([from, to, what]) => [from, to, what])).toEqual([
      [1000, 1001, 'queue'],
      [1001, 1003, 'outer'],
      [1003, 1007, 'inner'],
      [1007, 1010, 'outer'],
    ]);
    await expect(reportOf().session('x', '__proto__')).rejects.toThrow('one of this report');
  });

  test('a timeline within its window and budget', async () => {
    const source = reportOf();
    const all = await source.timeline('x', {}, {});
    expect(all.lanes).toEqual(['a', 'b']);
    expect(all.lane).toEqual([0, 0, 1]);
    expect(all.parent).toEqual([-1, 0, -1]);
    expect(all.error).toEqual([-1, -1, 0]);
    expect(await source.timeline('x', {}, {})).toBe(all);
    const longest = await source.timeline('x', {}, { budget: 1 });
    expect(longest.duration_ns).toEqual([9 * S]);
    expect(longest.left_out).toBe(2);
    const late = await source.timeline('x', {}, { from: FROM_S + 5, to: FROM_S + 6 });
    expect(late.name.map((n) => late.names[n])).toEqual(['raw.outer', 'raw.inner']);
    expect(late.start_ns).toEqual([-4 * S, -2 * S]);
  });

  test('occupancy that adds up to the sessions alive', async () => {
    const told = await reportOf().occupancy('x', {}, { buckets: 5 });
    told.alive.forEach((alive, b) => {
      const places = [...Object.values(told.stages), ...Object.values(told.waits)];
      expect(places.reduce((sum, values) => sum + values[b]!, 0)).toBeCloseTo(alive, 9);
    });
    expect(told.alive).toEqual([1.5, 2, 1, 1, 1]);
  });

  test('slots of a step over the time of the step, not of the whole run', async () => {
    // The step has session a, from 0 to 10 s; the window is the last 4 s of it.
    const step = { from: FROM_S + 6, to: FROM_S + 10, buckets: 4 };
    const told = await reportOf().occupancy('x', { batch: 'train_step=1' }, step);
    expect(told.start_s).toEqual([6, 7, 8, 9].map((s) => FROM_S + s));
    expect([told.from_ns, told.to_ns, told.bucket_ns]).toEqual([step.from * S, step.to * S, S]);
    expect(told.alive).toEqual([1, 1, 1, 1]);
    expect(told.stages).toEqual({ outer: [0, 1, 1, 1], inner: [1, 0, 0, 0] });
    const before = await reportOf().occupancy('x', {}, { from: FROM_S + 1, to: FROM_S + 5, buckets: 2 });
    expect(before.alive).toEqual([2, 1.5]);
    const buckets = { from_ns: FROM_S * S, to_ns: (FROM_S + 10) * S, bucket_ns: S, waits: {}, stages: {} };
    const alive = [9, 9, 9, 9, 9, 9, 4, 3, 2, 1];
    const sampled = rebucketed({ ...buckets, alive } as unknown as Occupancy, step);
    expect([sampled.start_s, sampled.alive]).toEqual([told.start_s, [4, 3, 2, 1]]);
  });

  test('errors by cause', async () => {
    const { errors } = await reportOf().errors('x', { status: 'failed' });
    expect(errors).toEqual([
      {
        stage: 'inner',
        error: 'TimeoutError: 503',
        count: 1,
        sessions: 1,
        first_s: 1004,
        last_s: 1004,
        examples: ['b'],
      },
    ]);
  });

  test('pages of sessions, sorted', async () => {
    const first = await reportOf().sessions('x', {}, { sort: '-wall', limit: 1 });
    expect(first.rows.map((r) => r.session)).toEqual(['a']);
    const next = await reportOf().sessions('x', {}, { sort: '-wall', limit: 1, cursor: first.next_cursor! });
    expect(next.rows.map((r) => r.session)).toEqual(['b']);
    expect(next.next_cursor).toBeNull();
  });

  test('nothing about another run', async () => {
    await expect(reportOf().run('y')).rejects.toMatchObject({ status: 404, transient: false });
  });
});

test('the data is inflated; another version is refused', async () => {
  const pack = async (value: unknown) => {
    const zipped = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('gzip'));
    return Buffer.from(await new Response(zipped).arrayBuffer()).toString('base64');
  };
  const hostile = '</script><!--\u2028"\'';
  expect(await readReport(await pack({ version: 2, run: hostile }))).toEqual({ version: 2, run: hostile });
  await expect(readReport(await pack({ version: 1 }))).rejects.toThrow('version 1 (expected: 2)');
  await expect(readReport('H4sI')).rejects.toThrow();
});
