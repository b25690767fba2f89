import type { Pieces } from './pieces';
import { CONTAINER, type SpanTable } from './spans';

export type LaneSort = 'slowest' | 'start' | 'name' | 'worker';
export const LANE_SORTS: readonly LaneSort[] = ['slowest', 'start', 'name', 'worker'];

/** What a lane is about, in numbers; times are seconds from the table's origin. */
export type LaneFacts = {
  start: Float64Array;
  end: Float64Array;
  /** What it is sorted and labelled by; open lanes grow. */
  open: Uint8Array;
  failed: Uint8Array;
};

export type Group = {
  name: string;
  /** Places in `order`. */
  first: number;
  last: number;
  top: number;
  height: number;
  /** The lane that took longest, by which groups are sorted. */
  straggler: number;
};

/** Where each lane is drawn. Pinned lanes come first and do not scroll. */
export type Arrangement = {
  /** Lanes from top to bottom. */
  order: Int32Array;
  /** Place of each lane in `order`. */
  place: Int32Array;
  top: Float64Array;
  height: Float64Array;
  groups: readonly Group[];
  /** Group of each place, -1 where there are none. */
  groupOf: Int32Array;
  pinned: number;
  pinnedHeight: number;
  /** Of everything, pinned lanes included. */
  totalHeight: number;
};

export type ArrangeOptions = {
  sort: LaneSort;
  grouped: boolean;
  pinned: ReadonlySet<string>;
  nowS: number;
};

export const ROW_PX = 12;
const LANE_PAD_PX = 8;
const FLAT_PX = 20;
const THIN_PX = 8;
const GROUP_PAD_PX = 8;
const GROUP_LEAST_PX = 36;

export function barHeight(laneHeight: number, rows: number): number {
  if (rows > 1) return ROW_PX - 1;
  return laneHeight >= FLAT_PX ? 12 : THIN_PX - 2;
}

/** Distance of the first bar from the top of its lane. */
export function barTop(laneHeight: number, rows: number): number {
  if (rows > 1) return LANE_PAD_PX / 2;
  return laneHeight >= FLAT_PX ? (FLAT_PX - 12) / 2 : 1;
}

export function laneFacts(table: SpanTable): LaneFacts {
  const lanes = table.lanes.length;
  const start = new Float64Array(lanes).fill(Number.POSITIVE_INFINITY);
  const end = new Float64Array(lanes).fill(Number.NEGATIVE_INFINITY);
  const all = end.slice();
  const open = new Uint8Array(lanes);
  const failed = new Uint8Array(lanes);
  for (let i = 0; i < table.count; i++) {
    const l = table.lane[i]!;
    if (table.start[i]! < start[l]!) start[l] = table.start[i]!;
    if (table.end[i]! > all[l]!) all[l] = table.end[i]!;
    if (!(table.flags[i]! & CONTAINER) && table.end[i]! > end[l]!) end[l] = table.end[i]!;
    if (table.end[i]! === Number.POSITIVE_INFINITY) open[l] = 1;
    if (table.flags[i]! & 2) failed[l] = 1;
  }
  for (let l = 0; l < lanes; l++) {
    const info = table.info[l];
    if (info?.start_s != null) start[l] = Math.min(start[l]!, info.start_s - table.originS);
    // A lane is as long as its work took: what only holds work together lasts until the verdict.
    if (open[l] || end[l] === Number.NEGATIVE_INFINITY) end[l] = all[l]!;
  }
  return { start, end, open, failed };
}

export function wallOf(facts: LaneFacts, lane: number, nowS: number): number {
  return Math.max(0, Math.min(facts.end[lane]!, nowS) - facts.start[lane]!);
}

const names = new Intl.Collator(undefined, { numeric: true });

export function arrange(
  table: SpanTable,
  pieces: Pieces,
  facts: LaneFacts,
  { sort, grouped, pinned, nowS }: ArrangeOptions,
): Arrangement {
  const compare = comparison(table, facts, sort, nowS);
  const isPinned = (l: number) => pinned.has(table.lanes[l]!);
  const lanes = Array.from(table.lanes, (_, l) => l);
  const top = lanes.filter(isPinned).sort(compare);
  const rest = lanes.filter((l) => !isPinned(l));
  const parts = grouped ? intoGroups(table, rest, compare) : [{ name: '', lanes: rest.sort(compare) }];
  return place(table, pieces, top, parts, grouped, (l) => wallOf(facts, l, nowS));
}

