import { useCallback, useRef } from 'react';
import type { Palette } from '../../colour/palette';
import { usePalette } from '../../colour/usePalette';
import { Button } from '../../kit/Button';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { clockTick, type Span, tickStep, ticks } from '../../lanes/axis';
import { LABEL_PX } from '../../lanes/scene';
import { duration } from '../../text/duration';
import css from './ChartsView.module.css';
import type { ChartAxis } from './chartsState';
import { STEP_APART_PX, stepsIn, syncsIn } from './drawMarks';
import { apart, type Marks } from './marks';
import type { ChartWindow } from './window';

const TICK_PX = 110;
const HEIGHT = 40;
const FONT = '11px Inter, system-ui, sans-serif';

type Props = { window: ChartWindow; axis: ChartAxis; marks: Marks; charts: string };

/** The axis of all charts, with the names of the steps above it. */
export function AxisStrip({ window, axis, marks, charts }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const palette = usePalette();
  const { view } = window;
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => drawAxis(g, { view, axis, marks, palette, width: size.width }),
    [view, axis, marks, palette, size.width],
  );
  useCanvas(canvas, size, draw);
  const width = view.to - view.from;
  return (
    <div className={css.axis}>
      <div className={css.axisAbout} style={{ width: LABEL_PX }}>
        <span>{charts}</span>
        <span className="faint">
          {axis === 'clock' ? duration(width) : `${Math.max(1, Math.round(width))} steps`}
        </span>
        {window.settled && (
          <Button small keyName="F" onClick={() => window.setView(null)} title="Fit everything">
            Fit
          </Button>
        )}
      </div>
      <div ref={host} className={css.axisTicks} aria-hidden="true" style={{ height: HEIGHT }}>
        <canvas ref={canvas} />
      </div>
    </div>
  );
}

type Drawn = { view: Span; axis: ChartAxis; marks: Marks; palette: Palette; width: number };

function drawAxis(g: CanvasRenderingContext2D, { view, axis, marks, palette, width }: Drawn): void {
  const { tokens } = palette;
  const x = (at: number) => ((at - view.from) / (view.to - view.from)) * width;
  g.font = FONT;
  g.textBaseline = 'middle';
  g.fillStyle = palette.stage('weight_sync');
  for (const { from, to } of syncsIn(marks, view)) {
    g.fillRect(x(from), HEIGHT - 4, Math.max(1.5, x(to) - x(from)), 3);
  }
  for (const { at, label } of apart(stepsIn(marks, view), x, STEP_APART_PX)) {
    const px = Math.round(x(at));
    g.fillStyle = tokens['line-2'];
    g.fillRect(px, 2, 1, 14);
    g.fillStyle = tokens['ink-3'];
    g.fillText(label, px + 4, 9);
  }
  g.textAlign = 'center';
  g.fillStyle = tokens['ink-2'];
  const inside = (at: number, text: string) => {
    const half = g.measureText(text).width / 2;
    g.fillText(text, Math.min(Math.max(x(at), half + 2), width - half - 2), 26);
  };
  if (axis === 'clock') {
    // Whole seconds from the start of the window: epoch seconds would lose what the ticks tell.
    const relative = { from: 0, to: view.to - view.from };
    const step = tickStep(relative, width, TICK_PX);
    for (const t of ticks(relative, width, TICK_PX, view.from))
      inside(view.from + t, clockTick(view.from + t, step));
  } else {
    const step = Math.max(1, tickStepOfSteps(view, width));
    for (let n = Math.ceil(view.from / step) * step; n <= view.to; n += step) inside(n, `step ${n}`);
  }
}

/** 1, 2 or 5 of a power of ten. */
function tickStepOfSteps(view: Span, width: number): number {
  const least = ((view.to - view.from) / Math.max(1, width)) * TICK_PX;
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((m) => m * power >= least) ?? 10) * power;
}
