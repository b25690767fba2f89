import { describe, expect, test } from 'vitest';
import type { LaneInfoColumns, Timeline } from '../data/types';
import { aggregate, percentile, usualByName } from './aggregate';
import { arrange, laneFacts, placeAt, wallOf } from './arrange';
import { clockTick, mainStretch, relativeTick, tickStep, ticks, within } from './axis';
import { LEAST_PX, Rects, RowPainter } from './detail';
import { MOST_ROWS } from './nesting';
import { overviewOf } from './overview';
import { CHUNK, cutPieces, type Pieces } from './pieces';
import { firstChildOf, parentOf, stepInLane, stepLane, stepMatch } from './rowModel';
import type { Scene } from './scene';
import { findSpans } from './search';
import { sortIndices } from './sortIndices';
import { ERROR, LEAF_OPEN, OPEN, OVERLAPS, readSpans, WAITING } from './spans';

type Row = {
  lane: string;
  stage: string;
  start: number;
  end: number | null;
  outcome?: string;
  kind?: string;
};

/** An answer as the server gives it; `parent` is left to be derived, as older servers do. */
function answer(rows: Row[], more: Partial<Timeline> = {}): Timeline {
  const lanes = [...new Set(rows.map((r) => r.lane))];
  const stages = [...new Set(rows.map((r) => r.stage))];
  const outcomes = ['ok', 'error', 'open', 'lost'];
  const kinds = ['phase', 'session', 'state'];
  return {
    source: '',
    run: 'r',
    from_ns: 1_000_000_000_000,
    to_ns: 1_100_000_000_000,
    by: 'session',
    lanes,
    names: stages,
    stages,
    kinds,
    outcomes,
    sessions: lanes,
    lane: rows.map((r) => lanes.indexOf(r.lane)),
    name: rows.map((r) => stages.indexOf(r.stage)),
    stage: rows.map((r) => stages.indexOf(r.stage)),
    kind: rows.map((r) => kinds.indexOf(r.kind ?? 'phase')),
    outcome: rows.map((r) => outcomes.indexOf(r.outcome ?? (r.end === null ? 'open' : 'ok'))),
    session: rows.map((r) => lanes.indexOf(r.lane)),
    start_ns: rows.map((r) => r.start * 1e9),
    duration_ns: rows.map((r) => ((r.end ?? 100) - r.start) * 1e9),
    open: rows.map((r) => r.end === null),
    span_id: rows.map((_, i) => `id${i}`),
    left_out: 0,
    ...more,
  };
}

function sceneOf(given: Timeline, depth = MOST_ROWS, nowS = 100, grouped = false): Scene {
  const table = readSpans(given);
  const facts = laneFacts(table);
  const pieces = cutPieces(table, () => depth);
  const arrangement = arrange(table, pieces, facts, { sort: 'slowest', grouped, pinned: new Set(), nowS });
  return { table, facts, pieces, arrangement, nowS, axis: 'clock' } as unknown as Scene;
}

const AGENT: Row[] = [
  { lane: 's1', stage: 'agent', start: 0, end: 100 },
  { lane: 's1', stage: 'generate', start: 10, end: 40 },
  { lane: 's1', stage: 'tool', start: 50, end: 60, outcome: 'error' },
];

function painted(pieces: Pieces, row: number, pxPerS: number, matched: Uint8Array | null = null) {
  const rects = new Rects();
  const view = { fromS: 0, pxPerS, left: 0, right: 1000, nowS: 100, shiftS: 0 };
  const ends = new Float64Array(1e6).fill(Number.NaN);
  new RowPainter(64).paint(pieces, row, view, 0, 10, rects, matched && { matched, dimOffset: 32 }, ends);
  const found: { code: number; x: number; width: number }[] = [];
  rects.forEach((code, boxes, length) => {
    for (let i = 0; i < length; i += 4) found.push({ code, x: boxes[i]!, width: boxes[i + 2]! });
  });
  return found.sort((a, b) => a.x - b.x);
}

