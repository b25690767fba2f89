import { useMemo } from 'react';
import type { LaneSort } from '../../lanes/arrange';
import { LANE_SORTS } from '../../lanes/arrange';
import type { Span } from '../../lanes/axis';
import { MOST_ROWS } from '../../lanes/nesting';
import type { Axis } from '../../lanes/scene';
import { useRoute } from '../../route/useRoute';
import { parseNames, parseSpan } from '../../route/values';
import type { LaneKind } from './useTimeline';

export type Lanes = 'group' | LaneKind;
export type Depth = 'leaf' | '2' | '4' | 'all';

export const LANES: readonly Lanes[] = ['group', 'session', 'task', 'worker', 'lane'];
export const DEPTHS: readonly Depth[] = ['leaf', '2', '4', 'all'];

/** What the address says about the timeline; what it does not say is decided by the data. */
export type TimelineState = {
  lanes: Lanes | null;
  sort: LaneSort;
  axis: Axis;
  depth: Depth | null;
  /** Epoch seconds on the clock, seconds since the start of each lane on the normalised axis; null: everything. */
  t: Span | null;
  sel: Span | null;
  selLanes: { first: string; last: string } | null;
  span: string | null;
  find: string;
  pins: ReadonlySet<string>;
};

export function useTimelineState(): TimelineState {
  const { params } = useRoute();
  return useMemo(() => timelineState(params), [params]);
}

export function timelineState(params: Readonly<Record<string, string>>): TimelineState {
  const one = <T extends string>(key: string, known: readonly T[]) => known.find((k) => k === params[key]);
  const first = params.sel_from;
  return {
    lanes: one('lanes', LANES) ?? null,
    sort: one('sort', LANE_SORTS) ?? 'slowest',
    axis: one('axis', ['clock', 'start'] as const) ?? 'clock',
    depth: one('depth', DEPTHS) ?? null,
    t: parseSpan(params.t),
    sel: parseSpan(params.sel),
    selLanes: first === undefined ? null : { first, last: params.sel_to ?? first },
    span: params.span ?? null,
    find: params.find ?? '',
    pins: new Set(parseNames(params.pin)),
  };
}

export function rowsOf(depth: Depth): number {
  return depth === 'leaf' ? 1 : depth === 'all' ? MOST_ROWS : Number(depth);
}
