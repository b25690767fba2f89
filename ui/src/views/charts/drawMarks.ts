import type uPlot from 'uplot';
import type { Marks } from './marks';
import { apart } from './marks';
import type { Plotted } from './plotOptions';

/** Room for the name of a step above it. */
export const STEP_APART_PX = 64;
/** Closer than that weight syncs would be a grey veil; the axis still has them. */
const SYNC_APART_PX = 24;

/** Steps as dashed lines, weight syncs as bands, behind what is measured. */
export function drawPlotMarks(u: uPlot, { marks, palette, view }: Plotted): void {
  const g = u.ctx;
  const scale = devicePixelRatio || 1;
  const { left, top, width, height } = u.bbox;
  const x = (at: number) => u.valToPos(at, 'x', true);
  g.save();
  g.beginPath();
  g.rect(left, top, width, height);
  g.clip();
  g.fillStyle = palette.stage('weight_sync');
  g.globalAlpha = 0.22;
  const syncs = syncsIn(marks, view);
  for (const { from, to } of syncs.length * SYNC_APART_PX * scale > width ? [] : syncs) {
    const start = x(from);
    g.fillRect(start, top, Math.max(scale, x(to) - start), height);
  }
  g.globalAlpha = 1;
  g.strokeStyle = palette.tokens['line-2'];
  g.lineWidth = scale;
  g.setLineDash([2 * scale, 3 * scale]);
  for (const { at } of apart(stepsIn(marks, view), x, STEP_APART_PX * scale)) {
    const px = Math.round(x(at)) + 0.5;
    g.beginPath();
    g.moveTo(px, top);
    g.lineTo(px, top + height);
    g.stroke();
  }
  g.restore();
}

export function stepsIn({ steps }: Marks, { from, to }: { from: number; to: number }) {
  return steps.filter((s) => s.at >= from && s.at <= to);
}

export function syncsIn({ syncs }: Marks, { from, to }: { from: number; to: number }) {
  return syncs.filter((s) => s.to >= from && s.from <= to);
}
