import type { Palette } from '../../colour/palette';
import type { SessionSet } from '../../data/SessionSet';
import type { Size } from '../../kit/useCanvas';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { clock as clockText } from '../../text/time';
import { piecesOf } from './pieces';
import { WORK } from './TimeBar';
import type { Page } from './usePage';

export const LIFECYCLE_TOP = 22;
const LABELS = 190;

export type LifecycleLook = {
  /** On one clock; else each bar begins at the left. */
  clock: boolean;
  rowHeight: number;
  labels: boolean;
  fromS: number;
  toS: number;
};

/** What the axis covers. Ages of what never ended must not squeeze the others: their bars run out of the picture. */
export function lifecycleWindow(
  set: SessionSet,
  rows: Uint32Array,
  clock: boolean,
): { fromS: number; toS: number } {
  let [from, to, longest, ended] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, false];
  for (const row of rows) {
    from = Math.min(from, set.start[row]!);
    to = Math.max(to, set.start[row]!);
    if (set.unfinished[row]) continue;
    ended = true;
    to = Math.max(to, set.end[row]!);
    longest = Math.max(longest, set.work[row]!);
  }
  if (!ended) {
    to = set.nowS;
    for (const row of rows) longest = Math.max(longest, set.work[row]!);
  }
  return clock ? { fromS: from, toS: Math.max(to, from + 1e-3) } : { fromS: 0, toS: Math.max(longest, 1e-3) };
}

/** Draws the rows in sight. */
export function drawLifecycle(
  g: CanvasRenderingContext2D,
  { width, height }: Size,
  page: Page,
  look: LifecycleLook,
  firstY: number,
  palette: Palette,
): void {
  const { set, rows } = page;
  const left = look.labels ? LABELS : 16;
  const right = width - 24;
  const x = (s: number) => left + ((s - look.fromS) / (look.toS - look.fromS)) * (right - left);
  drawAxis(g, look, x, height, left, right, set.firstS < 1e9, palette);
  g.save();
  g.beginPath();
  g.rect(0, LIFECYCLE_TOP, width, height);
  g.clip();
  const first = Math.floor(firstY / look.rowHeight);
  const last = Math.min(rows.length, Math.ceil((firstY + height) / look.rowHeight) + 1);
  for (let k = first; k < last; k++) {
    const y = LIFECYCLE_TOP + k * look.rowHeight - firstY;
    drawBar(g, page, rows[k]!, look, x, y, right + 20, palette);
    if (!look.labels) continue;
    g.font = '11px "JetBrains Mono", ui-monospace, monospace';
    g.textBaseline = 'middle';
    g.textAlign = 'left';
    g.fillStyle = page.overdue.has(set.session[rows[k]!]!)
      ? palette.tokens['late-ink']
      : palette.tokens['ink-2'];
    g.fillText(shortId(set.session[rows[k]!]!), 16, y + look.rowHeight / 2);
  }
  g.restore();
}

/**
 * One session: waits as ground, its spans painted over them.
 *
 * @param only a stage or wait to highlight; everything else steps back
 */
export function drawBar(
  g: CanvasRenderingContext2D,
  { set, spans }: Pick<Page, 'set' | 'spans'>,
  row: number,
  look: LifecycleLook,
  x: (s: number) => number,
  y: number,
  edge: number,
  palette: Palette,
  only?: string,
): void {
  const barHeight = look.rowHeight - (look.rowHeight > 8 ? 5 : 1);
  const shift = look.clock ? 0 : -set.start[row]!;
  const [start, end] = [set.start[row]! + shift, set.end[row]! + shift];
  const bar = (from: number, to: number, place: string) => {
    const [a, b] = [x(from), Math.min(edge, x(to))];
    g.fillStyle = place === WORK ? palette.tokens['ink-3'] : palette.fill(g, place);
    g.globalAlpha = only === undefined || only === place ? 1 : 0.2;
    g.fillRect(a, y, Math.max(look.rowHeight > 8 ? 1.5 : 1, b - a), barHeight);
  };
  if (!spans) {
    let at = start;
    for (const { place, s } of piecesOf(set, null, row)) {
      bar(at, at + s, place);
      at += s;
    }
  } else {
    bar(start, end, 'gap');
    if (set.queue[row]! > 0) bar(start, start + set.queue[row]!, 'queue');
    if (set.unaccounted[row]! > 0) bar(end - set.unaccounted[row]!, end, 'unaccounted');
    // The longest first: what is nested inside is painted over it.
    for (let i = spans.first[row]!; i < spans.first[row + 1]!; i++) {
      const from = spans.startS[i]! + shift;
      bar(from, Math.min(end, from + spans.durationS[i]!), spans.stages[spans.stage[i]!]!);
    }
  }
  g.globalAlpha = 1;
  if (set.unfinished[row] && look.rowHeight > 8) {
    const tip = Math.min(edge, x(end));
    g.fillStyle = palette.tokens['ink-2'];
    g.beginPath();
    g.moveTo(tip, y);
    g.lineTo(tip + 5, y + barHeight / 2);
    g.lineTo(tip, y + barHeight);
    g.fill();
  }
}

function drawAxis(
  g: CanvasRenderingContext2D,
  look: LifecycleLook,
  x: (s: number) => number,
  height: number,
  left: number,
  right: number,
  relative: boolean,
  { tokens }: Palette,
): void {
  g.font = '11px Inter, system-ui, sans-serif';
  g.textBaseline = 'middle';
  const ticks = Math.max(2, Math.floor((right - left) / 140));
  for (let i = 0; i <= ticks; i++) {
    const s = look.fromS + ((look.toS - look.fromS) * i) / ticks;
    const at = Math.round(x(s)) + 0.5;
    g.strokeStyle = tokens.line;
    g.globalAlpha = 0.7;
    g.beginPath();
    g.moveTo(at, LIFECYCLE_TOP);
    g.lineTo(at, height);
    g.stroke();
    g.globalAlpha = 1;
    g.fillStyle = tokens['ink-3'];
    g.textAlign = i === 0 ? 'left' : i === ticks ? 'right' : 'center';
    g.fillText(look.clock && !relative ? clockText(s) : `+${duration(s - look.fromS)}`, at, 11);
  }
}
