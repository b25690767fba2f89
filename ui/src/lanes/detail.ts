import { CHUNK, type Pieces } from './pieces';

/** Nothing is narrower than this; what is shorter shares it with its neighbours. */
export const LEAST_PX = 2;

/** Rectangles by colour code, ready to be filled; reused from frame to frame. */
export class Rects {
  private readonly x: Float32Array[] = [];
  private readonly counts: number[] = [];

  clear(): void {
    this.counts.fill(0);
  }

  add(code: number, x: number, y: number, width: number, height: number): void {
    let n = this.counts[code] ?? 0;
    let box = this.x[code];
    if (!box || n + 4 > box.length) {
      const grown = new Float32Array(box ? box.length * 2 : 256);
      if (box) grown.set(box);
      box = this.x[code] = grown;
    }
    box[n++] = x;
    box[n++] = y;
    box[n++] = width;
    box[n++] = height;
    this.counts[code] = n;
  }

  /** Codes in use, each with its boxes: x, y, width, height, … and how many numbers of it count. */
  forEach(paint: (code: number, boxes: Float32Array, length: number) => void): void {
    for (let code = 0; code < this.x.length; code++) {
      const length = this.counts[code] ?? 0;
      if (length > 0) paint(code, this.x[code]!, length);
    }
  }
}

export type RowView = {
  /** Time at x = left, and pixels per second. */
  fromS: number;
  pxPerS: number;
  left: number;
  right: number;
  nowS: number;
  /** Added to every time: makes each lane start at zero on the normalised axis. */
  shiftS: number;
};

/** Pieces that others must not hide, such as what was searched for; null: all are alike. */
export type Emphasis = { matched: Uint8Array; dimOffset: number } | null;

const LOUD = 1e9;
const APART_FROM_PX = 5;

/**
 * Paints one row: pieces of at least LEAST_PX as they are, shorter ones merged per LEAST_PX under the code that has most of the time.
 * Where thousands of pieces share a pixel it reads their summaries, so the cost follows the pixels, not the data.
 */
export class RowPainter {
  private readonly weight: Float64Array;
  private readonly touched: number[] = [];
  private bucketX = 0;
  private lastCode = -1;
  private lastX = 0;
  private lastRight = 0;

  constructor(codes: number) {
    this.weight = new Float64Array(codes);
  }

  paint(
    pieces: Pieces,
    row: number,
    view: RowView,
    y: number,
    height: number,
    rects: Rects,
    emphasis: Emphasis,
    spanEnd: Float64Array,
  ): void {
    const { start, end, reach, code, span, rowFirst, chunkFirst, chunkCode, chunkWeight } = pieces;
    const { pxPerS, left, right } = view;
    const origin = left + (view.shiftS - view.fromS) * pxPerS;
    const first = rowFirst[row]!;
    const last = rowFirst[row + 1]!;
    this.lastCode = -1;
    this.bucketX = Number.NEGATIVE_INFINITY;
    let i = firstReaching(reach, first, last, (left - origin) / pxPerS);
    while (i < last) {
      const x = origin + start[i]! * pxPerS;
      if (x >= right) break;
      if (!emphasis && (i - first) % CHUNK === 0 && i + CHUNK <= last) {
        const far = origin + reach[i + CHUNK - 1]! * pxPerS;
        if (far - x < 1) {
          const c = chunkFirst[row]! + (i - first) / CHUNK;
          this.collect(chunkCode[c]!, chunkWeight[c]!, x, y, height, rects);
          i += CHUNK;
          continue;
        }
      }
      let to = origin + Math.min(end[i]!, view.nowS) * pxPerS;
      const loud = emphasis !== null && emphasis.matched[span[i]!] === 1;
      const shown = emphasis && !loud ? code[i]! + emphasis.dimOffset : code[i]!;
      if (to - x >= LEAST_PX) {
        this.flush(y, height, rects);
        const from = Math.max(x, left);
        // A hair between two spans; none inside one.
        if (to - x >= APART_FROM_PX && end[i] === spanEnd[span[i]!]) to -= 1;
        this.run(shown, from, Math.min(to, right), y, height, rects);
      } else if (to >= left) {
        const time = Math.max(end[i]! - start[i]!, 1e-9);
        this.collect(shown, loud ? time + LOUD : time, Math.max(x, left), y, height, rects);
      }
      i++;
    }
    this.flush(y, height, rects);
    this.finish(y, height, rects);
  }

  private collect(code: number, time: number, x: number, y: number, height: number, rects: Rects): void {
    if (x >= this.bucketX + LEAST_PX) {
      this.flush(y, height, rects);
      this.bucketX = x;
    }
    if (this.weight[code] === 0) this.touched.push(code);
    this.weight[code]! += time;
  }

  private flush(y: number, height: number, rects: Rects): void {
    if (this.touched.length === 0) return;
    let best = this.touched[0]!;
    for (const code of this.touched) if (this.weight[code]! > this.weight[best]!) best = code;
    for (const code of this.touched) this.weight[code] = 0;
    this.touched.length = 0;
    const x = this.bucketX;
    this.bucketX = Number.NEGATIVE_INFINITY;
    this.run(best, x, x + LEAST_PX, y, height, rects);
  }

  /** Neighbours of one colour become one rectangle. */
  private run(code: number, x: number, to: number, y: number, height: number, rects: Rects): void {
    if (code === this.lastCode && x <= this.lastRight + 0.5) {
      this.lastRight = Math.max(this.lastRight, to);
      return;
    }
    this.finish(y, height, rects);
    this.lastCode = code;
    this.lastX = x;
    this.lastRight = to;
  }

  private finish(y: number, height: number, rects: Rects): void {
    if (this.lastCode >= 0) rects.add(this.lastCode, this.lastX, y, this.lastRight - this.lastX, height);
    this.lastCode = -1;
  }
}

/** The first piece that ends after `time`. */
export function firstReaching(reach: Float64Array, first: number, last: number, time: number): number {
  let low = first;
  let high = last;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (reach[mid]! < time) low = mid + 1;
    else high = mid;
  }
  return low;
}
