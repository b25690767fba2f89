import { barHeight, barTop, ROW_PX } from './arrange';
import { endOf, LABEL_PX, type Looking, laneTop, pxPerS, rowOf, type Scene, shiftOf, xOf } from './scene';
import { ERROR, INFERRED, LEAF_OPEN, LOST, OPEN, OVERLAPS, WAITING } from './spans';

const MARKED = ERROR | LOST | INFERRED | OPEN | OVERLAPS;
const ARROW_PX = 5;
const CROSS_PX = 3;
const FLAG_PX = 8;

/** Spans with a mark, by lane: few, so they can be drawn last and one by one. */
export type Marked = { first: Int32Array; spans: Int32Array };

export function findMarked(laneFirst: Int32Array, flags: Uint8Array): Marked {
  let count = 0;
  for (let i = 0; i < flags.length; i++) if (flags[i]! & MARKED) count++;
  const spans = new Int32Array(count);
  const first = new Int32Array(laneFirst.length);
  let at = 0;
  for (let l = 0; l + 1 < laneFirst.length; l++) {
    first[l] = at;
    for (let i = laneFirst[l]!; i < laneFirst[l + 1]!; i++) if (flags[i]! & MARKED) spans[at++] = i;
  }
  first[laneFirst.length - 1] = at;
  return { first, spans };
}

/** Open ends, crosses, outlines and overdue rails of one lane. Marks on top of each other are drawn once. */
export function drawMarks(
  g: CanvasRenderingContext2D,
  scene: Scene,
  looking: Looking,
  marked: Marked,
  place: number,
): void {
  const lane = scene.arrangement.order[place]!;
  const { flags, start } = scene.table;
  const y = laneTop(scene, looking, place);
  const rows = scene.pieces.rows[lane]!;
  const laneHeight = scene.arrangement.height[place]!;
  const height = barHeight(laneHeight, rows);
  const shift = shiftOf(scene, lane);
  const crossed = new Map<number, number>();
  for (let m = marked.first[lane]!; m < marked.first[lane + 1]!; m++) {
    const span = marked.spans[m]!;
    const flag = flags[span]!;
    const row = rowOf(scene, span);
    const top = y + barTop(laneHeight, rows) + row * ROW_PX;
    const from = xOf(looking, start[span]! + shift);
    const to = xOf(looking, endOf(scene, span) + shift);
    if (to < LABEL_PX - CROSS_PX || from > looking.width) continue;
    const folded = rows < scene.table.laneRows[lane]! && row === rows - 1;
    if (flag & OPEN && (!folded || flag & LEAF_OPEN)) openEnd(g, scene, to, top, height);
    if (flag & (LOST | INFERRED)) outline(g, scene, from, to, top, height, (flag & LOST) !== 0);
    if (flag & LEAF_OPEN && !(flag & WAITING)) overdue(g, scene, looking, span, shift, top, height);
    if (flag & OVERLAPS && from >= LABEL_PX) overlapFlag(g, scene, from, top, height);
    if (flag & ERROR && Math.abs((crossed.get(row) ?? -99) - to) >= CROSS_PX * 2) {
      crossed.set(row, to);
      cross(g, scene, Math.max(to, from + 2), top + height / 2);
    }
  }
}

/** Cuts the corners, so that the bar points to what is not known yet. */
function openEnd(g: CanvasRenderingContext2D, scene: Scene, x: number, top: number, height: number): void {
  g.fillStyle = scene.palette.tokens.surface;
  const arrow = Math.min(ARROW_PX, height / 2);
  g.beginPath();
  g.moveTo(x - arrow, top - 0.5);
  g.lineTo(x + 1, top - 0.5);
  g.lineTo(x + 1, top + height / 2);
  g.closePath();
  g.moveTo(x - arrow, top + height + 0.5);
  g.lineTo(x + 1, top + height + 0.5);
  g.lineTo(x + 1, top + height / 2);
  g.closePath();
  g.fill();
}

function outline(
  g: CanvasRenderingContext2D,
  scene: Scene,
  from: number,
  to: number,
  top: number,
  height: number,
  lost: boolean,
): void {
  const { tokens } = scene.palette;
  const x = Math.max(from, LABEL_PX - 2);
  g.strokeStyle = lost ? tokens.bad : tokens['ink-2'];
  g.lineWidth = 1;
  g.setLineDash(lost ? [4, 3] : [1, 2]);
  g.strokeRect(x + 0.5, top + 0.5, Math.max(2, to - x - 1), height - 1);
  g.setLineDash([]);
}

/** A post at the usual p95 and a rail from there: only where the session really is, never on those who wait for it. */
function overdue(
  g: CanvasRenderingContext2D,
  scene: Scene,
  looking: Looking,
  span: number,
  shift: number,
  top: number,
  height: number,
): void {
  const lateFrom = scene.table.start[span]! + scene.usualS[scene.table.name[span]!]!;
  if (!(lateFrom < scene.nowS)) return;
  const x = Math.max(LABEL_PX, xOf(looking, lateFrom + shift));
  const to = xOf(looking, scene.nowS + shift);
  if (x > looking.width || to <= x) return;
  g.fillStyle = scene.palette.tokens.late;
  const rail = height >= 10 ? 2.5 : 2;
  g.fillRect(x, top + height - rail + 1, Math.min(to, looking.width) - x, rail);
  if (lateFrom + shift >= looking.view.from) g.fillRect(x - 1, top - 1, 2, height + 2);
}

/** A corner at the start: another state was open on the lane. */
function overlapFlag(
  g: CanvasRenderingContext2D,
  scene: Scene,
  x: number,
  top: number,
  height: number,
): void {
  const { tokens } = scene.palette;
  const size = Math.min(FLAG_PX, height);
  for (const [ink, grown] of [
    [tokens.surface, 1.5],
    [tokens.late, 0],
  ] as const) {
    g.fillStyle = ink;
    g.beginPath();
    g.moveTo(x, top);
    g.lineTo(x + size + grown, top);
    g.lineTo(x, top + size + grown);
    g.closePath();
    g.fill();
  }
}

function cross(g: CanvasRenderingContext2D, scene: Scene, x: number, y: number): void {
  const { tokens } = scene.palette;
  const r = CROSS_PX;
  for (const [ink, width] of [
    [tokens.surface, 4],
    [tokens.bad, 1.8],
  ] as const) {
    g.strokeStyle = ink;
    g.lineWidth = width;
    g.beginPath();
    g.moveTo(x - r, y - r);
    g.lineTo(x + r, y + r);
    g.moveTo(x + r, y - r);
    g.lineTo(x - r, y + r);
    g.stroke();
  }
}

export function spanBox(scene: Scene, looking: Looking, span: number) {
  const lane = scene.table.lane[span]!;
  const place = scene.arrangement.place[lane]!;
  const rows = scene.pieces.rows[lane]!;
  const laneHeight = scene.arrangement.height[place]!;
  const shift = shiftOf(scene, lane);
  const x = xOf(looking, scene.table.start[span]! + shift);
  return {
    x,
    y: laneTop(scene, looking, place) + barTop(laneHeight, rows) + rowOf(scene, span) * ROW_PX,
    width: Math.max(2, (endOf(scene, span) - scene.table.start[span]!) * pxPerS(looking)),
    height: barHeight(laneHeight, rows),
  };
}
