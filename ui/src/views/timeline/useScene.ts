import { useMemo } from 'react';
import { usePalette } from '../../colour/usePalette';
import { usualBySpan } from '../../data/LiveBoard';
import { useBatches } from '../../data/useBatches';
import { sameValues, useLive, useLiveContext } from '../../data/useLive';
import { usualByName } from '../../lanes/aggregate';
import { arrange, laneFacts } from '../../lanes/arrange';
import { mainStretch, type Span } from '../../lanes/axis';
import { MOST_ROWS } from '../../lanes/nesting';
import { cutPieces } from '../../lanes/pieces';
import { type Axis, coloursOf, type Scene } from '../../lanes/scene';
import { findSpans } from '../../lanes/search';
import type { SpanTable } from '../../lanes/spans';
import { stepName } from '../live/stepEnd';
import { type Depth, type Lanes, rowsOf, type TimelineState } from './timelineState';

type Shown = { lanes: Lanes; depth: Depth };

/** The picture of a table. Each part is made anew only when what it depends on changes. */
export function useScene(
  base: SpanTable | null,
  table: SpanTable | null,
  state: TimelineState,
  { lanes, depth }: Shown,
): Scene | null {
  const palette = usePalette();
  const { board } = useLiveContext();
  const { axis, sort, find } = state;
  const pinKey = [...state.pins].join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all that the pins say
  const pinned = useMemo(() => state.pins, [pinKey]);
  const facts = useMemo(
    () => base && table && laneFacts(base.lanes.length === table.lanes.length ? base : table),
    [base, table],
  );
  const nowS = useMemo(() => (table ? board.nowS() - table.originS : 0), [table, board]);
  const whole = useMemo(() => (base ? wholeOf(base, axis, nowS) : null), [base, axis, nowS]);
  const pieces = useMemo(
    () => table && cutPieces(table, (lane) => (pinned.has(table.lanes[lane]!) ? MOST_ROWS : rowsOf(depth))),
    [table, depth, pinned],
  );
  const arrangement = useMemo(
    () =>
      table &&
      pieces &&
      facts &&
      arrange(table, pieces, facts, { sort, grouped: lanes === 'group', pinned, nowS }),
    [table, pieces, facts, sort, lanes, pinned, nowS],
  );
  const known = useLive(
    (b) => Object.fromEntries(usualBySpan(b.report?.open_span_summaries ?? [])),
    sameValues,
  );
  const ownUsual = useMemo(() => base && usualByName(base), [base]);
  const usualS = useMemo(
    () => table && Float64Array.from(table.names, (name) => known[name] ?? ownUsual?.get(name) ?? Number.NaN),
    [table, known, ownUsual],
  );
  const batches = useBatches().data?.batches;
  const steps = useMemo(
    () => (batches ?? []).map((b) => ({ atS: b.start_s, label: stepName(b).toLowerCase() })).reverse(),
    [batches],
  );
  const matched = useMemo(() => (table ? (findSpans(table, find)?.matched ?? null) : null), [table, find]);
  return useMemo(() => {
    if (!table || !pieces || !facts || !arrangement || !whole || !usualS) return null;
    const colours = coloursOf(table.stages, palette);
    const isWhole = table === base;
    return {
      table,
      pieces,
      facts,
      arrangement,
      palette,
      colours,
      axis,
      whole,
      isWhole,
      nowS,
      usualS,
      steps,
      matched,
    };
  }, [base, table, pieces, facts, arrangement, palette, axis, whole, nowS, usualS, steps, matched]);
}

/** All there is to see: on the clock the stretch in which things happened, else the longest lane. */
function wholeOf(table: SpanTable, axis: Axis, nowS: number): Span {
  const times = new Float64Array(table.count * 2);
  let n = 0;
  for (let i = 0; i < table.count; i++) {
    times[n++] = table.start[i]!;
    if (table.end[i]! !== Number.POSITIVE_INFINITY) times[n++] = table.end[i]!;
  }
  const clock = mainStretch(times.subarray(0, n), nowS);
  if (axis === 'clock') return clock;
  const facts = laneFacts(table);
  let longest = 0;
  for (let l = 0; l < table.lanes.length; l++) {
    const until = facts.end[l] === Number.POSITIVE_INFINITY ? clock.to : facts.end[l]!;
    const wall = Math.min(until, clock.to) - Math.max(facts.start[l]!, clock.from);
    if (wall > longest) longest = wall;
  }
  return { from: 0, to: longest || 1 };
}
