import type uPlot from 'uplot';
import { mix } from '../../colour/mix';
import { columnWidth, darkness, type Heat } from './heat';
import type { Plotted } from './plotOptions';

const SHADES = 24;

/** One hue, darker where more observations lie; nothing where none do. */
export function drawHeat(u: uPlot, { picture, palette }: Plotted): void {
  const { heat, x } = picture;
  if (!heat) return;
  const { tokens } = palette;
  const shades = Array.from({ length: SHADES + 1 }, (_, i) =>
    mix(tokens['heat-1'], tokens['heat-0'], i / SHADES),
  );
  const g = u.ctx;
  const { left, top, width, height } = u.bbox;
  g.save();
  g.beginPath();
  g.rect(left, top, width, height);
  g.clip();
  const wide = columnWidth(x, picture.bucketS);
  // A stretch of time begins at its x; a step has it in the middle.
  const before = picture.bucketS === null ? wide / 2 : 0;
  const ys = Array.from({ length: heat.rows + 1 }, (_, r) => Math.round(u.valToPos(r, 'y', true)));
  for (let c = 0; c < heat.columns; c++) {
    const from = Math.round(u.valToPos(x[c]! - before, 'x', true));
    const to = Math.max(from + 1, Math.round(u.valToPos(x[c]! - before + wide, 'x', true)));
    if (to < left || from > left + width) continue;
    for (let r = 0; r < heat.rows; r++) {
      const count = heat.counts[c * heat.rows + r]!;
      if (count === 0) continue;
      g.fillStyle = shades[Math.round(darkness(count, heat.most) * SHADES)]!;
      // A pixel between rows keeps buckets apart where there is room.
      const gap = ys[r]! - ys[r + 1]! > 5 ? 1 : 0;
      g.fillRect(from, ys[r + 1]!, to - from, ys[r]! - ys[r + 1]! - gap);
    }
  }
  g.restore();
}

/** Rows at whose lower edge there is a label. */
export function heatTicks({ rows }: Heat, most: number): number[] {
  const every = Math.max(1, Math.ceil(rows / most));
  const ticks: number[] = [];
  for (let r = 0; r <= rows; r += every) ticks.push(r);
  return ticks;
}
