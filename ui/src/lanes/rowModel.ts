import type { Arrangement } from './arrange';
import type { SpanTable } from './spans';

// Where the keyboard goes: from span to span, from lane to lane, from depth to depth.

/** The next or previous span of the same lane, in the order of their starts. */
export function stepInLane({ lane, laneFirst }: SpanTable, span: number, by: 1 | -1): number {
  const next = span + by;
  const l = lane[span]!;
  return next >= laneFirst[l]! && next < laneFirst[l + 1]! ? next : span;
}

/** The span of the lane above or below that is nearest in time, as deep as this one if there is one. */
export function stepLane(
  table: SpanTable,
  { order, place }: Arrangement,
  span: number,
  by: 1 | -1,
  shift: (lane: number) => number,
): number {
  const from = table.lane[span]!;
  const time = table.start[span]! + shift(from);
  for (let p = place[from]! + by; p >= 0 && p < order.length; p += by) {
    const lane = order[p]!;
    const nearest = nearestInLane(table, lane, time - shift(lane), table.row[span]!);
    if (nearest >= 0) return nearest;
  }
  return span;
}

export function nearestInLane(table: SpanTable, lane: number, time: number, row: number): number {
  let best = -1;
  let bestScore = Number.POSITIVE_INFINITY;
  for (let i = table.laneFirst[lane]!; i < table.laneFirst[lane + 1]!; i++) {
    const away = Math.max(table.start[i]! - time, time - table.end[i]!, 0);
    const score = away + Math.abs(table.row[i]! - row) * 1e-3;
    if (score < bestScore) {
      best = i;
      bestScore = score;
    }
  }
  return best;
}

export function parentOf({ parent }: SpanTable, span: number): number {
  return parent[span]! < 0 ? span : parent[span]!;
}

export function firstChildOf({ parent, lane, laneFirst }: SpanTable, span: number): number {
  for (let i = span + 1; i < laneFirst[lane[span]! + 1]!; i++) if (parent[i] === span) return i;
  return span;
}

/** The next match in the order of what is on the screen; goes round at the end. */
export function stepMatch(
  table: SpanTable,
  { order, place }: Arrangement,
  matched: Uint8Array,
  span: number,
  by: 1 | -1,
): number {
  const lanes = order.length;
  if (lanes === 0) return -1;
  const startPlace = span < 0 ? (by > 0 ? 0 : lanes - 1) : place[table.lane[span]!]!;
  for (let n = 0; n <= lanes; n++) {
    const lane = order[(((startPlace + n * by) % lanes) + lanes) % lanes]!;
    const [first, end] = [table.laneFirst[lane]!, table.laneFirst[lane + 1]!];
    const here = n === 0 && span >= 0;
    if (by > 0) {
      for (let i = here ? span + 1 : first; i < end; i++) if (matched[i]) return i;
    } else {
      for (let i = here ? span - 1 : end - 1; i >= first; i--) if (matched[i]) return i;
    }
  }
  return span;
}
