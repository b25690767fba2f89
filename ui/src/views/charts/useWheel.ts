import { type RefObject, useEffect, useRef } from 'react';
import { zoomed } from '../../lanes/axis';
import { LABEL_PX } from '../../lanes/scene';
import type { ChartAxis } from './chartsState';
import { bounded, type ChartWindow } from './window';

/** As in the timeline. */
const WHEEL = 0.0022;

/** Ctrl (and pinching) zooms, Shift and sideways pans; else the charts scroll. */
export function useWheel(element: RefObject<HTMLElement | null>, window: ChartWindow, axis: ChartAxis): void {
  const latest = useRef({ window, axis });
  latest.current = { window, axis };
  useEffect(() => {
    const host = element.current;
    if (!host) return;
    const onWheel = (event: WheelEvent) => {
      const { view, whole, setView, settled } = latest.current.window;
      const width = host.clientWidth - LABEL_PX;
      const span = view.to - view.from;
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        if (!settled) return;
        const by = (((event.shiftKey ? event.deltaY : event.deltaX) * unit) / Math.max(1, width)) * span;
        setView({ from: view.from + by, to: view.to + by });
      } else if (event.ctrlKey || event.metaKey || event.altKey) {
        const share = (event.clientX - host.getBoundingClientRect().left - LABEL_PX) / Math.max(1, width);
        const at = view.from + Math.min(1, Math.max(0, share)) * span;
        setView(bounded(zoomed(view, at, Math.exp(event.deltaY * unit * WHEEL)), whole, latest.current.axis));
      } else {
        return;
      }
      event.preventDefault();
    };
    host.addEventListener('wheel', onWheel, { passive: false });
    return () => host.removeEventListener('wheel', onWheel);
  }, [element]);
}
