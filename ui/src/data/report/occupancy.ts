import type { OccupancyWindow } from '../source';
import type { Occupancy } from '../types';
import { type SpanSet, WAITS } from './SpanSet';

const DEFAULT_BUCKETS = 200;

/** How many of some sessions were where, told from their spans. */
export function occupancyOf(
  all: Occupancy,
  spans: SpanSet,
  chosen: Int32Array,
  window: OccupancyWindow,
): Occupancy {
  const buckets = new Buckets(all, window);
  const known = [...chosen].filter((session) => spans.laneOfSession[session]! >= 0);
  let seen = 0;
  const offset = buckets.fromNs - spans.fromNs;
  for (const session of known) {
    const lane = spans.laneOfSession[session]!;
    const since = spans.laneFrom[lane]! - offset;
    const until = since + spans.columns.lane_ns[lane]!;
    if (until <= 0 || since >= buckets.widthNs * buckets.count) continue;
    seen++;
    spans.eachPiece(lane, (leaf, from, to) => {
      const place = leaf < 0 ? spans.placeOf(leaf) : `stage ${spans.stageOf(leaf)}`;
      buckets.add(place, since + from, since + to);
      // Who only waits for a verdict has ended.
      if (place !== 'barrier') buckets.add('alive', since + from, since + to);
    });
  }
  return buckets.answer(seen, chosen.length - known.length);
}

/** The same of all sessions in another window, made of the buckets that the report has. */
export function rebucketed(all: Occupancy, window: OccupancyWindow): Occupancy {
  const buckets = new Buckets(all, window);
  const addAll = (place: string, values: readonly number[]) => {
    values.forEach((value, b) => {
      const from = all.from_ns - buckets.fromNs + b * all.bucket_ns;
      buckets.add(place, from, from + all.bucket_ns, value);
    });
  };
  addAll('alive', all.alive);
  for (const [wait, values] of Object.entries(all.waits)) addAll(wait, values);
  for (const [stage, values] of Object.entries(all.stages)) addAll(`stage ${stage}`, values);
  return buckets.answer(all.sessions, all.left_out);
}

class Buckets {
  readonly count: number;
  readonly fromNs: number;
  readonly widthNs: number;
  private readonly places = new Map<string, number[]>();

  constructor(
    private readonly all: Occupancy,
    window: OccupancyWindow,
  ) {
    this.count = window.buckets ?? DEFAULT_BUCKETS;
    this.fromNs = window.from === undefined ? all.from_ns : window.from * 1e9;
    const toNs = window.to === undefined ? all.to_ns : window.to * 1e9;
    this.widthNs = Math.max(0, toNs - this.fromNs) / this.count;
    for (const place of ['alive', ...WAITS]) this.valuesOf(place);
  }

  private valuesOf(place: string): number[] {
    let values = this.places.get(place);
    if (!values) {
      values = new Array<number>(this.count).fill(0);
      this.places.set(place, values);
    }
    return values;
  }

  /** Times count from the first bucket. */
  add(place: string, from: number, to: number, weight = 1): void {
    const begin = Math.max(0, from);
    const end = Math.min(to, this.widthNs * this.count);
    if (begin >= end || weight === 0) return;
    const values = this.valuesOf(place);
    const last = Math.min(this.count - 1, Math.floor(end / this.widthNs));
    for (let b = Math.floor(begin / this.widthNs); b <= last; b++) {
      const inside = Math.min(end, (b + 1) * this.widthNs) - Math.max(begin, b * this.widthNs);
      values[b]! += (weight * Math.max(0, inside)) / this.widthNs;
    }
  }

  answer(sessions: number, leftOut: number): Occupancy {
    const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
    const stages = [...this.places]
      .filter(([place]) => place.startsWith('stage '))
      .sort(([, a], [, b]) => sum(b) - sum(a))
      .map(([place, values]) => [place.slice('stage '.length), values] as const);
    const waits = WAITS.map((wait) => [wait, this.valuesOf(wait)] as const);
    return {
      ...this.all,
      from_ns: this.fromNs,
      to_ns: this.fromNs + this.widthNs * this.count,
      bucket_ns: this.widthNs,
      start_s: Array.from({ length: this.count }, (_, b) => (this.fromNs + b * this.widthNs) / 1e9),
      alive: this.valuesOf('alive'),
      stages: Object.fromEntries(stages),
      waits: Object.fromEntries(waits),
      sessions,
      left_out: leftOut,
    };
  }
}
