import type { RefObject } from 'react';
import { useKeys } from '../../kit/keys';
import type { LaneController } from '../../lanes/LaneController';
import { firstChildOf, parentOf, stepInLane, stepLane } from '../../lanes/rowModel';
import { shiftOf } from '../../lanes/scene';

const ZOOM = 0.7;
const PAN = 0.15;

export type KeyTargets = {
  controller: RefObject<LaneController | null>;
  search: RefObject<HTMLInputElement | null>;
  select(span: number): void;
  open(span: number): void;
  pin(span: number): void;
  zoomToArea(): void;
  /** Takes off one thing; false when there is nothing to take off. */
  clear(): boolean;
  nextGrouping(): void;
};

/** W A S D, F, arrows, comma and full stop, Z, P, G, slash. */
export function useTimelineKeys(targets: KeyTargets): void {
  const with_ = (act: (c: LaneController) => void) => () => {
    const controller = targets.controller.current;
    if (!controller?.scene) return false;
    act(controller);
  };
  const step = (next: (c: LaneController, span: number) => number) =>
    with_((c) => {
      const at = c.looking.selected;
      const span = at < 0 ? c.firstInSight() : next(c, at);
      if (span < 0) return;
      targets.select(span);
      c.reveal(span);
    });
  const lane = (by: 1 | -1) =>
    step((c, span) => stepLane(c.scene!.table, c.scene!.arrangement, span, by, (l) => shiftOf(c.scene!, l)));
  const selected = (act: (span: number) => void) => () => {
    const span = targets.controller.current?.looking.selected ?? -1;
    if (span < 0) return false;
    act(span);
  };
  useKeys([
    { key: 'w', does: 'Zoom in', run: with_((c) => c.zoom(ZOOM)) },
    { key: 's', does: 'Zoom out', run: with_((c) => c.zoom(1 / ZOOM)) },
    { key: 'a', does: 'Earlier', run: with_((c) => c.pan(-PAN)) },
    { key: 'd', does: 'Later', run: with_((c) => c.pan(PAN)) },
    { key: 'f', does: 'Fit everything', run: with_((c) => c.setView(null)) },
    { key: 'z', does: 'Zoom to the selection', run: () => targets.zoomToArea() },
    { key: '.', does: 'Next span of the lane', run: step((c, s) => stepInLane(c.scene!.table, s, 1)) },
    { key: ',', does: 'Previous span of the lane', run: step((c, s) => stepInLane(c.scene!.table, s, -1)) },
    { key: 'ArrowDown', does: 'Lane below', run: lane(1) },
    { key: 'ArrowUp', does: 'Lane above', run: lane(-1) },
    { key: 'ArrowLeft', does: 'Parent of the span', run: step((c, s) => parentOf(c.scene!.table, s)) },
    {
      key: 'ArrowRight',
      does: 'First child of the span',
      run: step((c, s) => firstChildOf(c.scene!.table, s)),
    },
    { key: 'p', does: 'Pin the lane on top, or take it off', run: selected(targets.pin) },
    { key: 'Enter', does: 'Open the session', run: selected(targets.open) },
    { key: 'g', does: 'Other lanes', run: () => targets.nextGrouping() },
    { key: '/', does: 'Find in the picture', run: () => targets.search.current?.focus() },
    { key: 'Escape', does: 'Close, clear, go up', run: () => targets.clear() },
  ]);
}
