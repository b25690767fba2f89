import { type Area, endOf, type Scene, shiftOf } from './scene';
import { CONTAINER, ERROR, INFERRED, LOST, OPEN } from './spans';

export type StageSum = {
  place: string;
  count: number;
  open: number;
  errors: number;
  /** Own time inside the area; all places together are the time of all lanes. */
  ownS: number;
  p50S: number;
  p95S: number;
  maxS: number;
};

export type AreaSum = { stages: StageSum[]; lanes: number; spans: number; ownS: number };

/** What happened in an area, by stage. Durations are of whole spans, own time is what falls into the area. */
export function aggregate(scene: Scene, area: Area): AreaSum {
  const { table, arrangement } = scene;
  const places = table.stages.length + 1;
  const own = new Float64Array(places);
  const durations: number[][] = Array.from({ length: places }, () => []);
  const open = new Int32Array(places);
  const errors = new Int32Array(places);
  const first = area.lanes?.first ?? 0;
  const last = area.lanes?.last ?? arrangement.order.length - 1;
  let lanes = 0;
  let spans = 0;
  for (let p = first; p <= last; p++) {
    const lane = arrangement.order[p]!;
    const from = area.from - shiftOf(scene, lane);
    const to = area.to - shiftOf(scene, lane);
    const before = spans;
    for (let i = table.laneFirst[lane]!; i < table.laneFirst[lane + 1]!; i++) {
      if (table.start[i]! >= to) break;
      const end = endOf(scene, i);
      if (end < from) continue;
      const flag = table.flags[i]!;
      if (flag & CONTAINER) continue;
      spans++;
      const place = table.stage[i]! < 0 ? places - 1 : table.stage[i]!;
      if (flag & (OPEN | LOST)) open[place]!++;
      if (flag & ERROR) errors[place]!++;
      if (!(flag & INFERRED)) durations[place]!.push(end - table.start[i]!);
    }
    if (spans > before) lanes++;
    addOwnTime(scene, lane, from, to, own);
  }
  const stages: StageSum[] = [];
  for (let place = 0; place < places; place++) {
    const sorted = Float64Array.from(durations[place]!).sort();
    if (sorted.length === 0 && own[place]! <= 0) continue;
    stages.push({
      place: table.stages[place] ?? 'gap',
      count: sorted.length,
      open: open[place]!,
      errors: errors[place]!,
      ownS: own[place]!,
      p50S: percentile(sorted, 0.5),
      p95S: percentile(sorted, 0.95),
      maxS: sorted.at(-1) ?? Number.NaN,
    });
  }
  stages.sort((a, b) => b.ownS - a.ownS);
  return { stages, lanes, spans, ownS: own.reduce((sum, s) => sum + s, 0) };
}

function addOwnTime(scene: Scene, lane: number, from: number, to: number, own: Float64Array): void {
  const { pieces, nowS } = scene;
  const last = pieces.rowFirst[pieces.laneRow[lane + 1]!]!;
  for (let i = pieces.rowFirst[pieces.laneRow[lane]!]!; i < last; i++) {
    if (pieces.code[i]! & 1) continue;
    const time = Math.min(pieces.end[i]!, nowS, to) - Math.max(pieces.start[i]!, from);
    if (time > 0) own[pieces.code[i]! >> 1]! += time;
  }
}

/** Linear between the two nearest, as everywhere in Rollscope. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

const ENOUGH = 20;

/** p95 of ended spans; names with too few to speak of usual are not there. */
export function usualByName(table: Scene['table']): Map<string, number> {
  const durations: number[][] = Array.from({ length: table.names.length }, () => []);
  for (let i = 0; i < table.count; i++) {
    if (!(table.flags[i]! & (OPEN | LOST | INFERRED)) && table.name[i]! >= 0)
      durations[table.name[i]!]!.push(table.end[i]! - table.start[i]!);
  }
  const usual = new Map<string, number>();
  durations.forEach((d, n) => {
    if (d.length >= ENOUGH) usual.set(table.names[n]!, percentile(Float64Array.from(d).sort(), 0.95));
  });
  return usual;
}
