import type { SpanSet } from './SpanSet';

export const QUEUE = -1;
export const GAP = -2;
export const BARRIER = -3;
export const UNACCOUNTED = -4;

/** The names of the waits, by what `Tell` gives. */
export const WAIT_NAMES: Record<number, string> = {
  [QUEUE]: 'queue',
  [GAP]: 'gap',
  [BARRIER]: 'barrier',
  [UNACCOUNTED]: 'unaccounted',
};

/** Is told that the time from `from` to `to` belongs to one span, or to a wait. */
export type Tell = (leaf: number, from: number, to: number) => void;

/**
 * Splits the time of a lane from `from` to `to` among spans and waits (core/…/accounting/Accounting.java): at each
 * instant it belongs to the open span without open child that ends last; where parents are guessed from time, that is
 * the one that started last. Pieces come in order of time.
 */
export function pieces(
  spans: SpanSet,
  lane: number,
  from: number,
  to: number,
  finalised: boolean,
  tell: Tell,
): void {
  const starting: number[] = [];
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
    if (!spans.work[i]) continue;
    const begin = Math.max(from, spans.start[i]!);
    const end = Math.min(to, endOf(spans, i));
    if (begin < end || (begin === end && spans.duration[i] === 0)) {
      first = Math.min(first, begin);
      last = Math.max(last, end);
    }
    if (begin < end) starting.push(i);
  }
  if (first > last) {
    if (from < to) tell(QUEUE, from, to);
    return;
  }
  if (from < first) tell(QUEUE, from, first);
  sweep(spans, starting, { from, to, first, last }, tell);
  if (last < to) tell(finalised ? BARRIER : UNACCOUNTED, last, to);
}

function endOf(spans: SpanSet, i: number): number {
  return spans.open[i] ? Number.POSITIVE_INFINITY : spans.end(i);
}

type Bounds = { from: number; to: number; first: number; last: number };

function sweep(spans: SpanSet, starting: number[], bounds: Bounds, tell: Tell): void {
  const begin = (i: number) => Math.max(bounds.from, spans.start[i]!);
  const finish = (i: number) => Math.min(bounds.to, endOf(spans, i));
  starting.sort((a, b) => begin(a) - begin(b));
  const ending = [...starting].sort((a, b) => finish(a) - finish(b));
  const open = new OpenSpans(spans);
  let now = bounds.first;
  let started = 0;
  let ended = 0;
  while (ended < ending.length) {
    while (ended < ending.length && finish(ending[ended]!) <= now) open.close(ending[ended++]!);
    while (started < starting.length && begin(starting[started]!) <= now) open.open(starting[started++]!);
    if (ended === ending.length) break;
    let next = finish(ending[ended]!);
    if (started < starting.length) next = Math.min(next, begin(starting[started]!));
    if (now < next) tell(open.leaf() ?? GAP, now, next);
    now = next;
  }
  if (now < bounds.last) tell(GAP, now, bounds.last);
}

/** The spans open at one time, as a heap with the blocking one on top. */
class OpenSpans {
  private readonly heap: number[] = [];
  private readonly active = new Set<number>();
  private readonly children = new Map<number, number>();
  private readonly byIds: boolean;

  constructor(private readonly spans: SpanSet) {
    this.byIds = spans.columns.by_ids;
  }

  open(i: number): void {
    this.active.add(i);
    const above = this.parentOf(i);
    if (above >= 0) this.children.set(above, (this.children.get(above) ?? 0) + 1);
    this.push(i);
  }

  close(i: number): void {
    this.active.delete(i);
    const above = this.parentOf(i);
    if (above < 0) return;
    const left = this.children.get(above)! - 1;
    this.children.set(above, left);
    if (left === 0 && this.active.has(above)) this.push(above);
  }

  leaf(): number | undefined {
    while (this.heap.length > 0) {
      const top = this.heap[0]!;
      if (this.active.has(top) && !this.children.get(top)) return top;
      this.pop();
    }
    return undefined;
  }

  /** A container between two spans is looked through. */
  private parentOf(i: number): number {
    if (!this.byIds) return -1;
    let above = this.spans.parent[i]!;
    while (above >= 0 && !this.spans.work[above]) above = this.spans.parent[above]!;
    return above;
  }

  private blocks(a: number, b: number): boolean {
    const [startA, startB] = [this.spans.start[a]!, this.spans.start[b]!];
    const [endA, endB] = [endOf(this.spans, a), endOf(this.spans, b)];
    if (this.byIds) return endA !== endB ? endA > endB : startA !== startB ? startA > startB : a < b;
    if (startA !== startB) return startA > startB;
    if (endA !== endB) return endA < endB;
    return this.spans.columns.names[this.spans.name[a]!]! < this.spans.columns.names[this.spans.name[b]!]!;
  }

  private push(i: number): void {
    let at = this.heap.push(i) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.blocks(i, this.heap[above]!)) break;
      this.heap[at] = this.heap[above]!;
      at = above;
    }
    this.heap[at] = i;
  }

  private pop(): void {
    const moving = this.heap.pop()!;
    if (this.heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.heap.length) break;
      if (child + 1 < this.heap.length && this.blocks(this.heap[child + 1]!, this.heap[child]!)) child++;
      if (!this.blocks(this.heap[child]!, moving)) break;
      this.heap[at] = this.heap[child]!;
      at = child;
    }
    this.heap[at] = moving;
  }
}
