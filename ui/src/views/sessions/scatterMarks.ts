import type { Palette } from '../../colour/palette';
import { SLOTS } from '../../colour/tokens';
import type { SessionSet } from '../../data/SessionSet';
import type { SessionStatus } from '../../data/types';
import type { ScatterScale } from './scatterScale';
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

/** Marks of one kind closer than this cover each other, so one of them is enough. */
const CELL = 2;
/** Filtered ones first and faint, then by status, failures last; what is far out gets a diamond around it. */
export function drawPoints(
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
    if (!off && set.work[i]! > look.p95) out.push(i);
  }
  const size = markSize(set.size);
  g.globalAlpha = size < 1 ? 0.6 : 1;
  for (const key of [...groups.keys()].sort()) {
    const { shape, colour, at } = groups.get(key)!;
    drawMarks(g, shape, colour, at, x, y, size);
  }
  g.globalAlpha = 1;
  g.strokeStyle = palette.tokens['ink-2'];
  g.lineWidth = 1;
  g.beginPath();
  for (const i of slowest(out, set)) diamond(g, x[i]!, y[i]!, 6.5);
  g.stroke();
}

/** Many marks are small, so that a cloud shows where it is dense. */
function markSize(sessions: number): number {
  return sessions > 20_000 ? 0.45 : sessions > 4000 ? 0.7 : 1;
}

const MOST_DIAMONDS = 200;

function slowest(rows: number[], set: SessionSet): number[] {
  if (rows.length <= MOST_DIAMONDS) return rows;
  return rows.sort((a, b) => set.work[b]! - set.work[a]!).slice(0, MOST_DIAMONDS);
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
  size: number,
): void {
  g.fillStyle = g.strokeStyle = colour;
  g.lineWidth = (shape === 'cross' ? 1.7 : 1.3) * Math.max(0.7, size);
  const arm = 2.8 * size;
  g.beginPath();
  for (const i of at) {
    const [a, b] = [x[i]!, y[i]!];
    if (shape === 'dot' || shape === 'ring') {
      const r = (shape === 'dot' ? 2.7 : 2.5) * size;
      g.moveTo(a + r, b);
      g.arc(a, b, r, 0, 7);
    } else if (shape === 'cross') {
      g.moveTo(a - arm, b - arm);
      g.lineTo(a + arm, b + arm);
      g.moveTo(a + arm, b - arm);
      g.lineTo(a - arm, b + arm);
    } else {
      g.moveTo(a - arm, b);
      g.lineTo(a + arm, b);
    }
  }
  if (shape === 'dot') g.fill();
  else g.stroke();
}

function diamond(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.moveTo(x, y - r);
  g.lineTo(x + r, y);
  g.lineTo(x, y + r);
  g.lineTo(x - r, y);
  g.closePath();
}
