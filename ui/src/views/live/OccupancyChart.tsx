import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Palette } from '../../colour/palette';
import { useSize } from '../../kit/useCanvas';
import { duration } from '../../text/duration';
import css from './OccupancyChart.module.css';

export type StepLine = { atS: number; label: string };

type Props = {
  /** From stackColumns, and how many wait for their verdict, which is a line. */
  columns: number[][];
  /** Bottom first, as given to stackColumns. */
  order: readonly string[];
  fromS: number;
  toS: number;
  /** What the right end is called. */
  end: string;
  steps: readonly StepLine[];
  palette: Palette;
  /** Place in the columns under the pointer; null when it leaves. */
  onHover: (index: number | null) => void;
};

/** How many sessions were where, stacked, over a window that ends now. */
export function OccupancyChart(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const size = useSize(host);
  const { columns, order, fromS, toS, palette } = props;
  const places = order.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new chart for other places, another theme or the first size
  useEffect(() => {
    if (!host.current || size.width === 0) return;
    const made = new uPlot(
      options(latest, size.width, size.height),
      latest.current.columns as uPlot.AlignedData,
      host.current,
    );
    chart.current = made;
    return () => {
      made.destroy();
      chart.current = null;
    };
  }, [places, palette, props.end, size.width > 0]);

  useEffect(() => {
    if (size.width > 0) chart.current?.setSize(size);
  }, [size]);

  useEffect(() => {
    const made = chart.current;
    if (!made || made.series.length !== columns.length) return;
    made.batch(() => {
      made.setData(columns as uPlot.AlignedData, false);
      made.setScale('x', { min: fromS, max: toS });
      made.setScale('y', { min: 0, max: topOf(columns) });
    });
  }, [columns, fromS, toS]);

  return <div ref={host} className={css.chart} aria-hidden="true" />;
}

function topOf(columns: number[][]): number {
  return Math.max(1, ...(columns[1] ?? []), ...(columns.at(-1) ?? [])) * 1.12;
}

function options(latest: { current: Props }, width: number, height: number): uPlot.Options {
  const { palette, order } = latest.current;
  const { tokens } = palette;
  const axis = { stroke: tokens['ink-3'], font: '11px Inter, system-ui, sans-serif', ticks: { show: false } };
  const stepped = uPlot.paths.stepped!({ align: 1 });
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [latest.current.fromS, latest.current.toS] },
      y: { range: () => [0, topOf(latest.current.columns)] },
    },
    axes: [
      {
        ...axis,
        size: 22,
        gap: 2,
        grid: { show: false },
        splits: () => [480, 360, 240, 120, 0].map((s) => latest.current.toS - s),
        values: (_u, splits) => splits.map((s) => ago(latest.current.toS - s, latest.current.end)),
      },
      {
        ...axis,
        size: 44,
        gap: 4,
        grid: { stroke: tokens.line, width: 1 },
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000],
        space: 34,
      },
    ],
    series: [
      {},
      ...[...order].reverse().map((place) => ({
        paths: stepped,
        width: 0,
        points: { show: false },
        fill: (u: uPlot) => palette.fill(u.ctx, place),
      })),
      {
        paths: stepped,
        width: 1.5,
        dash: [4, 3],
        stroke: tokens['ink-2'],
        points: { show: false },
      },
    ],
    hooks: {
      draw: [(u) => drawSteps(u, latest.current)],
      setCursor: [(u) => latest.current.onHover(u.cursor.idx ?? null)],
    },
  };
}

function ago(seconds: number, end: string): string {
  return seconds < 1 ? end : `−${duration(seconds).replace(' 00 s', '')}`;
}

/** A dashed line and a name where each step began; those that have no room for their name are left out. */
function drawSteps(u: uPlot, { steps, palette, fromS, toS }: Props): void {
  const g = u.ctx;
  const scale = devicePixelRatio || 1;
  const { top, height, left, width } = u.bbox;
  g.save();
  g.strokeStyle = palette.tokens['ink-3'];
  g.fillStyle = palette.tokens['ink-2'];
  g.font = `${11 * scale}px Inter, system-ui, sans-serif`;
  g.setLineDash([2 * scale, 3 * scale]);
  let free = Number.NEGATIVE_INFINITY;
  for (const { atS, label } of steps) {
    if (atS < fromS || atS > toS) continue;
    const x = Math.round(u.valToPos(atS, 'x', true)) + 0.5;
    if (x < free) continue;
    g.beginPath();
    g.moveTo(x, top);
    g.lineTo(x, top + height);
    g.stroke();
    const textWidth = g.measureText(label).width;
    const fits = x + textWidth + 5 * scale < left + width;
    if (!fits && x - textWidth - 5 * scale < free) continue;
    free = x + textWidth + 14 * scale;
    g.textAlign = fits ? 'left' : 'right';
    g.fillText(label, x + (fits ? 5 : -5) * scale, top + 10 * scale);
  }
  g.restore();
}
