import { type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import { Button } from '../../kit/Button';
import { Pane } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import { Tooltip } from '../../kit/Tooltip';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { count, counted } from '../../text/count';
import { duration } from '../../text/duration';
import { drawStepChart, LEFT, RIGHT } from './drawStepChart';
import css from './StepsView.module.css';
import { barAt, barsIn, scaleOf } from './scale';
import { IDLE, isFinished, medianOf, placesToName, type Step } from './steps';

type Props = {
  steps: readonly Step[];
  places: readonly string[];
  /** Older steps that are not shown, and how to get them. */
  leftOut: number;
  onMore: (() => void) | undefined;
  selected: string | undefined;
  onSelect: (step: Step) => void;
};

/** The trend: a bar of wall time for each step, oldest left. */
export function StepChart({ steps, places, leftOut, onMore, selected, onSelect }: Props) {
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const [hover, setHover] = useState<{ step: Step; x: number; y: number } | null>(null);
  const median_s = useMemo(
    () =>
      medianOf(
        steps.filter((s) => isFinished(s.batch)),
        (s) => s.batch.wall_s,
      ),
    [steps],
  );
  const scale = useMemo(() => scaleOf(steps), [steps]);
  const bars = useMemo(
    () => barsIn(steps.length, LEFT + 4, size.width - LEFT - RIGHT - 4),
    [steps.length, size.width],
  );
  const draw = useCallback(
    (g: CanvasRenderingContext2D) =>
      drawStepChart(g, steps, scale, bars, size, palette, { selected, median_s }),
    [steps, scale, bars, size, palette, selected, median_s],
  );
  useCanvas(canvas, size, draw);
  const at = (event: MouseEvent): Step | undefined => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return steps[barAt(bars, steps.length, x)];
  };
  return (
    <Pane
      title="Wall time per step"
      note={noteOf(steps, median_s, leftOut)}
      right={
        <>
          <Legend places={placesToName(steps, places)} />
          {leftOut > 0 && onMore && (
            <Button small onClick={onMore}>
              Older steps
            </Button>
          )}
        </>
      }
      className={css.chartPane}
    >
      <div ref={host} className={css.chart}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Wall time of ${counted(steps.length, 'step')}. The table below says the same.`}
          onClick={(e) => {
            const step = at(e);
            if (step) onSelect(step);
          }}
          onPointerMove={(e) => {
            const step = at(e);
            setHover(step ? { step, x: e.clientX, y: e.clientY } : null);
          }}
          onPointerLeave={() => setHover(null)}
        />
      </div>
      {hover && (
        <Tooltip x={hover.x} y={hover.y}>
          <b>{hover.step.name}</b> {duration(hover.step.batch.wall_s)}
          {hover.step.unfinished > 0 && `, ${counted(hover.step.unfinished, 'session')} not ended`}
          <div className="dim">
            {hover.step.done90_s === null
              ? '90 % have not ended yet'
              : `90 % done after ${duration(hover.step.done90_s)}, tail ${duration(hover.step.batch.tail_s)}`}
          </div>
        </Tooltip>
      )}
    </Pane>
  );
}

function noteOf(steps: readonly Step[], median_s: number | null, leftOut: number): string {
  const older = leftOut > 0 ? `, ${count(leftOut)} older left out` : '';
  const median = median_s === null ? 'none has finished' : `dotted: median ${duration(median_s)}`;
  return `${counted(steps.length, 'step')}${older} · ${median}`;
}

/** The order of the stack, from the floor up. */
function Legend({ places }: { places: readonly string[] }) {
  return (
    <div className={css.legend}>
      {places.map((p) => (
        <StageName key={p} place={p} />
      ))}
      <span className={css.entry}>
        <i className={css.idle} />
        {IDLE}
      </span>
      <span className={css.entry}>
        <i className={css.line} />
        90 % of sessions done
      </span>
    </div>
  );
}
