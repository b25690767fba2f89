import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useSize } from '../kit/useCanvas';
import { OVERVIEW_PX, TOP_PX } from './drawTop';
import { listen } from './gestures';
import css from './LaneCanvas.module.css';
import { LaneController, type LaneEvents } from './LaneController';
import type { Scene } from './scene';

type Props = {
  scene: Scene;
  events: LaneEvents;
  /** What a screen reader says of the canvas: the current lane and span, as the tooltip does. */
  label: string;
  /** Only the lanes: what is around them has its own axis. */
  bare?: boolean;
  ref?: Ref<LaneController | null>;
};

/** Overview, axis and lanes. The scrollbar is the browser's; the canvas stays in place and is drawn anew. */
export function LaneCanvas({ scene, events, label, bare = false, ref }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const [controller, setController] = useState<LaneController | null>(null);
  const latest = useRef(events);
  latest.current = events;

  useLayoutEffect(() => {
    const made = new LaneController(top.current!, lanes.current!, host.current!, {
      onView: (...a) => latest.current.onView(...a),
      onHover: (...a) => latest.current.onHover(...a),
      onSelect: (...a) => latest.current.onSelect(...a),
      onArea: (...a) => latest.current.onArea(...a),
    });
    const silence = listen(made, top.current!, lanes.current!);
    host.current!.addEventListener('scroll', made.onScroll, { passive: true });
    const scroller = host.current!;
    setController(made);
    return () => {
      silence();
      scroller.removeEventListener('scroll', made.onScroll);
      made.close();
    };
  }, []);
  useImperativeHandle(ref, () => controller as LaneController, [controller]);
  useLayoutEffect(() => controller?.setScene(scene), [controller, scene]);
  useEffect(() => controller?.resize(size.width, size.height), [controller, size]);

  return (
    <div className={css.frame}>
      <canvas
        ref={top}
        className={css.top}
        style={{ height: TOP_PX }}
        data-overview-px={OVERVIEW_PX}
        hidden={bare}
      />
      <div ref={host} className={`${css.scroller} ${bare ? css.bare : ''}`}>
        <div className={css.content} style={{ height: scene.arrangement.totalHeight }}>
          <canvas ref={lanes} className={css.lanes} tabIndex={0} role="img" aria-label={label} />
        </div>
      </div>
    </div>
  );
}