describe('nesting', () => {
  test('parents are found by containment when the server does not tell them', () => {
    const table = readSpans(answer([AGENT[2]!, AGENT[1]!, AGENT[0]!]));
    expect([...table.parent]).toEqual([-1, 0, 0]);
    expect([...table.row]).toEqual([0, 1, 1]);
  });

  test('told parents survive sorting', () => {
    const table = readSpans(answer([AGENT[2]!, AGENT[0]!, AGENT[1]!], { parent: [2, -1, 1] }));
    expect([...table.parent]).toEqual([-1, 0, 1]);
    expect([...table.row]).toEqual([0, 1, 2]);
  });

  test('parallel tool calls get rows of their own', () => {
    const table = readSpans(
      answer([
        AGENT[0]!,
        { lane: 's1', stage: 'tool', start: 10, end: 30 },
        { lane: 's1', stage: 'tool', start: 20, end: 40 },
      ]),
    );
    expect([...table.row]).toEqual([0, 1, 2]);
  });

  test('a worker with thousands of sessions at once has a bounded number of rows', () => {
    const rows = Array.from(
      { length: 500 },
      (_, i): Row => ({ lane: 'w', stage: 'g', start: i / 100, end: 50 }),
    );
    expect(readSpans(answer(rows)).laneRows[0]).toBe(MOST_ROWS);
  });

  test('only the innermost open span is where the session is', () => {
    const table = readSpans(
      answer([
        { lane: 's', stage: 'agent', start: 0, end: null },
        { lane: 's', stage: 'generate', start: 5, end: null },
      ]),
    );
    expect([...table.flags].map((f) => f & (OPEN | LEAF_OPEN))).toEqual([OPEN, OPEN | LEAF_OPEN]);
  });

  test('a session that waits for its sibling is not the cause', () => {
    const table = readSpans(
      answer(
        [
          { lane: 'a', stage: 'group', start: 0, end: null },
          { lane: 'a', stage: 'generate', start: 1, end: 5 },
          { lane: 'b', stage: 'group', start: 0, end: null },
          { lane: 'b', stage: 'generate', start: 1, end: null },
        ],
        { lane_info: { task: ['7', '7'] } },
      ),
    );
    expect([...table.flags].map((f) => f & WAITING)).toEqual([WAITING, 0, 0, 0]);
  });
});

describe('pieces', () => {
  test('a parent is full where it works itself and a tint where a child does', () => {
    const { pieces } = sceneOf(answer(AGENT));
    const row = [0, 1, 2, 3, 4].map((i) => [pieces.start[i], pieces.end[i], pieces.code[i]! & 1]);
    expect(row).toEqual([
      [0, 10, 0],
      [10, 40, 1],
      [40, 50, 0],
      [50, 60, 1],
      [60, 100, 0],
    ]);
  });

  test('folded to one row, the own times of all depths take turns', () => {
    const { pieces, table } = sceneOf(answer(AGENT), 1);
    const stages = [...pieces.code].map((c) => table.stages[c >> 1]);
    expect(stages).toEqual(['agent', 'generate', 'agent', 'tool', 'agent']);
    expect([...pieces.code].every((c) => (c & 1) === 0)).toBe(true);
  });

  test('the own time of a session is a wait', () => {
    const { pieces, table } = sceneOf(answer([{ ...AGENT[0]!, kind: 'session' }, AGENT[1]!]), 1);
    expect(pieces.code[0]! >> 1).toBe(table.stages.length);
  });

  test('own times add up, however deep the picture is', () => {
    for (const depth of [1, 2, MOST_ROWS]) {
      const scene = sceneOf(answer(AGENT), depth);
      expect(aggregate(scene, { from: 0, to: 100, lanes: null }).ownS).toBeCloseTo(100);
    }
  });
});

