import type { BoardRow } from '../../data/LiveBoard';
import { naturalKey } from '../../text/natural';

/** Sessions of one task, or as many of no task as stand in one column. */
export type MapColumn = { step: number | null; rows: BoardRow[] };
export type MapCell = { row: BoardRow; x: number; y: number };
export type MapLayout = {
  cells: MapCell[];
  cellWidth: number;
  cellHeight: number;
  steps: { x: number; y: number; label: string }[];
};

/** Cell sizes to try, the largest that fits wins: width, height, gap. */
const SIZES: readonly (readonly [number, number, number])[] = [
  [30, 21, 4],
  [22, 17, 3],
  [15, 13, 2],
  [11, 10, 2],
  [8, 8, 1],
  [6, 6, 1],
  [5, 5, 1],
  [4, 4, 1],
  [3, 3, 1],
  [2, 2, 1],
];
const LABEL_HEIGHT = 18;
const STEP_LABEL_WIDTH = 52;
const BAND_GAP = 8;

/** Columns by step, then task; sessions that name no task stand in columns of four. */
export function mapColumns(rows: Iterable<BoardRow>): MapColumn[] {
  const groups = new Map<string, MapColumn>();
  const loose = new Map<number | null, BoardRow[]>();
  for (const row of rows) {
    if (row.task === null || row.task === undefined) {
      listOf(loose, row.train_step).push(row);
      continue;
    }
    const key = `${row.train_step}\n${row.task}`;
    let column = groups.get(key);
    if (!column) {
      column = { step: row.train_step, rows: [] };
      groups.set(key, column);
    }
    column.rows.push(row);
  }
  for (const column of groups.values()) column.rows.sort(bySession);
  const columns = [...groups.values()];
  for (const [step, list] of loose) {
    list.sort(bySession);
    const perColumn = list.length > 400 ? 8 : 4;
    for (let i = 0; i < list.length; i += perColumn)
      columns.push({ step, rows: list.slice(i, i + perColumn) });
  }
  return columns.sort((a, b) => (a.step ?? -1) - (b.step ?? -1) || bySession(a.rows[0]!, b.rows[0]!));
}

function listOf<K, V>(map: Map<K, V[]>, key: K): V[] {
  let list = map.get(key);
  if (!list) {
    list = [];
    map.set(key, list);
  }
  return list;
}

/** For as long as a row is on the board: making ten thousand keys takes longer than sorting by them. */
const keys = new WeakMap<BoardRow, string>();

function keyOf(row: BoardRow): string {
  let key = keys.get(row);
  if (key === undefined) {
    key = naturalKey(row.session);
    keys.set(row, key);
  }
  return key;
}

function bySession(a: BoardRow, b: BoardRow): number {
  const [x, y] = [keyOf(a), keyOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Places every session: columns side by side, in as many bands as are needed. */
export function layoutMap(columns: readonly MapColumn[], width: number, height: number): MapLayout {
  const tallest = columns.reduce((most, c) => Math.max(most, c.rows.length), 1);
  const plans = SIZES.map((size) => planOf(columns, tallest, width, size));
  return place(columns, plans.find((plan) => plan.height <= height) ?? plans.at(-1)!);
}

type CellSize = (typeof SIZES)[number];
/** Which slot of a grid each column takes, and how tall that makes the map. */
type Plan = { size: CellSize; perBand: number; slots: number[]; bandHeight: number; height: number };

function planOf(columns: readonly MapColumn[], tallest: number, width: number, size: CellSize): Plan {
  const [cellWidth, cellHeight, gap] = size;
  const perBand = Math.max(1, Math.floor((width + gap) / (cellWidth + gap)));
  const slots = slotsOf(columns, Math.ceil(STEP_LABEL_WIDTH / (cellWidth + gap)));
  const several = columns.length > 0 && columns[0]!.step !== columns.at(-1)!.step;
  const bandHeight = tallest * (cellHeight + gap) + (several ? LABEL_HEIGHT : BAND_GAP);
  const bands = Math.ceil(((slots.at(-1) ?? 0) + 1) / perBand);
  return { size, perBand, slots, bandHeight, height: LABEL_HEIGHT + bands * bandHeight };
}

/** A step that is narrower than its name leaves slots free, so that the next one can have its name too. */
function slotsOf(columns: readonly MapColumn[], labelSlots: number): number[] {
  let slot = -1;
  let free = 0;
  return columns.map((_, i) => {
    slot++;
    if (startsStep(columns, i)) {
      slot = Math.max(slot, free);
      free = slot + labelSlots;
    }
    return slot;
  });
}

function startsStep(columns: readonly MapColumn[], i: number): boolean {
  return columns[i]!.step !== null && columns[i]!.step !== columns[i - 1]?.step;
}

function place(columns: readonly MapColumn[], { size, perBand, slots, bandHeight }: Plan): MapLayout {
  const [cellWidth, cellHeight, gap] = size;
  const layout: MapLayout = { cells: [], cellWidth, cellHeight, steps: [] };
  columns.forEach((column, i) => {
    const x = (slots[i]! % perBand) * (cellWidth + gap);
    const top = LABEL_HEIGHT + Math.floor(slots[i]! / perBand) * bandHeight;
    if (startsStep(columns, i)) layout.steps.push({ x, y: top - 6, label: `Step ${column.step}` });
    column.rows.forEach((row, k) => {
      layout.cells.push({ row, x, y: top + k * (cellHeight + gap) });
    });
  });
  return layout;
}

/** The cell at a point, gaps counted to the cell before them. */
export function cellAt(layout: MapLayout, x: number, y: number): number {
  return layout.cells.findIndex(
    (c) => x >= c.x && x < c.x + layout.cellWidth + 1 && y >= c.y && y < c.y + layout.cellHeight + 1,
  );
}
