import { inkOn } from '../../colour/mix';
import type { Palette } from '../../colour/palette';
import { shortDuration } from '../../text/duration';
import type { MapCell, MapLayout } from './mapLayout';

const LABEL_FONT = '600 10.5px Inter, system-ui, sans-serif';

/** What the map needs to know of a session beyond its row. */
export type Marks = { overdueAge: (session: string) => number | null; current: string | null };

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
  for (const cell of layout.cells) {
    const age = marks.overdueAge(cell.row.session);
    if (age === null) drawCell(g, cell, layout, palette, queue);
    else overdue.push([cell, age]);
  }
  for (const [cell, age] of overdue) drawOverdue(g, cell, layout, palette, age);
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

function drawOverdue(
  g: CanvasRenderingContext2D,
  cell: MapCell,
  layout: MapLayout,
  palette: Palette,
  age: number,
): void {
  const { tokens } = palette;
  const { cellWidth: w, cellHeight: h } = layout;
  const label = shortDuration(age);
  g.font = LABEL_FONT;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  if (w >= 22) {
    const fill = cell.row.stage === null ? tokens.wait : palette.stage(cell.row.stage);
    box(g, cell.x, cell.y, w, h, tokens.late);
    box(g, cell.x + 2, cell.y + 2, w - 4, h - 4, tokens.surface);
    box(g, cell.x + 3, cell.y + 3, w - 6, h - 6, fill);
    g.fillStyle = inkOn(fill);
    g.fillText(label, cell.x + w / 2, cell.y + h / 2 + 0.5, w - 4);
  } else {
    // Too small for text: the cell grows a label.
    const width = Math.max(24, g.measureText(label).width + 8);
    const x = Math.max(0, cell.x + w / 2 - width / 2);
    box(g, x, cell.y + h / 2 - 8, width, 16, tokens.late);
    g.fillStyle = tokens['on-late'];
    g.fillText(label, x + width / 2, cell.y + h / 2 + 0.5);
  }
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
