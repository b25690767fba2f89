import { useCallback, useRef } from 'react';
import { usePalette } from '../../colour/usePalette';
import type { Session } from '../../data/types';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { count } from '../../text/count';
import type { TimeWindow } from './axis';
import css from './Waterfall.module.css';

type Props = {
  session: Session;
  segments: readonly (readonly [number, number, string])[];
  window: TimeWindow;
  only: string | undefined;
};

const HEIGHT = 12;

/** The accounting in order of time: in which one place it was at each moment. */
export function SegmentStrip({ session, segments, window, only }: Props) {
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(host);
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => {
      const x = (s: number) => ((s - window.from) / (window.to - window.from)) * width;
      for (const [from, to, place] of segments) {
        const [a, b] = [x(from - session.start_s), x(to - session.start_s)];
        if (b < 0 || a > width) continue;
        g.fillStyle = palette.fill(g, place);
        g.globalAlpha = only === undefined || only === place ? 1 : 0.2;
        g.fillRect(a, 0, Math.max(1, b - a), HEIGHT);
      }
      g.globalAlpha = 1;
    },
    [segments, session.start_s, window, width, palette, only],
  );
  useCanvas(canvas, { width, height: HEIGHT }, draw);
  return (
    <div className={css.strip} title="Where it was at each moment: adds up to the bar above">
      <span className={css.label}>where it was</span>
      <div className={css.lane} ref={host}>
        <canvas ref={canvas} aria-label={`${count(segments.length)} pieces of its time in order`} />
      </div>
      <span className={css.time} />
    </div>
  );
}
