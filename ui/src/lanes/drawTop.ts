import { clockTick, relativeTick, tickStep, ticks } from './axis';
import { TICK_PX } from './drawLanes';
import type { Overview } from './overview';
import { LABEL_PX, type Looking, type Scene, xOf } from './scene';

export const OVERVIEW_PX = 62;
export const AXIS_PX = 28;
export const TOP_PX = OVERVIEW_PX + AXIS_PX;
const CHART_TOP = 16;
const CHART_PX = OVERVIEW_PX - CHART_TOP - 4;
const FONT = '11px Inter, system-ui, sans-serif';

/** Position in the overview of a time. */
export function overviewX(scene: Scene, looking: Looking, time: number): number {
  const { from, to } = scene.whole;
  return LABEL_PX + ((time - from) / (to - from)) * (looking.width - LABEL_PX - 16);
}

export function overviewTime(scene: Scene, looking: Looking, x: number): number {
  const { from, to } = scene.whole;
  return from + ((x - LABEL_PX) / (looking.width - LABEL_PX - 16)) * (to - from);
}

/** The whole as a stack over time with the brush, and the axis of what is in sight. */
export function drawTop(
  g: CanvasRenderingContext2D,
  scene: Scene,
  looking: Looking,
  overview: Overview,
): void {
  const { tokens } = scene.palette;
  g.fillStyle = tokens.surface;
  g.fillRect(0, 0, looking.width, TOP_PX);
  g.font = FONT;
  g.textBaseline = 'middle';
  drawStack(g, scene, looking, overview);
  drawBrush(g, scene, looking);
  g.fillStyle = tokens.line;
  g.fillRect(0, OVERVIEW_PX, looking.width, 1);
  g.fillRect(0, TOP_PX - 1, looking.width, 1);
  g.fillRect(LABEL_PX - 1, 0, 1, TOP_PX);
  drawAxis(g, scene, looking);
}

function drawStack(
  g: CanvasRenderingContext2D,
  scene: Scene,
  looking: Looking,
  { buckets, stages, tops, peak }: Overview,
): void {
  const width = (looking.width - LABEL_PX - 16) / buckets;
  const scale = peak > 0 ? CHART_PX / peak : 0;
  const bottom = CHART_TOP + CHART_PX;
  // From the top down, so that each covers what is below its edge.
  for (let n = stages.length - 1; n >= 0; n--) {
    const stage = stages[n] ?? null;
    g.fillStyle = stage === null ? scene.palette.tokens.wait : scene.palette.stage(stage);
    g.beginPath();
    g.moveTo(LABEL_PX, bottom);
    for (let b = 0; b < buckets; b++) {
      const y = bottom - tops[n]![b]! * scale;
      g.lineTo(LABEL_PX + b * width, y);
      g.lineTo(LABEL_PX + (b + 1) * width, y);
    }
    g.lineTo(LABEL_PX + buckets * width, bottom);
    g.fill();
  }
  if (scene.axis !== 'clock') return;
  const { tokens } = scene.palette;
  let free = 0;
  for (const step of scene.steps) {
    const x = Math.round(overviewX(scene, looking, step.atS - scene.table.originS));
    if (x < LABEL_PX || x > looking.width - 16) continue;
    g.fillStyle = tokens['line-2'];
    g.fillRect(x, 2, 1, OVERVIEW_PX - 6);
    if (x < free) continue;
    g.fillStyle = tokens['ink-3'];
    g.fillText(step.label, x + 4, 8);
    free = x + 12 + g.measureText(step.label).width;
  }
}

function drawBrush(g: CanvasRenderingContext2D, scene: Scene, looking: Looking): void {
  const { tokens } = scene.palette;
  const clamp = (x: number) => Math.min(Math.max(x, LABEL_PX), looking.width - 16);
  const from = clamp(overviewX(scene, looking, looking.view.from));
  const to = clamp(overviewX(scene, looking, looking.view.to));
  g.fillStyle = tokens.surface;
  g.globalAlpha = 0.6;
  g.fillRect(LABEL_PX, CHART_TOP, from - LABEL_PX, CHART_PX);
  g.fillRect(to, CHART_TOP, looking.width - 16 - to, CHART_PX);
  g.globalAlpha = 1;
  g.strokeStyle = tokens['ink-2'];
  g.lineWidth = 1;
  g.strokeRect(from + 0.5, CHART_TOP - 0.5, Math.max(2, to - from - 1), CHART_PX + 1);
  g.fillStyle = tokens['ink-2'];
  for (const x of [from, to]) g.fillRect(x - 1.5, CHART_TOP + CHART_PX / 2 - 8, 3, 16);
}

function drawAxis(g: CanvasRenderingContext2D, scene: Scene, looking: Looking): void {
  const { tokens } = scene.palette;
  const room = looking.width - LABEL_PX;
  const step = tickStep(looking.view, room, TICK_PX);
  const clock = scene.axis === 'clock';
  const { originS } = scene.table;
  const y = OVERVIEW_PX + AXIS_PX / 2;
  g.save();
  g.beginPath();
  g.rect(LABEL_PX, OVERVIEW_PX, room, AXIS_PX);
  g.clip();
  g.textAlign = 'center';
  g.fillStyle = tokens['ink-3'];
  for (const t of ticks(looking.view, room, TICK_PX, clock ? originS : 0)) {
    const label = clock ? clockTick(t + originS, step) : relativeTick(t, step);
    if (clock || t >= 0) g.fillText(label, Math.max(xOf(looking, t), LABEL_PX + 28), y);
  }
  if (looking.area) {
    const [from, to] = [xOf(looking, looking.area.from), xOf(looking, looking.area.to)];
    g.fillStyle = tokens.ink;
    g.fillRect(from, TOP_PX - 3, to - from, 3);
  }
  const now = xOf(looking, scene.nowS);
  if (clock && now >= LABEL_PX && now <= looking.width + 20) {
    const x = Math.min(now, looking.width - 18);
    g.fillStyle = tokens.ink;
    g.fillRect(x - 17, y - 9, 34, 18);
    g.fillStyle = tokens.surface;
    g.fillText('now', x, y + 0.5);
  }
  g.textAlign = 'left';
  g.restore();
}