describe('level of detail', () => {
  const many = (n: number) =>
    Array.from(
      { length: n },
      (_, i): Row => ({ lane: 's', stage: i % 3 ? 'generate' : 'tool', start: i / 100, end: (i + 1) / 100 }),
    );

  test('what is wide is drawn where it is', () => {
    const { pieces } = sceneOf(answer(AGENT), 1);
    expect(painted(pieces, 0, 10).map((r) => [r.x, r.width])).toEqual([
      [0, 100],
      [100, 300],
      [400, 100],
      [500, 100],
      [600, 400],
    ]);
  });

  test('10,000 spans on 100 pixels become one colour, the one with most of the time', () => {
    const { pieces, table } = sceneOf(answer(many(10_000)));
    const rects = painted(pieces, 0, 1);
    expect(rects.length).toBeLessThan(60);
    expect(rects.every((r) => table.stages[r.code >> 1] === 'generate')).toBe(true);
    const last = rects.at(-1)!;
    expect(last.x + last.width).toBeGreaterThan(99);
  });

  test('summaries and single pieces give the same picture', () => {
    const rows = many(CHUNK * 20);
    const { pieces } = sceneOf(answer(rows));
    const coarse = painted(pieces, 0, 2);
    const single = painted({ ...pieces, reach: pieces.reach.map((r) => r + 1e3) }, 0, 2);
    expect(coarse.map((r) => r.code)).toEqual(single.map((r) => r.code));
  });

  test('a lone span of a microsecond keeps two pixels', () => {
    const { pieces } = sceneOf(answer([{ lane: 's', stage: 'g', start: 5, end: 5.000001 }]));
    expect(painted(pieces, 0, 10)).toEqual([{ code: 0, x: 50, width: LEAST_PX }]);
  });

  test('what was searched for is not hidden by longer neighbours', () => {
    const { pieces, table } = sceneOf(answer(many(9)));
    const matched = new Uint8Array(table.count);
    matched[3] = 1;
    expect(painted(pieces, 0, 10, matched).map((r) => r.code)).toEqual([pieces.code[3]]);
  });

  test('an open span reaches now', () => {
    const { pieces } = sceneOf(answer([{ lane: 's', stage: 'g', start: 90, end: null }]));
    expect(painted(pieces, 0, 5)).toEqual([{ code: 0, x: 450, width: 50 }]);
  });
});

describe('states of a lane', () => {
  const overlapsOf = (rows: Row[], more: Partial<Timeline> = {}) => {
    const table = readSpans(
      answer(
        rows.map((r) => ({ ...r, kind: 'state' })),
        { by: 'lane', ...more },
      ),
    );
    return Array.from(table.overlaps, (at, i) => [
      table.stages[table.stage[i]!],
      table.overlapped[at] ?? null,
      (table.flags[i]! & OVERLAPS) !== 0,
    ]);
  };

  test('another state that is still open when one begins is named', () => {
    expect(
      overlapsOf([
        { lane: 'trainer', stage: 'rollout', start: 0, end: 10 },
        { lane: 'trainer', stage: 'train', start: 8, end: 20 },
        { lane: 'trainer', stage: 'save', start: 20, end: 22 },
        { lane: 'other', stage: 'train', start: 0, end: null },
      ]),
    ).toEqual([
      ['rollout', null, false],
      ['train', 'rollout', true],
      ['save', null, false],
      ['train', null, false],
    ]);
  });

  test('the same state twice is no overlap, but a longer one behind it is', () => {
    expect(
      overlapsOf([
        { lane: 'l', stage: 'train', start: 0, end: 100 },
        { lane: 'l', stage: 'rollout', start: 1, end: 50 },
        { lane: 'l', stage: 'rollout', start: 2, end: 3 },
        { lane: 'l', stage: 'train', start: 60, end: 70 },
        { lane: 'l', stage: 'save', start: 99.9999, end: 101 },
      ]).map(([, other]) => other),
    ).toEqual([null, 'train', 'train', null, null]);
  });

  test('what its process said counts where the other is not here', () => {
    expect(
      overlapsOf([{ lane: 'l', stage: 'train', start: 5, end: 9 }], {
        overlapped: ['rollout'],
        overlaps: [0],
      }),
    ).toEqual([['train', 'rollout', true]]);
  });

  test('lanes that are workers or sessions have none', () => {
    expect(
      overlapsOf(
        [
          { lane: 'w', stage: 'rollout', start: 0, end: 10 },
          { lane: 'w', stage: 'train', start: 5, end: 9 },
        ],
        { by: 'worker' },
      ).every(([, other]) => other === null),
    ).toBe(true);
  });
});

