import type { Palette } from '../../colour/palette';
import { counted } from '../../text/count';
import { hatch } from './hatch';
import { tickText } from './scale';

const LEFT = 40;
const RIGHT = 16;
const TOP = 8;
const BOTTOM = 20;

export type OccupancyPicture = {
  /** Of live/occupancy: times, then heights of the stack, topmost place first. */
  columns: readonly (readonly number[])[];
  /** Bottom first. */
  order: readonly string[];
  slots: number;
  wall_s: number;
  done90_s: number | null;
  /** Mean of idle slots in the tail. */
  idle: number;
};

/** How many sessions were where over the step; hatched up to its slots: nobody. */
export function drawOccupancy(
  g: CanvasRenderingContext2D,
  p: OccupancyPicture,
  size: { width: number; height: number },
  palette: Palette,
): void {
  const { tokens } = palette;
  const floor = size.height - BOTTOM;
  const width = size.width - LEFT - RIGHT;
  const top = Math.max(p.slots, ...(p.columns[1] ?? []), 1);
  const y = (n: number) => floor - (n / top) * (floor - TOP);
  const x = (s: number) => LEFT + (p.wall_s > 0 ? s / p.wall_s : 0) * width;
  g.font = '11px Inter, system-ui, sans-serif';
  g.textBaseline = 'middle';
  hatch(g, LEFT, y(p.slots), width, floor - y(p.slots), tokens['wait-ink']);
  drawStack(g, p, y, width, palette);
  drawAxes(g, p, top, y, x, floor, palette);
  if (p.done90_s !== null && p.done90_s < p.wall_s)
    drawTail(g, p, x(p.done90_s), y, floor, size.width, palette);
}

function drawStack(
  g: CanvasRenderingContext2D,
  { columns, order }: OccupancyPicture,
  y: (n: number) => number,
  width: number,
  palette: Palette,
): void {
  const heights = columns.slice(1);
  const buckets = columns[0]?.length ?? 0;
  // Whole pixels: bars that overlap by a fraction show as stripes.
  const edge = (i: number) => Math.round(LEFT + (i * width) / Math.max(1, buckets));
  const bar = (i: number, from: number, to: number) =>
    g.fillRect(edge(i), y(to), edge(i + 1) - edge(i), y(from) - y(to));
  const alive = heights[0] ?? [];
  g.fillStyle = palette.tokens.surface;
  for (let i = 0; i < buckets; i++) bar(i, 0, alive[i]!);
  heights.forEach((column, k) => {
    const below = heights[k + 1];
    g.fillStyle = palette.fill(g, order[order.length - 1 - k]!);
    for (let i = 0; i < buckets; i++) {
      const from = below?.[i] ?? 0;
      if (column[i]! > from) bar(i, from, column[i]!);
    }
  });
}

const NICE = [
  1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
];

function drawAxes(
  g: CanvasRenderingContext2D,
  { wall_s }: OccupancyPicture,
  top: number,
  y: (n: number) => number,
  x: (s: number) => number,
  floor: number,
  { tokens }: Palette,
): void {
  g.fillStyle = tokens['ink-3'];
  g.textAlign = 'right';
  for (const n of [0, Math.round(top / 2), top]) g.fillText(String(Math.round(n)), LEFT - 6, y(n));
  g.textAlign = 'center';
  const step = NICE.find((n) => wall_s / n <= 4) ?? wall_s / 4;
  for (let s = step; s < wall_s * 0.97; s += step) g.fillText(`+${tickText(s)}`, x(s), floor + 11);
}

function drawTail(
  g: CanvasRenderingContext2D,
  p: OccupancyPicture,
  at: number,
  y: (n: number) => number,
  floor: number,
  width: number,
  { tokens }: Palette,
): void {
  g.fillStyle = tokens.ink;
  g.fillRect(at - 0.75, TOP - 4, 1.5, floor - TOP + 4);
  label(g, '90 % done', at, TOP + 6, width, tokens);
  if (p.idle >= 1)
    label(g, `${counted(p.idle, 'idle slot')} on average`, at, (y(p.slots) + floor) / 2, width, tokens);
}

/** Beside the line, on the side that has room. */
function label(
  g: CanvasRenderingContext2D,
  text: string,
  at: number,
  y: number,
  width: number,
  tokens: Palette['tokens'],
): void {
  const w = g.measureText(text).width + 10;
  const x = at + 6 + w < width - RIGHT ? at + 6 : at - 6 - w;
  g.fillStyle = tokens.surface;
  g.fillRect(x, y - 9, w, 18);
  g.fillStyle = tokens.ink;
  g.textAlign = 'left';
  g.fillText(text, x + 5, y);
}
