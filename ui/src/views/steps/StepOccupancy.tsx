import { useCallback, useMemo, useRef } from 'react';
import { usePalette } from '../../colour/usePalette';
import { useAnswer } from '../../data/useAnswer';
import { useRun } from '../../data/useLive';
import { Failure } from '../../kit/Pane';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { count } from '../../text/count';
import { stackColumns } from '../live/occupancy';
import { drawOccupancy } from './drawOccupancy';
import css from './StepsView.module.css';
import type { Step } from './steps';

const BUCKETS = 180;

/** Where the sessions of the step were over its time, and how many slots were idle. */
export function StepOccupancy({ step, places }: { step: Step; places: readonly string[] }) {
  const run = useRun();
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const { batch, done90_s } = step;
  const answer = useAnswer(`occupancy ${run} ${batch.batch} ${batch.end_s}`, (source, signal) =>
    source.occupancy(
      run,
      { batch: batch.batch },
      { from: batch.start_s, to: batch.start_s + batch.wall_s, buckets: BUCKETS },
      signal,
    ),
  );
  const occupancy = answer.data;
  const columns = useMemo(() => occupancy && stackColumns(occupancy, places), [occupancy, places]);
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => {
      if (!columns) return;
      const idle = batch.tail_s > 0 ? Math.round(batch.tail_cost_s / batch.tail_s) : 0;
      const picture = { columns, order: places, slots: batch.slots, wall_s: batch.wall_s, done90_s, idle };
      drawOccupancy(g, picture, size, palette);
    },
    [columns, places, batch, done90_s, size, palette],
  );
  useCanvas(canvas, size, draw);
  return (
    <>
      {answer.error && <Failure answer={answer} />}
      <div className={css.occupancy} ref={host}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Sessions of ${step.name} by stage over its time${columns ? `, at most ${count(most(columns))} at once` : ''}`}
        />
      </div>
    </>
  );
}

function most(columns: readonly (readonly number[])[]): number {
  return Math.round(Math.max(0, ...(columns[1] ?? [])));
}