function comparison(table: SpanTable, facts: LaneFacts, sort: LaneSort, nowS: number) {
  const byStart = (a: number, b: number) => facts.start[a]! - facts.start[b]! || a - b;
  const byName = (a: number, b: number) => names.compare(table.lanes[a]!, table.lanes[b]!);
  switch (sort) {
    case 'slowest':
      return (a: number, b: number) => wallOf(facts, b, nowS) - wallOf(facts, a, nowS) || byStart(a, b);
    case 'start':
      return byStart;
    case 'name':
      return byName;
    case 'worker':
      return (a: number, b: number) =>
        names.compare(table.info[a]?.worker ?? '\uffff', table.info[b]?.worker ?? '\uffff') || byName(a, b);
  }
}

type Part = { name: string; lanes: number[] };

/** Groups in the order of their first lanes: the slowest task is the one with the slowest session. */
function intoGroups(table: SpanTable, lanes: number[], compare: (a: number, b: number) => number): Part[] {
  const sorted = [...lanes].sort(compare);
  const groups = new Map<string, Part>();
  const alone: number[] = [];
  for (const lane of sorted) {
    const info = table.info[lane];
    if (info?.task == null) {
      alone.push(lane);
      continue;
    }
    const key = `${info.task_name ?? ''}\n${info.task}\n${info.batch ?? ''}`;
    const group = groups.get(key);
    if (group) group.lanes.push(lane);
    else groups.set(key, { name: taskLabel(info.task, info.task_name), lanes: [lane] });
  }
  const parts = [...groups.values()];
  for (const part of parts) part.lanes.sort((a, b) => names.compare(table.lanes[a]!, table.lanes[b]!));
  for (const lane of alone) parts.push({ name: table.lanes[lane]!, lanes: [lane] });
  return parts;
}

function taskLabel(task: string, name: string | null): string {
  return name === null || task.includes(name) ? task : `${name} ${task}`;
}

function place(
  table: SpanTable,
  pieces: Pieces,
  pinned: number[],
  parts: Part[],
  grouped: boolean,
  lengthOf: (lane: number) => number,
): Arrangement {
  const count = table.lanes.length;
  const order = new Int32Array(count);
  const places = new Int32Array(count).fill(-1);
  const top = new Float64Array(count);
  const height = new Float64Array(count);
  const groupOf = new Int32Array(count).fill(-1);
  const groups: Group[] = [];
  let at = 0;
  let y = 0;
  const add = (lane: number, h: number) => {
    order[at] = lane;
    places[lane] = at;
    top[at] = y;
    height[at++] = h;
    y += h;
  };
  for (const lane of pinned) add(lane, laneHeight(pieces.rows[lane]!, false));
  const pinnedHeight = y;
  for (const part of parts) {
    const group: Group = { name: part.name, first: at, last: at, top: y, height: 0, straggler: -1 };
    if (grouped) y += GROUP_PAD_PX / 2;
    for (const lane of part.lanes) {
      if (grouped) groupOf[at] = groups.length;
      add(lane, laneHeight(pieces.rows[lane]!, grouped));
      if (group.straggler < 0 || lengthOf(lane) > lengthOf(group.straggler)) group.straggler = lane;
    }
    if (!grouped) continue;
    group.last = at;
    y = Math.max(y + GROUP_PAD_PX / 2, group.top + GROUP_LEAST_PX);
    group.height = y - group.top;
    groups.push(group);
  }
  return {
    order,
    place: places,
    top,
    height,
    groups,
    groupOf,
    pinned: pinned.length,
    pinnedHeight,
    totalHeight: y,
  };
}

function laneHeight(rows: number, thin: boolean): number {
  if (rows > 1) return rows * ROW_PX + LANE_PAD_PX;
  return thin ? THIN_PX : FLAT_PX;
}

/** The place of the lane at a height, or the one above it. */
export function placeAt({ top, order }: Arrangement, y: number): number {
  let low = 0;
  let high = order.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (top[mid]! <= y) low = mid;
    else high = mid - 1;
  }
  return low;
}
