import { useEffect, useMemo, useRef, useState } from 'react';
import type { Span } from '../../lanes/axis';
import type { LaneController } from '../../lanes/LaneController';
import type { Area, Scene } from '../../lanes/scene';
import { setParams } from '../../route/useRoute';
import { formatSpan } from '../../route/values';
import type { TimelineState } from './timelineState';

/** After the last move, before the address and the numbers follow. */
const STILL_MS = 200;

/** Epoch seconds to those of the scene and back; the normalised axis has its own zero. */
function shifted(span: Span, scene: Scene, sign: 1 | -1): Span {
  const by = scene.axis === 'clock' ? scene.table.originS * sign : 0;
  return { from: span.from + by, to: span.to + by };
}

/** Keeps the view, the area and the address in step. `still` is what is in sight once it has stopped moving. */
export function useLaneView(controller: LaneController | null, scene: Scene | null, state: TimelineState) {
  const [still, setStill] = useState<Span | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const written = useRef<string | undefined>(undefined);
  const t = state.t ? formatSpan(state.t) : undefined;

  // The address says something else than what we wrote: a link, the Back button, another axis.
  useEffect(() => {
    if (!controller || !scene || t === written.current) return;
    written.current = t;
    controller.setView(state.t ? shifted(state.t, scene, -1) : null);
  }, [controller, scene, t, state.t]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const areaKey = JSON.stringify([state.sel, state.selLanes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all that the area depends on
  const area = useMemo(() => (scene && state.sel ? areaOf(scene, state) : null), [scene, areaKey]);
  useEffect(() => controller?.setArea(area), [controller, area]);

  const onView = (view: Span, fitted: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (!scene) return;
      setStill(view);
      const text = fitted ? undefined : formatSpan(shifted(view, scene, 1));
      if (text === written.current) return;
      written.current = text;
      setParams({ t: text });
    }, STILL_MS);
  };
  const onArea = (next: Area | null) => {
    if (!scene) return;
    const { lanes, order } = { lanes: scene.table.lanes, order: scene.arrangement.order };
    setParams({
      sel: next ? formatSpan(shifted(next, scene, 1)) : undefined,
      sel_from: next?.lanes ? lanes[order[next.lanes.first]!] : undefined,
      sel_to: next?.lanes ? lanes[order[next.lanes.last]!] : undefined,
    });
  };
  const visible = still && scene ? shifted(still, scene, 1) : null;
  return { still, visible, area, onView, onArea };
}

function areaOf(scene: Scene, { sel, selLanes }: TimelineState): Area | null {
  if (!sel) return null;
  const placeOf = (name: string) => scene.arrangement.place[scene.table.lanes.indexOf(name)] ?? -1;
  const [a, b] = selLanes ? [placeOf(selLanes.first), placeOf(selLanes.last)] : [-1, -1];
  const lanes = a < 0 || b < 0 ? null : { first: Math.min(a, b), last: Math.max(a, b) };
  return { ...shifted(sel, scene, -1), lanes };
}
