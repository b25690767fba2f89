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
  const size = SIZES.find((s) => heightNeeded(columns.length, tallest, width, s) <= height) ?? SIZES.at(-1)!;
  return place(columns, tallest, width, size);
}

type CellSize = (typeof SIZES)[number];

function perBand(width: number, [cellWidth, , gap]: CellSize): number {
  return Math.max(1, Math.floor((width + gap) / (cellWidth + gap)));
}

function heightNeeded(columns: number, tallest: number, width: number, size: CellSize): number {
  const bands = Math.ceil(columns / perBand(width, size));
  return LABEL_HEIGHT + bands * (tallest * (size[1] + size[2]) + BAND_GAP);
}

function place(columns: readonly MapColumn[], tallest: number, width: number, size: CellSize): MapLayout {
  const [cellWidth, cellHeight, gap] = size;
  const count = perBand(width, size);
  const layout: MapLayout = { cells: [], cellWidth, cellHeight, steps: [] };
  let free = 0;
  columns.forEach((column, i) => {
    const x = (i % count) * (cellWidth + gap);
    const top = LABEL_HEIGHT + Math.floor(i / count) * (tallest * (cellHeight + gap) + BAND_GAP);
    if (column.step !== null && column.step !== columns[i - 1]?.step && i < count && x >= free) {
      free = x + STEP_LABEL_WIDTH;
      layout.steps.push({ x, y: LABEL_HEIGHT - 6, label: `Step ${column.step}` });
    }
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
