import type { Palette } from '../../colour/palette';
import { count } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { clock } from '../../text/time';
import { drawPoints, type ScatterData, type ScatterLook } from './scatterMarks';
import { EDGE_GAP, type ScatterScale, totalTicks, xOf, yOf } from './scatterScale';
import { BRUSH } from './selection';
import type { Steps } from './steps';

const FONT = '11px Inter, system-ui, sans-serif';
const MONO = '11px "JetBrains Mono", ui-monospace, monospace';
const NAMED = 4;
const CANDIDATES = 12;

export function drawScatter(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  data: ScatterData,
  look: ScatterLook,
  palette: Palette,
): void {
  g.font = FONT;
  drawAxes(g, scale, palette, look.relativeClock);
  if (look.lines.has('steps')) drawSteps(g, scale, data.steps, palette);
  drawPoints(g, scale, data, look, palette);
  if (look.lines.has('percentiles')) drawPercentiles(g, scale, look, palette);
  drawEdge(g, scale, data, palette);
  nameSlowest(g, scale, data, palette);
}

function drawAxes(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  { tokens }: Palette,
  relative: boolean,
): void {
  g.strokeStyle = tokens.line;
  g.fillStyle = tokens['ink-3'];
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  for (const s of totalTicks(scale)) {
    const y = Math.round(yOf(scale, s)) + 0.5;
    line(g, scale.left, y, scale.right, y);
    g.fillText(duration(s).replace(' 00 s', '').replace('.00', '').replace('.0 ', ' '), scale.left - 8, y);
  }
  const ticks = Math.max(2, Math.floor((scale.right - scale.left) / 150));
  g.textAlign = 'center';
  for (let i = 1; i < ticks; i++) {
    const s = scale.fromS + ((scale.toS - scale.fromS) * i) / ticks;
    const text = relative ? `+${duration(s - scale.fromS)}` : clock(s);
    g.fillText(text, xOf(scale, s), scale.bottom + 14);
  }
}

/** A dashed line per step; names while there is room. */
function drawSteps(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  steps: Steps,
  { tokens }: Palette,
): void {
  g.save();
  g.strokeStyle = tokens['line-2'];
  g.fillStyle = tokens['ink-3'];
  g.setLineDash([2, 3]);
  g.textBaseline = 'top';
  const ends = steps.param === 'step';
  g.textAlign = ends ? 'right' : 'left';
  let free = Number.NEGATIVE_INFINITY;
  steps.atS.forEach((at, i) => {
    const x = Math.round(xOf(scale, at)) + 0.5;
    if (x < scale.left || x > scale.right) return;
    line(g, x, scale.top, x, scale.bottom);
    const label = steps.labels[i]!;
    const width = g.measureText(label).width;
    const from = ends ? x - 4 - width : x + 4;
    if (from < free || width > 160) return;
    g.fillText(label, ends ? x - 4 : x + 4, scale.top - 12);
    free = from + width + 6;
  });
  g.restore();
}

function drawPercentiles(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  look: ScatterLook,
  { tokens }: Palette,
): void {
  for (const [name, value] of [
    ['p95', look.p95],
    ['p50', look.p50],
  ] as const) {
    if (!(value > 0)) continue;
    const y = Math.round(yOf(scale, value)) + 0.5;
    g.save();
    g.setLineDash([1.5, 2.5]);
    g.strokeStyle = tokens['ink-2'];
    line(g, scale.left, y, scale.right, y);
    g.restore();
    label(g, `${name} ${duration(value)}`, scale.left + 4, y - 8, tokens['ink-2'], tokens.surface);
  }
}

/** Text that stays readable over marks. */
function label(
  g: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  ink: string,
  ground: string,
  align: 'left' | 'right' = 'left',
): void {
  const width = g.measureText(text).width;
  g.globalAlpha = 0.85;
  g.fillStyle = ground;
  g.fillRect(align === 'left' ? x - 2 : x - width - 2, y - 7, width + 4, 14);
  g.globalAlpha = 1;
  g.fillStyle = ink;
  g.textAlign = align;
  g.textBaseline = 'middle';
  g.fillText(text, x, y);
}