describe('lanes', () => {
  const rows: Row[] = [
    { lane: 'fast', stage: 'g', start: 0, end: 5 },
    { lane: 'slow', stage: 'g', start: 1, end: 50 },
    { lane: 'open', stage: 'g', start: 20, end: null },
  ];

  test('slowest first, and what is open counts until now', () => {
    const { arrangement, table } = sceneOf(answer(rows));
    expect([...arrangement.order].map((l) => table.lanes[l])).toEqual(['open', 'slow', 'fast']);
  });

  test('the lengths beside the lanes of Slowest only get shorter, however late their verdicts came', () => {
    const late = (lane: string, start: number, worked: number, verdict: number): Row[] => [
      { lane, stage: 'session', kind: 'session', start, end: verdict },
      { lane, stage: 'g', start, end: worked },
    ];
    const { arrangement, facts, table, nowS } = sceneOf(
      answer([...late('a', 0, 5, 90), ...late('b', 2, 40, 90), ...late('c', 1, 20, 30), ...rows]),
    );
    const order = [...arrangement.order];
    const lengths = order.map((l) => wallOf(facts, l, nowS));
    expect(order.map((l) => table.lanes[l])).toEqual(['open', 'slow', 'b', 'c', 'a', 'fast']);
    expect(lengths).toEqual([80, 49, 38, 19, 5, 5]);
  });

  test('groups keep their lanes together, the straggler is named', () => {
    const info = { task: ['1', '2', '1'] };
    const { arrangement, table } = sceneOf(answer(rows, { lane_info: info }), 1, 100, true);
    expect(arrangement.groups.map((g) => [g.name, table.lanes[g.straggler]])).toEqual([
      ['1', 'open'],
      ['2', 'slow'],
    ]);
    expect([...arrangement.order].map((l) => table.lanes[l])).toEqual(['fast', 'open', 'slow']);
  });

  test('a height leads to the lane that is drawn there', () => {
    const { arrangement } = sceneOf(answer(rows));
    for (let p = 0; p < 3; p++) expect(placeAt(arrangement, arrangement.top[p]! + 3)).toBe(p);
  });

  test('a finer window keeps the lanes of the whole in their places', () => {
    const base = readSpans(answer(rows));
    const fine = readSpans(
      answer([rows[1]!, { lane: 'new', stage: 'g', start: 2, end: 3 }], { from_ns: 1_010e9 }),
      base,
    );
    expect(fine.lanes).toEqual(['fast', 'slow', 'open', 'new']);
    expect(fine.start[0]).toBeCloseTo(11);
  });
});

describe('keyboard', () => {
  const scene = sceneOf(answer([...AGENT, { lane: 's2', stage: 'agent', start: 12, end: 30 }]));
  const { table, arrangement } = scene;

  test('comma and full stop stay in the lane', () => {
    expect(stepInLane(table, 0, 1)).toBe(1);
    expect(stepInLane(table, 2, 1)).toBe(2);
    expect(stepInLane(table, 0, -1)).toBe(0);
  });

  test('arrows go to parents, children and neighbouring lanes', () => {
    expect(parentOf(table, 1)).toBe(0);
    expect(firstChildOf(table, 0)).toBe(1);
    expect(stepLane(table, arrangement, 1, 1, () => 0)).toBe(3);
    expect(stepLane(table, arrangement, 3, 1, () => 0)).toBe(3);
  });

  test('the search goes round', () => {
    const found = findSpans(table, 'AGENT')!;
    expect(found.count).toBe(2);
    expect(stepMatch(table, arrangement, found.matched, -1, 1)).toBe(0);
    expect(stepMatch(table, arrangement, found.matched, 0, 1)).toBe(3);
    expect(stepMatch(table, arrangement, found.matched, 3, 1)).toBe(0);
    expect(findSpans(table, '  ')).toBeNull();
  });
});

