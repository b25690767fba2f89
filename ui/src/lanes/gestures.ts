import type { Span } from './axis';
import { OVERVIEW_PX, overviewTime, overviewX } from './drawTop';
import { placeAtY, spanAt } from './hit';
import type { LaneController } from './LaneController';
import { LABEL_PX, pxPerS, timeAt } from './scene';

const CLICK_PX = 3;
const EDGE_PX = 5;
/** Zoom per pixel of a wheel; one notch is about 100. */
const WHEEL = 0.0022;

type Drag = { move(x: number, y: number): void; done?(moved: boolean): void };

/** Pointer and wheel on the lanes and on the strip above them. Returns what takes it all off again. */
export function listen(
  controller: LaneController,
  top: HTMLCanvasElement,
  lanes: HTMLCanvasElement,
): () => void {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    target: HTMLElement,
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
  ) => target.addEventListener(type, handle, { signal: stop.signal, passive: false });

  on(lanes, 'pointerdown', (event) => {
    if (event.button !== 0 || !controller.scene) return;
    const [x, y] = at(lanes, event);
    follow(
      lanes,
      event,
      event.shiftKey && x >= LABEL_PX ? areaDrag(controller, x, y) : panDrag(controller, x, y),
    );
  });
  on(top, 'pointerdown', (event) => {
    if (event.button !== 0 || !controller.scene) return;
    const [x, y] = at(top, event);
    if (x < LABEL_PX) return;
    follow(top, event, y < OVERVIEW_PX ? brushDrag(controller, x) : areaDrag(controller, x, null));
  });
  on(lanes, 'pointermove', (event) => {
    if (event.buttons !== 0 || !controller.scene) return;
    const [x, y] = at(lanes, event);
    const span = spanAt(controller.scene, controller.looking, x, y);
    controller.setHover(span);
    controller.events.onHover(span < 0 ? null : { span, x: event.clientX, y: event.clientY });
  });
  on(lanes, 'pointerleave', () => {
    controller.setHover(-1);
    controller.events.onHover(null);
  });
  on(lanes, 'dblclick', (event) => {
    if (!controller.scene) return;
    const [x, y] = at(lanes, event);
    const span = spanAt(controller.scene, controller.looking, x, y);
    if (span >= 0) controller.zoomToSpan(span);
  });
  on(top, 'dblclick', () => controller.setView(null));
  on(lanes, 'wheel', (event) => wheel(controller, event, at(lanes, event)[0], false));
  on(top, 'wheel', (event) => wheel(controller, event, at(top, event)[0], true));
  return () => stop.abort();
}

function at(canvas: HTMLElement, event: MouseEvent): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function follow(canvas: HTMLElement, down: PointerEvent, drag: Drag): void {
  const done = new AbortController();
  let moved = false;
  canvas.setPointerCapture(down.pointerId);
  const options = { signal: done.signal };
  canvas.addEventListener(
    'pointermove',
    (event) => {
      if (!moved && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < CLICK_PX) return;
      moved = true;
      drag.move(...at(canvas, event));
    },
    options,
  );
  const end = () => {
    done.abort();
    drag.done?.(moved);
  };
  canvas.addEventListener('pointerup', end, options);
  canvas.addEventListener('pointercancel', () => done.abort(), options);
}

/** Moves what is in sight; without moving it is a click. */
function panDrag(controller: LaneController, x0: number, y0: number): Drag {
  const view = { ...controller.looking.view };
  const scroll = controller.scroller.scrollTop;
  const scale = pxPerS(controller.looking);
  return {
    move(x, y) {
      controller.events.onHover(null);
      const by = (x0 - x) / scale;
      if (x0 >= LABEL_PX) controller.setView({ from: view.from + by, to: view.to + by });
      controller.scroller.scrollTop = scroll + y0 - y;
    },
    done(moved) {
      if (moved || !controller.scene) return;
      const { scene, looking } = controller;
      if (x0 >= LABEL_PX) {
        controller.events.onSelect(spanAt(scene, looking, x0, y0));
        return;
      }
      const place = placeAtY(scene, looking, y0);
      if (place >= 0) controller.events.onSelect(scene.table.laneFirst[scene.arrangement.order[place]!]!);
    },
  };
}

/** @param y0 null: the whole height, as on the axis */
function areaDrag(controller: LaneController, x0: number, y0: number | null): Drag {
  const start = timeAt(controller.looking, x0);
  return {
    move(x, y) {
      const { scene, looking } = controller;
      if (!scene) return;
      const time = timeAt(looking, Math.min(Math.max(x, LABEL_PX), looking.width));
      let lanes = null;
      if (y0 !== null) {
        const last = scene.arrangement.order.length - 1;
        const placeOf = (height: number) => {
          const place = placeAtY(scene, looking, Math.min(Math.max(height, 0), looking.height - 1));
          return place < 0 ? last : place;
        };
        const [a, b] = [placeOf(y0), placeOf(y)];
        lanes = { first: Math.min(a, b), last: Math.max(a, b) };
      }
      controller.setArea({ from: Math.min(start, time), to: Math.max(start, time), lanes });
    },
    done(moved) {
      if (!moved) controller.setArea(null);
      controller.events.onArea(controller.looking.area);
    },
  };
}

/** Inside: moves the window. On an edge: moves that edge. Elsewhere: draws a new one. */
function brushDrag(controller: LaneController, x0: number): Drag {
  const { scene, looking } = controller;
  if (!scene) return { move() {} };
  const view: Span = { ...looking.view };
  const [left, right] = [overviewX(scene, looking, view.from), overviewX(scene, looking, view.to)];
  const time = (x: number) => overviewTime(scene, looking, x);
  const start = time(x0);
  if (Math.abs(x0 - left) <= EDGE_PX || Math.abs(x0 - right) <= EDGE_PX) {
    const fixed = Math.abs(x0 - left) <= EDGE_PX ? view.to : view.from;
    return { move: (x) => controller.setView(between(fixed, time(x))) };
  }
  if (x0 > left && x0 < right && !controller.fitted) {
    return {
      move: (x) => controller.setView({ from: view.from + time(x) - start, to: view.to + time(x) - start }),
    };
  }
  return { move: (x) => controller.setView(between(start, time(x))) };
}

function between(a: number, b: number): Span {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}

/** Ctrl (and pinching) zooms, sideways pans; up and down scrolls the lanes, or zooms where there is nothing to scroll. */
function wheel(controller: LaneController, event: WheelEvent, x: number, aboveLanes: boolean): void {
  const unit = event.deltaMode === 1 ? 16 : 1;
  const sideways = event.shiftKey ? event.deltaY : event.deltaX;
  const { scroller, looking } = controller;
  const scrolls = !aboveLanes && scroller.scrollHeight > scroller.clientHeight + 1;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    controller.pan((sideways * unit) / Math.max(1, looking.width));
  } else if (event.ctrlKey || event.metaKey || event.altKey || !scrolls) {
    const pinch = event.ctrlKey && Math.abs(event.deltaY) < 40 && event.deltaMode === 0 ? 5 : 1;
    controller.zoom(Math.exp(event.deltaY * unit * WHEEL * pinch), Math.max(x, LABEL_PX));
  } else {
    return;
  }
  event.preventDefault();
}
