import { CONTAINER, type SpanTable } from './spans';

/** How many pieces one summary stands for. */
export const CHUNK = 32;

/**
 * What is painted: every span cut into own time (full colour) and time passed on to a child (tint), by row of a lane and then by start.
 * Built once per data and depth; a frame only reads it.
 */
export type Pieces = {
  /** Rows per lane; the last one holds the own time of everything deeper. */
  rows: Int32Array;
  /** First row of each lane, in all rows. */
  laneRow: Int32Array;
  /** First piece of each row. */
  rowFirst: Int32Array;
  start: Float64Array;
  /** Infinity while open. */
  end: Float64Array;
  /** Furthest end of this and all pieces before it in its row; grows with the index, so it can be searched. */
  reach: Float64Array;
  /** Place × 2, + 1 for a tint. The place after all stages is the wait of containers. */
  code: Int32Array;
  span: Int32Array;
  /** First summary of each row; a summary stands for CHUNK pieces. */
  chunkFirst: Int32Array;
  chunkCode: Int32Array;
  chunkWeight: Float64Array;
};

/** @param depthOf rows that a lane may have; 1 shows only where each session really was */
export function cutPieces(table: SpanTable, depthOf: (lane: number) => number): Pieces {
  const lanes = table.lanes.length;
  const rows = table.laneRows.map((r, lane) => Math.min(r, depthOf(lane)));
  const laneRow = new Int32Array(lanes + 1);
  for (let l = 0; l < lanes; l++) laneRow[l + 1] = laneRow[l]! + rows[l]!;
  const raw = cutAll(table, rows, laneRow);
  return { rows, laneRow, ...intoRows(raw, laneRow[lanes]!, table.stages.length) };
}

type Raw = {
  count: number;
  row: Int32Array;
  start: Float64Array;
  end: Float64Array;
  code: Int32Array;
  span: Int32Array;
};

function cutAll(table: SpanTable, rows: Int32Array, laneRow: Int32Array): Raw {
  const { count, lane, parent, start, end, flags, stage } = table;
  // Each child adds at most its own shadow and the part behind it.
  const most = 3 * count;
  const raw: Raw = {
    count: 0,
    row: new Int32Array(most),
    start: new Float64Array(most),
    end: new Float64Array(most),
    code: new Int32Array(most),
    span: new Int32Array(most),
  };
  const firstChild = new Int32Array(count).fill(-1);
  const nextChild = new Int32Array(count).fill(-1);
  for (let i = count - 1; i >= 0; i--) {
    const p = parent[i]!;
    if (p < 0 || lane[p] !== lane[i]) continue;
    nextChild[i] = firstChild[p]!;
    firstChild[p] = i;
  }
  const wait = table.stages.length;
  for (let i = 0; i < count; i++) {
    const last = rows[lane[i]!]! - 1;
    const folded = table.row[i]! >= last && last + 1 < table.laneRows[lane[i]!]!;
    const row = laneRow[lane[i]!]! + Math.min(table.row[i]!, last);
    const place = flags[i]! & CONTAINER || stage[i]! < 0 ? wait : stage[i]!;
    let at = start[i]!;
    for (let c = firstChild[i]!; c >= 0; c = nextChild[c]!) {
      const from = Math.min(Math.max(start[c]!, at), end[i]!);
      const to = Math.min(Math.max(end[c]!, from), end[i]!);
      if (from > at) put(raw, row, at, from, place * 2, i);
      if (to > from && !folded) put(raw, row, from, to, place * 2 + 1, i);
      at = Math.max(at, to);
    }
    if (end[i]! > at || firstChild[i]! < 0) put(raw, row, at, end[i]!, place * 2, i);
  }
  return raw;
}

function put(raw: Raw, row: number, start: number, end: number, code: number, span: number): void {
  const at = raw.count++;
  raw.row[at] = row;
  raw.start[at] = start;
  raw.end[at] = end;
  raw.code[at] = code;
  raw.span[at] = span;
}

function intoRows(raw: Raw, rows: number, stages: number) {
  const { count } = raw;
  const rowFirst = new Int32Array(rows + 1);
  for (let i = 0; i < count; i++) rowFirst[raw.row[i]! + 1]!++;
  for (let r = 0; r < rows; r++) rowFirst[r + 1]! += rowFirst[r]!;
  const next = rowFirst.slice();
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[next[raw.row[i]!]!++] = i;
  const before = (a: number, b: number) => raw.start[a]! - raw.start[b]! || a - b;
  for (let r = 0; r < rows; r++) {
    const part = order.subarray(rowFirst[r], rowFirst[r + 1]);
    for (let i = 1; i < part.length; i++) {
      if (raw.start[part[i - 1]!]! > raw.start[part[i]!]!) {
        part.sort(before);
        break;
      }
    }
  }
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  const reach = new Float64Array(count);
  const code = new Int32Array(count);
  const span = new Int32Array(count);
  for (let r = 0; r < rows; r++) {
    let far = Number.NEGATIVE_INFINITY;
    for (let i = rowFirst[r]!; i < rowFirst[r + 1]!; i++) {
      const from = order[i]!;
      start[i] = raw.start[from]!;
      end[i] = raw.end[from]!;
      far = Math.max(far, end[i]!);
      reach[i] = far;
      code[i] = raw.code[from]!;
      span[i] = raw.span[from]!;
    }
  }
  return { rowFirst, start, end, reach, code, span, ...summaries(rowFirst, start, end, code, stages) };
}

/** The code with the most time in each chunk, and that time. */
function summaries(
  rowFirst: Int32Array,
  start: Float64Array,
  end: Float64Array,
  code: Int32Array,
  stages: number,
) {
  const rows = rowFirst.length - 1;
  const chunkFirst = new Int32Array(rows + 1);
  for (let r = 0; r < rows; r++) {
    chunkFirst[r + 1] = chunkFirst[r]! + Math.ceil((rowFirst[r + 1]! - rowFirst[r]!) / CHUNK);
  }
  const chunkCode = new Int32Array(chunkFirst[rows]!);
  const chunkWeight = new Float64Array(chunkFirst[rows]!);
  const weight = new Float64Array((stages + 1) * 2);
  for (let r = 0; r < rows; r++) {
    for (let c = chunkFirst[r]!, from = rowFirst[r]!; c < chunkFirst[r + 1]!; c++, from += CHUNK) {
      const to = Math.min(from + CHUNK, rowFirst[r + 1]!);
      weight.fill(0);
      let best = code[from]!;
      for (let i = from; i < to; i++) {
        weight[code[i]!]! += end[i]! - start[i]!;
        if (weight[code[i]!]! > weight[best]!) best = code[i]!;
      }
      chunkCode[c] = best;
      chunkWeight[c] = weight[best]!;
    }
  }
  return { chunkFirst, chunkCode, chunkWeight };
}
