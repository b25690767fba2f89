import type { Palette } from '../../colour/palette';
import { duration, shortDuration } from '../../text/duration';
import { hatch } from './hatch';
import { type Bars, labelEvery, type Scale, tickText } from './scale';
import { IDLE, SLOW, type Step } from './steps';

export const LEFT = 64;
export const RIGHT = 16;
const TOP = 6;
const BOTTOM = 20;

export type ChartLook = { selected: string | undefined; median_s: number | null };

export function drawStepChart(
  g: CanvasRenderingContext2D,
  steps: readonly Step[],
  scale: Scale,
  bars: Bars,
  size: { width: number; height: number },
  palette: Palette,
  look: ChartLook,
): void {
  const { tokens } = palette;
  const floor = size.height - BOTTOM;
  const y = (s: number) => floor - (Math.min(s, scale.top_s) / scale.top_s) * (floor - TOP);
  g.font = '11px Inter, system-ui, sans-serif';
  g.textBaseline = 'middle';
  drawTicks(g, scale, y, size.width, palette);
  steps.forEach((step, i) => {
    const x = bars.left + i * bars.pitch;
    drawBar(g, step, x, bars.width, Math.min(step.batch.wall_s, scale.top_s), y, palette);
    if (step.batch.wall_s > scale.top_s) cutBar(g, step, x, bars.width, palette, look.selected);
  });
  if (look.median_s !== null) {
    g.setLineDash([2, 3]);
    line(g, LEFT, size.width - RIGHT, Math.round(y(look.median_s)) + 0.5, tokens['ink-2']);
    g.setLineDash([]);
  }
  drawNumbers(g, steps, bars, floor, palette, look.selected);
  const at = steps.findIndex((s) => s.batch.batch === look.selected);
  if (at >= 0) frame(g, steps[at]!, bars.left + at * bars.pitch, bars.width, y, palette);
}

function drawTicks(
  g: CanvasRenderingContext2D,
  scale: Scale,
  y: (s: number) => number,
  width: number,
  { tokens }: Palette,
): void {
  g.textAlign = 'right';
  for (const s of scale.ticks) {
    line(g, LEFT, width - RIGHT, Math.round(y(s)) + 0.5, tokens.line);
    g.fillStyle = tokens['ink-3'];
    g.fillText(tickText(s), LEFT - 8, y(s));
  }
}

/** Parts from the floor up in proportion to slot time, also in a bar that is cut at `height_s`; a line where 90 % of the sessions were done. */
function drawBar(
  g: CanvasRenderingContext2D,
  step: Step,
  x: number,
  w: number,
  height_s: number,
  y: (s: number) => number,
  palette: Palette,
): void {
  let from = 0;
  for (const { place, s } of step.parts) {
    const to = from + (step.slot_s > 0 ? (s / step.slot_s) * height_s : 0);
    const [bottom, top] = [y(from), y(to)];
    if (place === IDLE) hatch(g, x, top, w, bottom - top, palette.tokens['wait-ink']);
    else {
      g.fillStyle = palette.fill(g, place);
      g.fillRect(x, top, w, bottom - top);
    }
    from = to;
  }
  const top = y(height_s);
  if (step.unfinished > 0) openEnd(g, x, w, top, palette.tokens.surface);
  else if (w > 3) {
    g.strokeStyle = palette.tokens['wait-ink'];
    g.strokeRect(x + 0.5, top + 0.5, w - 1, Math.max(0, y(0) - top - 1));
  }
  if (step.done90_s !== null && step.done90_s < step.batch.wall_s) {
    g.fillStyle = palette.tokens.ink;
    g.fillRect(x - 1, y(step.done90_s) - 1, w + 2, 2);
  }
}

/** A step that goes on ends in teeth. */
function openEnd(g: CanvasRenderingContext2D, x: number, w: number, top: number, surface: string): void {
  g.fillStyle = surface;
  g.beginPath();
  g.moveTo(x, top);
  const teeth = Math.max(1, Math.round(w / 8));
  for (let i = 0; i < teeth; i++) {
    g.lineTo(x + ((i + 0.5) * w) / teeth, top + 5);
    g.lineTo(x + ((i + 1) * w) / teeth, top);
  }
  g.lineTo(x + w, top - 1);
  g.lineTo(x, top - 1);
  g.fill();
}

/** A bar that is longer than the chart: a gap across it, and how long it is unless its frame says so. */
function cutBar(
  g: CanvasRenderingContext2D,
  step: Step,
  x: number,
  w: number,
  { tokens }: Palette,
  selected: string | undefined,
): void {
  g.fillStyle = tokens.surface;
  g.fillRect(x - 1, TOP + 20, w + 2, 3);
  const text = shortDuration(step.batch.wall_s);
  if (step.batch.batch === selected || g.measureText(text).width + 8 > w) return;
  g.fillRect(x + 1, TOP + 1, w - 2, 16);
  g.textAlign = 'center';
  g.fillStyle = tokens['late-ink'];
  g.fillText(text, x + w / 2, TOP + 9);
}

function drawNumbers(
  g: CanvasRenderingContext2D,
  steps: readonly Step[],
  bars: Bars,
  floor: number,
  { tokens }: Palette,
  selected: string | undefined,
): void {
  g.textAlign = 'center';
  const label = (s: Step, i: number) => String(s.batch.train_step ?? i + 1);
  const widest = Math.max(0, ...steps.map((s, i) => label(s, i).length)) * 7;
  const every = labelEvery(bars, widest);
  const chosen = steps.findIndex((s) => s.batch.batch === selected);
  steps.forEach((step, i) => {
    const on = i === chosen;
    const number = step.batch.train_step ?? i + 1;
    if (!on && (number % every !== 0 || (chosen >= 0 && Math.abs(i - chosen) < every && every > 1))) return;
    g.fillStyle = on ? tokens.ink : tokens['ink-3'];
    g.font = `${on ? 600 : 400} 11px Inter, system-ui, sans-serif`;
    g.fillText(label(step, i), bars.left + i * bars.pitch + bars.width / 2, floor + 11);
  });
}

/** Around the chosen bar, with its wall time beside it. */
function frame(
  g: CanvasRenderingContext2D,
  step: Step,
  x: number,
  w: number,
  y: (s: number) => number,
  { tokens }: Palette,
): void {
  const top = y(step.batch.wall_s);
  g.strokeStyle = tokens.ink;
  g.lineWidth = 1.5;
  g.strokeRect(x - 2, top - 2, w + 4, y(0) - top + 3);
  const text = duration(step.batch.wall_s);
  g.font = '600 12px Inter, system-ui, sans-serif';
  const room = g.measureText(text).width;
  const left = x - 8 - room > LEFT;
  g.textAlign = left ? 'right' : 'left';
  const tx = left ? x - 8 : x + w + 8;
  g.fillStyle = tokens.surface;
  g.fillRect(left ? tx - room - 3 : tx - 3, top - 1, room + 6, 16);
  g.fillStyle = (step.ratio ?? 0) >= SLOW ? tokens['late-ink'] : tokens.ink;
  g.fillText(text, tx, top + 7);
}

function line(g: CanvasRenderingContext2D, from: number, to: number, y: number, colour: string): void {
  g.strokeStyle = colour;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(from, y);
  g.lineTo(to, y);
  g.stroke();
}
