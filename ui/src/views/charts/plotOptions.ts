import type uPlot from 'uplot';
import { mix } from '../../colour/mix';
import type { Palette } from '../../colour/palette';
import type { Span } from '../../lanes/axis';
import type { Columns } from './columns';
import { drawHeat, heatTicks } from './drawHeat';
import { drawPlotMarks } from './drawMarks';
import { lineStyle } from './lineStyle';
import type { Picture } from './lines';
import type { Marks } from './marks';
import { yTicks } from './scale';
import { edgeText, tickText } from './ticks';

/** As wide as the rest of the label column beside the legend: see ChartRow.module.css. */
export const Y_AXIS_PX = 60;
const TICK_PX = 27;
const SELECTS_PX = 5;
const FONT = '11px Inter, system-ui, sans-serif';

/** What a plot is drawn from, always the newest. */
export type Plotted = {
  picture: Picture;
  columns: Columns;
  view: Span;
  marks: Marks;
  palette: Palette;
  unit: string;
  /** Line under the pointer in the legend; the others step back. */
  focus: number | null;
  /** Place in x under the pointer, and how high it is on the y axis. */
  onCursor: (index: number | null, y: number) => void;
  /** null fits everything. */
  onZoom: (view: Span | null) => void;
};

export function plotOptions(latest: { current: Plotted }, width: number, height: number): uPlot.Options {
  const { palette, columns, picture } = latest.current;
  const { tokens, theme } = palette;
  const heat = picture.heat !== null;
  const ticks = () => {
    const most = Math.max(2, Math.floor(height / TICK_PX));
    const now = latest.current;
    return now.picture.heat ? heatTicks(now.picture.heat, most) : yTicks(now.columns.scale, most);
  };
  const label = (tick: number) => {
    const now = latest.current;
    if (!now.picture.heat) return tickText(tick, now.unit);
    return edgeText(now.picture.heat.edges[tick]!, now.unit);
  };
  return {
    width,
    height,
    legend: { show: false },
    padding: [6, 0, 4, 0],
    cursor: {
      y: false,
      points: { size: (_u, i) => (latest.current.columns.columns[i - 1]?.role === 'line' ? 7 : 0) },
      drag: { x: true, y: false, setScale: false, dist: SELECTS_PX },
      bind: {
        dblclick: () => () => {
          latest.current.onZoom(null);
          return null;
        },
      },
      sync: {
        key: 'rollscope.charts',
        setSeries: false,
        scales: ['x', null],
        // Others follow the pointer, but what is selected here is selected once.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
    },
    scales: {
      x: { time: false, range: () => [latest.current.view.from, latest.current.view.to] },
      y: {
        distr: columns.scale.log ? 3 : 1,
        range: () => {
          const now = latest.current;
          return now.picture.heat
            ? [0, now.picture.heat.rows]
            : [now.columns.scale.min, now.columns.scale.max];
        },
      },
    },
    axes: [
      { show: false },
      {
        size: Y_AXIS_PX,
        gap: 6,
        stroke: tokens['ink-3'],
        font: FONT,
        ticks: { show: false },
        grid: { show: !heat, stroke: tokens.line, width: 1 },
        splits: ticks,
        values: (_u, splits) => splits.map(label),
        filter: (_u, splits) => splits,
      },
    ],
    series: [{}, ...(heat ? [{ show: false }] : seriesOf(latest))],
    ...(!heat && { bands: bandsOf(columns, theme, tokens.surface) }),
    hooks: {
      drawAxes: [
        (u) => {
          drawPlotMarks(u, latest.current);
          if (latest.current.picture.heat) drawHeat(u, latest.current);
        },
      ],
      setCursor: [
        (u) => {
          const { left = -1, top = 0, idx } = u.cursor;
          latest.current.onCursor(left < 0 ? null : (idx ?? null), u.posToVal(top, 'y'));
        },
      ],
      setSelect: [(u) => zoomToSelection(u, latest.current)],
    },
  };
}

function seriesOf(latest: { current: Plotted }): uPlot.Series[] {
  const { columns, palette } = latest.current;
  return columns.columns.map(({ role, line }) => {
    const { colour, dash } = lineStyle(palette.theme, line);
    if (role === 'low' || role === 'high') return { width: 0, stroke: colour, points: { show: false } };
    const faint = () => role === 'raw' || (latest.current.focus ?? line) !== line;
    const ink = () => (faint() ? mix(colour, palette.tokens.surface, 0.3) : colour);
    return {
      width: role === 'raw' ? 1 : 1.5,
      stroke: ink,
      dash,
      spanGaps: false,
      points: role === 'raw' ? { show: false } : { size: 4, fill: ink, stroke: ink },
    };
  });
}

function bandsOf({ columns }: Columns, theme: Palette['theme'], surface: string): uPlot.Band[] {
  return columns.flatMap(({ role, line }, i) =>
    role === 'high'
      ? [
          {
            series: [i + 1, i + 2] as [number, number],
            fill: mix(lineStyle(theme, line).colour, surface, 0.18),
          },
        ]
      : [],
  );
}

function zoomToSelection(u: uPlot, { onZoom }: Plotted): void {
  const { left, width } = u.select;
  if (width < SELECTS_PX) return;
  onZoom({ from: u.posToVal(left, 'x'), to: u.posToVal(left + width, 'x') });
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}
