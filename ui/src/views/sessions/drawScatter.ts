import type { Palette } from '../../colour/palette';
import { SLOTS } from '../../colour/tokens';
import type { SessionSet } from '../../data/SessionSet';
import type { SessionStatus } from '../../data/types';
import { count } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { clock } from '../../text/time';
import { EDGE_GAP, type ScatterScale, totalTicks, xOf, yOf } from './scatterScale';
import { BRUSH } from './selection';
import type { Steps } from './steps';

export type ScatterLook = {
  colour: 'status' | 'worker';
  lines: ReadonlySet<'steps' | 'percentiles'>;
  p50: number;
  p95: number;
  relativeClock: boolean;
};

export type ScatterData = {
  set: SessionSet;
  steps: Steps;
  miss: Uint8Array;
  overdue: ReadonlySet<string>;
  x: Float32Array;
  y: Float32Array;
};

type Shape = 'dot' | 'ring' | 'cross' | 'dash';

const SHAPE: Partial<Record<SessionStatus, Shape>> = {
  completed: 'dot',
  accepted: 'dot',
  rejected: 'ring',
  failed: 'cross',
  dropped: 'dash',
  cancelled: 'dash',
};

const FONT = '11px Inter, system-ui, sans-serif';
const MONO = '11px "JetBrains Mono", ui-monospace, monospace';
/** Marks of one kind closer than this cover each other, so one of them is enough. */
const CELL = 2;
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
  nameSlowest(g, scale, data, look, palette);
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
  g.save();
  g.setLineDash([1.5, 2.5]);
  g.textBaseline = 'bottom';
  g.textAlign = 'right';
  for (const [name, value] of [
    ['p95', look.p95],
    ['p50', look.p50],
  ] as const) {
    if (!(value > 0)) continue;
    const y = Math.round(yOf(scale, value)) + 0.5;
    g.strokeStyle = tokens['ink-2'];
    line(g, scale.left, y, scale.right, y);
    const text = `${name} ${duration(value)}`;
    const x = scale.right - 8;
    g.fillStyle = tokens.surface;
    g.globalAlpha = 0.85;
    g.fillRect(x - 2 - g.measureText(text).width, y - 15, g.measureText(text).width + 4, 14);
    g.globalAlpha = 1;
    g.fillStyle = tokens['ink-2'];
    g.fillText(text, x, y - 2);
  }
  g.restore();
}

/** Filtered ones first and faint, then by status, failures last; what is far out gets a diamond around it. */
function drawPoints(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  { set, miss, x, y }: ScatterData,
  look: ScatterLook,
  palette: Palette,
): void {
  const groups = new Map<string, { shape: Shape; colour: string; at: number[] }>();
  const columns = Math.ceil(scale.right / CELL) + 2;
  const taken = new Map<string, Uint8Array>();
  const out: number[] = [];
  for (let i = 0; i < set.size; i++) {
    if (set.unfinished[i]) continue;
    const shape = SHAPE[set.statuses[set.status[i]!]!] ?? 'dash';
    const off = miss[i]! !== 0;
    const colour = off ? palette.tokens['line-2'] : colourOf(set, i, shape, look, palette);
    const key = `${off ? 0 : shape === 'cross' ? 2 : 1} ${shape} ${colour}`;
    let cells = taken.get(key);
    if (!cells) {
      cells = new Uint8Array(columns * (Math.ceil(scale.bottom / CELL) + 2));
      taken.set(key, cells);
      groups.set(key, { shape, colour, at: [] });
    }
    const cell = Math.floor(y[i]! / CELL) * columns + Math.floor(x[i]! / CELL);
    if (cells[cell]) continue;
    cells[cell] = 1;
    groups.get(key)!.at.push(i);
    if (!off && set.wall[i]! > look.p95) out.push(i);
  }
  for (const key of [...groups.keys()].sort()) {
    const { shape, colour, at } = groups.get(key)!;
    drawMarks(g, shape, colour, at, x, y);
  }
  g.strokeStyle = palette.tokens['ink-2'];
  g.lineWidth = 1;
  g.beginPath();
  for (const i of out) diamond(g, x[i]!, y[i]!, 6.5);
  g.stroke();
}

