import { inkOn } from '../../colour/mix';
import type { Palette } from '../../colour/palette';
import { isWait } from '../../colour/waits';
import { percent } from '../../text/count';
import { duration } from '../../text/duration';
import type { IcicleBox, IcicleNode } from './icicleLayout';

export const ROW_HEIGHT = 26;
const BAR = 24;
const LEAST_WIDTH = 2;
const TEXT_PAD = 8;

export type IcicleLook = {
  /** Stage that is pointed at somewhere on the page. */
  pointed: string | null;
  /** Box that the keyboard is at. */
  current: number | null;
};

export function drawIcicle(
  g: CanvasRenderingContext2D,
  nodes: readonly IcicleNode[],
  boxes: readonly IcicleBox[],
  width: number,
  palette: Palette,
  look: IcicleLook,
): void {
  g.font = '12px Inter, system-ui, sans-serif';
  g.textBaseline = 'middle';
  for (const box of boxes) {
    const n = nodes[box.index]!;
    g.globalAlpha = look.pointed !== null && n.place !== look.pointed && box.index !== 0 ? 0.35 : 1;
    drawBox(g, n, box, nodes[0]!.inside_s, width, palette);
    if (look.current === box.index) outline(g, box, width, palette.tokens.ink);
  }
  g.globalAlpha = 1;
}

function drawBox(
  g: CanvasRenderingContext2D,
  n: IcicleNode,
  box: IcicleBox,
  whole: number,
  width: number,
  palette: Palette,
): void {
  const x = box.from * width;
  const w = Math.max(LEAST_WIDTH, (box.to - box.from) * width - 1);
  const y = box.row * ROW_HEIGHT;
  const top = n.parent < 0;
  const selfX = box.selfFrom * width;
  const selfW = box.to * width - 1 - selfX;
  const leaf = box.selfFrom === box.from;
  g.fillStyle = top ? palette.tokens.raised : palette.tint(n.place);
  g.fillRect(x, y, w, BAR);
  if (!top && (leaf || selfW >= 0.5)) {
    g.fillStyle = palette.fill(g, n.place);
    g.fillRect(leaf ? x : selfX, y, leaf ? w : selfW, BAR);
  }
  const { ink } = palette.tokens;
  const share = percent(whole > 0 ? n.self_s / whole : 0);
  const own = [`${duration(n.self_s)}, ${share}`, share];
  if (leaf && !top) {
    texts(g, n.place, own, x, w, y, isWait(n.place) ? ink : inkOn(palette.stage(n.place)));
    return;
  }
  const passedW = Math.max(0, w - Math.max(0, selfW));
  texts(g, n.place, [duration(n.inside_s)], x, passedW, y, ink);
  if (selfW > 0) texts(g, 'self', own, selfX, selfW, y, inkOn(palette.stage(n.place)));
}

/** A name on the left and the first value that there is room for on the right. */
function texts(
  g: CanvasRenderingContext2D,
  name: string,
  values: readonly string[],
  x: number,
  w: number,
  y: number,
  colour: string,
): void {
  const room = w - 2 * TEXT_PAD;
  if (room < 20) return;
  g.fillStyle = colour;
  const cut = cutText(g, name, room);
  if (cut) g.fillText(cut, x + TEXT_PAD, y + BAR / 2 + 0.5);
  const left = cut === name ? room - g.measureText(name).width - 16 : 0;
  for (const value of values) {
    const width = g.measureText(value).width;
    if (width > left) continue;
    g.fillText(value, x + w - TEXT_PAD - width, y + BAR / 2 + 0.5);
    return;
  }
}

function cutText(g: CanvasRenderingContext2D, text: string, room: number): string {
  if (g.measureText(text).width <= room) return text;
  let keep = Math.floor(room / 7);
  while (keep > 2 && g.measureText(`${text.slice(0, keep)}…`).width > room) keep--;
  return keep > 2 ? `${text.slice(0, keep)}…` : '';
}

function outline(g: CanvasRenderingContext2D, box: IcicleBox, width: number, ink: string): void {
  g.strokeStyle = ink;
  g.lineWidth = 2;
  const w = Math.max(LEAST_WIDTH, (box.to - box.from) * width - 1);
  g.strokeRect(box.from * width + 1, box.row * ROW_HEIGHT + 1, Math.max(1, w - 2), BAR - 2);
}