describe('numbers of an area', () => {
  test('own time is cut to the area, durations are whole', () => {
    const sum = aggregate(sceneOf(answer(AGENT)), { from: 30, to: 55, lanes: null });
    const generate = sum.stages.find((s) => s.place === 'generate')!;
    expect(generate).toMatchObject({ count: 1, ownS: 10, p50S: 30, maxS: 30 });
    expect(sum.stages.find((s) => s.place === 'tool')).toMatchObject({ errors: 1, ownS: 5 });
    expect(sum.ownS).toBeCloseTo(25);
  });

  test('percentiles lie between their neighbours', () => {
    expect(percentile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test('there is no usual below 20 ended spans', () => {
    const of = (n: number) =>
      usualByName(
        readSpans(
          answer(
            Array.from({ length: n }, (_, i): Row => ({ lane: 's', stage: 'g', start: i, end: i + 0.5 })),
          ),
        ),
      );
    expect(of(19).size).toBe(0);
    expect(of(20).get('g')).toBeCloseTo(0.5);
  });

  test('the overview has the same time in it as the spans', () => {
    const scene = sceneOf(answer(AGENT));
    const { tops } = overviewOf(scene, { from: 0, to: 100 }, 7);
    const sum = tops.at(-1)!.reduce((a, b) => a + b, 0) * (100 / 7);
    expect(sum).toBeCloseTo(100);
  });
});

describe('axis', () => {
  test('ticks are round and have room', () => {
    expect(tickStep({ from: 0, to: 600 }, 1000, 120)).toBe(120);
    expect(ticks({ from: 0, to: 600 }, 1000, 120, 0)).toEqual([0, 120, 240, 360, 480, 600]);
    expect(tickStep({ from: 0, to: 0.001 }, 1000, 120)).toBeCloseTo(0.0002);
  });

  test('labels have the decimals they need', () => {
    expect(relativeTick(90, 30)).toBe('+1:30');
    expect(relativeTick(0.25, 0.05)).toBe('+0.25 s');
    expect(clockTick(12.9999999, 0.001)).toMatch(/:13\.000$/);
  });

  test('zooming out stops a little beyond the whole', () => {
    expect(within({ from: 0, to: 100 }, { from: -1000, to: 1000 })).toEqual({ from: -10, to: 110 });
  });

  test('a clock that counts from boot does not squeeze the run to nothing', () => {
    const times = Float64Array.from([0, 1, ...Array.from({ length: 50 }, (_, i) => 1e9 + i)]);
    expect(mainStretch(times, 1e9 + 60)).toEqual({ from: 1e9, to: 1e9 + 60 });
  });

  test('a run of last year ends with its last event, not today', () => {
    expect(mainStretch(Float64Array.from([0, 50, 100]), 3e7)).toEqual({ from: 0, to: 100 });
  });
});

test('sorting is stable and knows a second key', () => {
  const key = [3, 1, 3, 2, 1];
  const places = Int32Array.from([0, 1, 2, 3, 4]);
  sortIndices(places, key, [1, 0, 2, 0, 0]);
  expect([...places]).toEqual([1, 4, 3, 2, 0]);
});

test('errors are flagged whatever else a span is', () => {
  expect(readSpans(answer(AGENT)).flags[2]! & ERROR).toBe(ERROR);
});

test('work that never ended goes on while its session does, not beyond its end', () => {
  const rows = [
    { lane: 'failed', stage: 'generate', start: 10, end: null },
    { lane: 'running', stage: 'generate', start: 10, end: null },
  ];
  const lane_info: LaneInfoColumns = {
    status: ['failed', 'running'],
    start_s: [1005, 1005],
    wall_s: [20, 95],
  };
  const table = readSpans(answer(rows, { lane_info }));
  expect([...table.end]).toEqual([25, Number.POSITIVE_INFINITY]);
  expect([...table.flags].map((f) => f & OPEN)).toEqual([0, OPEN]);
});