function colourOf(set: SessionSet, i: number, shape: Shape, look: ScatterLook, palette: Palette): string {
  if (look.colour === 'status') return shape === 'cross' ? palette.tokens.bad : palette.tokens['ink-3'];
  return workerColour(set.worker[i]!, palette);
}

/** The first eight workers have a colour each; the others share a grey. */
export function workerColour(worker: number, palette: Palette): string {
  return SLOTS[palette.theme][worker] ?? palette.tokens['ink-3'];
}

function drawMarks(
  g: CanvasRenderingContext2D,
  shape: Shape,
  colour: string,
  at: readonly number[],
  x: Float32Array,
  y: Float32Array,
): void {
  g.fillStyle = g.strokeStyle = colour;
  g.lineWidth = shape === 'cross' ? 1.7 : 1.3;
  g.beginPath();
  for (const i of at) {
    const [a, b] = [x[i]!, y[i]!];
    if (shape === 'dot' || shape === 'ring') {
      const r = shape === 'dot' ? 2.7 : 2.5;
      g.moveTo(a + r, b);
      g.arc(a, b, r, 0, 7);
    } else if (shape === 'cross') {
      g.moveTo(a - 2.8, b - 2.8);
      g.lineTo(a + 2.8, b + 2.8);
      g.moveTo(a + 2.8, b - 2.8);
      g.lineTo(a - 2.8, b + 2.8);
    } else {
      g.moveTo(a - 3, b);
      g.lineTo(a + 3, b);
    }
  }
  if (shape === 'dot') g.fill();
  else g.stroke();
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
    entry.oldest = Math.max(entry.oldest, set.wall[i]!);
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
    if (oldest > scale.highS) g.fillText(`up to ${duration(oldest)}`, scale.right + 84, middle + ROW);
    if (late === 1) {
      g.font = MONO;
      g.fillStyle = tokens['late-ink'];
      g.fillText(shortId(name), scale.right - 6, middle);
      g.font = FONT;
    }
  }
}

/** The slowest finished ones are named, where the name does not cover another. */
function nameSlowest(
  g: CanvasRenderingContext2D,
  scale: ScatterScale,
  { set, miss, x, y }: ScatterData,
  look: ScatterLook,
  { tokens }: Palette,
): void {
  const slowest: number[] = [];
  for (let i = 0; i < set.size; i++) {
    if (set.unfinished[i] || miss[i]) continue;
    if (slowest.length === CANDIDATES && set.wall[i]! <= set.wall[slowest[CANDIDATES - 1]!]!) continue;
    slowest.push(i);
    slowest.sort((a, b) => set.wall[b]! - set.wall[a]!);
    slowest.length = Math.min(CANDIDATES, slowest.length);
  }
  g.font = MONO;
  g.fillStyle = tokens['ink-2'];
  g.textBaseline = 'middle';
  const used: [number, number][] = look.lines.has('percentiles')
    ? [look.p50, look.p95].map((s) => [scale.right - 8, yOf(scale, s) - 8])
    : [];
  const most = used.length + NAMED;
  for (const i of slowest) {
    const left = x[i]! > (scale.left + scale.right) / 2;
    const at = x[i]! + (left ? -11 : 11);
    if (used.some(([a, b]) => Math.abs(b - y[i]!) < 13 && Math.abs(a - at) < 150)) continue;
    if (used.length === most) break;
    used.push([at, y[i]!]);
    g.textAlign = left ? 'right' : 'left';
    g.fillText(shortId(set.session[i]!), at, y[i]!);
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

function diamond(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.moveTo(x, y - r);
  g.lineTo(x + r, y);
  g.lineTo(x, y + r);
  g.lineTo(x - r, y);
  g.closePath();
}

function line(g: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}
