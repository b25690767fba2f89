import { inkOn } from '../../colour/mix';
import type { Palette } from '../../colour/palette';
import { isWait } from '../../colour/waits';
import type { BoardRow } from '../../data/LiveBoard';
import { shortDuration } from '../../text/duration';
import type { MapCell, MapLayout } from './mapLayout';

/** Cells as wide as this have room for four characters. */
const INSIDE_FROM = 30;
const MOST_LABELS = 12;
const LABEL_FONT = '600 10.5px Inter, system-ui, sans-serif';

/** What the map shows on its layout. */
export type Marks = {
  /** As they are now; the layout may be older. */
  rows: ReadonlyMap<string, BoardRow>;
  /** Ages of the overdue ones. */
  overdue: ReadonlyMap<string, number>;
  /** The one that the keyboard is on. */
  current: string | null;
};

/** One cell per session: what is done is grey, what runs has the colour of its stage, what is overdue is drawn last. */
export function drawMap(
  g: CanvasRenderingContext2D,
  layout: MapLayout,
  palette: Palette,
  marks: Marks,
): void {
  const { tokens } = palette;
  g.font = '11px Inter, system-ui, sans-serif';
  g.fillStyle = tokens['ink-3'];
  for (const { x, y, label } of layout.steps) g.fillText(label, x, y);
  const queue = palette.fill(g, 'queue');
  const overdue: [MapCell, number][] = [];
  for (const placed of layout.cells) {
    const row = marks.rows.get(placed.row.session);
    if (!row) continue;
    const cell = row === placed.row ? placed : { ...placed, row };
    const age = marks.overdue.get(row.session);
    if (age === undefined) drawCell(g, cell, layout, palette, queue);
    else overdue.push([cell, age]);
  }
  drawOverdue(g, overdue, layout, palette);
  const current = layout.cells.find((c) => c.row.session === marks.current);
  if (current) {
    g.strokeStyle = tokens.ink;
    g.lineWidth = 2;
    g.strokeRect(current.x - 2, current.y - 2, layout.cellWidth + 4, layout.cellHeight + 4);
  }
}

function drawCell(
  g: CanvasRenderingContext2D,
  { row, x, y }: MapCell,
  { cellWidth: w, cellHeight: h }: MapLayout,
  palette: Palette,
  queue: string | CanvasPattern,
): void {
  const { tokens } = palette;
  switch (row.status) {
    case 'completed':
    case 'accepted':
      box(g, x, y, w, h, tokens.done);
      break;
    case 'queued':
      box(g, x, y, w, h, queue);
      break;
    case 'running':
      box(g, x, y, w, h, row.stage === null ? tokens.wait : palette.stage(row.stage));
      // A wait has nearly the grey of what is done.
      if (row.stage === null || isWait(row.stage)) outline(g, x, y, w, h, tokens['ink-3'], []);
      break;
    case 'failed':
      outline(g, x, y, w, h, tokens.bad, []);
      if (w >= 8) cross(g, x + w / 2, y + h / 2, Math.min(w, h) / 6);
      break;
    case 'lost':
      outline(g, x, y, w, h, tokens.bad, [2, 2]);
      break;
    default:
      outline(g, x, y, w, h, tokens.done, []);
  }
}

/** The worst get a label while there is room for it; the others an orange frame. */
function drawOverdue(
  g: CanvasRenderingContext2D,
  overdue: readonly [MapCell, number][],
  layout: MapLayout,
  palette: Palette,
): void {
  const { tokens } = palette;
  const { cellWidth: w, cellHeight: h } = layout;
  const labels: { x: number; y: number; width: number; text: string }[] = [];
  g.font = LABEL_FONT;
  for (const [cell, age] of [...overdue].sort((a, b) => b[1] - a[1])) {
    const fill = cell.row.stage === null ? tokens.wait : palette.stage(cell.row.stage);
    const frame = w >= 11 ? 2 : 1;
    box(g, cell.x, cell.y, w, h, tokens.late);
    if (w > 2) box(g, cell.x + frame, cell.y + frame, w - 2 * frame, h - 2 * frame, fill);
    const text = shortDuration(age);
    if (w >= INSIDE_FROM) {
      g.fillStyle = inkOn(fill);
      label(g, text, cell.x + w / 2, cell.y + h / 2, w - 6);
      continue;
    }
    if (labels.length >= MOST_LABELS) continue;
    const width = g.measureText(text).width + 8;
    const x = Math.max(0, cell.x + w / 2 - width / 2);
    const y = cell.y + h / 2 - 8;
    if (labels.some((l) => x < l.x + l.width + 2 && l.x < x + width + 2 && Math.abs(y - l.y) < 18)) continue;
    labels.push({ x, y, width, text });
  }
  // Too small for text inside: the cell grows a label.
  for (const { x, y, width, text } of labels) {
    box(g, x, y, width, 16, tokens.late);
    g.fillStyle = tokens['on-late'];
    label(g, text, x + width / 2, y + 8, width);
  }
}

function label(g: CanvasRenderingContext2D, text: string, x: number, y: number, most: number): void {
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(text, x, y + 0.5, most);
  g.textAlign = 'left';
  g.textBaseline = 'alphabetic';
}

function box(
  g: CanvasRenderingContext2D,
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string | CanvasPattern,
): void {
  g.fillStyle = fill;
  if (w < 8) {
    g.fillRect(x, y, w, h);
    return;
  }
  g.beginPath();
  g.roundRect(x, y, w, h, 2);
  g.fill();
}

function outline(
  g: CanvasRenderingContext2D,
  x: number,
  y: number,
  w: number,
  h: number,
  ink: string,
  dash: number[],
): void {
  g.strokeStyle = ink;
  g.lineWidth = 1;
  g.setLineDash(dash);
  g.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  g.setLineDash([]);
}

function cross(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.beginPath();
  g.moveTo(x - r, y - r);
  g.lineTo(x + r, y + r);
  g.moveTo(x + r, y - r);
  g.lineTo(x - r, y + r);
  g.stroke();
}