const ROW = 14;

/** Unfinished sessions right of now: an arrow per height with how many they are, orange where one is overdue. */
function drawEdge(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  { set, miss, overdue, y }: ScatterData,
  { tokens }: Palette,
): void {
  g.save();
  g.strokeStyle = tokens.ink;
  g.setLineDash([3, 3]);
  line(g, scale.right + 0.5, scale.top - 8, scale.right + 0.5, scale.bottom + 6);
  g.restore();
  g.fillStyle = tokens.ink;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillText(
    scale.laterS > 0 ? `now, ${duration(scale.laterS)} later` : 'now',
    scale.right + (scale.laterS > 0 ? 20 : 0),
    scale.bottom + 14,
  );

  const bins = new Map<number, { n: number; late: number; name: string; oldest: number }>();
  for (let i = 0; i < set.size; i++) {
    if (!set.unfinished[i] || miss[i]! & ~BRUSH) continue;
    const bin = Math.floor(y[i]! / ROW);
    const entry = bins.get(bin) ?? { n: 0, late: 0, name: '', oldest: 0 };
    entry.n++;
    entry.oldest = Math.max(entry.oldest, set.work[i]!);
    if (overdue.has(set.session[i]!)) {
      entry.late++;
      entry.name = set.session[i]!;
    }
    bins.set(bin, entry);
  }
  for (const [bin, { n, late, name, oldest }] of bins) {
    const middle = bin * ROW + ROW / 2;
    const from = scale.right + EDGE_GAP;
    const calm = n - late;
    const length = (k: number) => (k === 0 ? 0 : 9 + Math.min(24, 8 * Math.log10(k)));
    if (calm > 0) arrow(g, from, middle, length(calm), tokens['ink-3']);
    if (late > 0) arrow(g, from + length(calm) + (calm > 0 ? 3 : 0), middle, length(late), tokens.late);
    g.fillStyle = tokens['ink-2'];
    g.textAlign = 'right';
    g.fillText(count(n), scale.right + 84, middle);
    if (oldest > scale.highS && !bins.has(bin + 1))
      g.fillText(`up to ${duration(oldest)}`, scale.right + 84, middle + ROW);
    if (late === 1) {
      g.font = MONO;
      label(g, shortId(name), scale.right - 6, middle, tokens['late-ink'], tokens.surface, 'right');
      g.font = FONT;
    }
  }
}

/** The slowest finished ones are named, where the name does not cover another. */
function nameSlowest(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  { set, miss, x, y }: ScatterData,
  { tokens }: Palette,
): void {
  const named: number[] = [];
  for (let i = 0; i < set.size; i++) {
    if (set.unfinished[i] || miss[i]) continue;
    if (named.length === CANDIDATES && set.work[i]! <= set.work[named[CANDIDATES - 1]!]!) continue;
    named.push(i);
    named.sort((a, b) => set.work[b]! - set.work[a]!);
    named.length = Math.min(CANDIDATES, named.length);
  }
  g.font = MONO;
  const used: [number, number][] = [];
  for (const i of named) {
    const left = x[i]! > (scale.left + scale.right) / 2;
    const at = x[i]! + (left ? -11 : 11);
    if (used.some(([a, b]) => Math.abs(b - y[i]!) < 13 && Math.abs(a - at) < 150)) continue;
    if (used.length === NAMED) break;
    used.push([at, y[i]!]);
    label(g, shortId(set.session[i]!), at, y[i]!, tokens['ink-2'], tokens.surface, left ? 'right' : 'left');
  }
  g.font = FONT;
}

function arrow(g: CanvasRenderingContext2D, x: number, y: number, length: number, colour: string): void {
  g.fillStyle = colour;
  g.beginPath();
  g.moveTo(x, y - 3.5);
  g.lineTo(x + length - 4, y - 3.5);
  g.lineTo(x + length, y);
  g.lineTo(x + length - 4, y + 3.5);
  g.lineTo(x, y + 3.5);
  g.fill();
}

function line(g: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}
