import type { ReactNode } from 'react';
import { Button } from '../../kit/Button';
import { FilterBar } from '../../kit/FilterBar';
import { Segmented } from '../../kit/Segmented';
import type { LaneSort } from '../../lanes/arrange';
import type { Axis } from '../../lanes/scene';
import { formatAddress, type Route } from '../../route/address';
import { setParams } from '../../route/useRoute';
import css from './TimelineControls.module.css';
import type { Depth, Lanes } from './timelineState';

const SORTS: readonly (readonly [LaneSort, string])[] = [
  ['slowest', 'Slowest'],
  ['start', 'Start'],
  ['name', 'Name'],
  ['worker', 'Worker'],
];
const AXES: readonly (readonly [Axis, string])[] = [
  ['clock', 'Clock'],
  ['start', 'From start'],
];
const DEPTH_NAMES: readonly (readonly [Depth, string])[] = [
  ['leaf', 'Leaf'],
  ['2', '2'],
  ['4', '4'],
  ['all', 'Nested'],
];
const LANE_NAMES: readonly (readonly [Lanes, string])[] = [
  ['group', 'By task'],
  ['session', 'Session'],
  ['task', 'Task'],
  ['worker', 'Worker'],
  ['lane', 'State'],
];

type Props = {
  lanes: Lanes;
  sort: LaneSort;
  axis: Axis;
  depth: Depth;
  /** Where the metrics of what is in sight are; null where there are none. */
  charts: Route | null;
  children: ReactNode;
};

/** Filters, and below them how the lanes are made, sorted and drawn. */
export function TimelineControls({ lanes, sort, axis, depth, charts, children }: Props) {
  const clearView = { t: undefined, sel: undefined, sel_from: undefined, sel_to: undefined };
  return (
    <>
      <FilterBar>{children}</FilterBar>
      <div className={css.controls}>
        <Segmented
          label="Lanes"
          value={lanes}
          options={LANE_NAMES}
          onChange={(v) =>
            setParams({ lanes: v, sel_from: undefined, sel_to: undefined, depth: undefined }, 'push')
          }
        />
        <Segmented
          label="Sort"
          value={sort}
          options={SORTS}
          onChange={(v) => setParams({ sort: v, sel_from: undefined, sel_to: undefined })}
        />
        <Segmented
          label="Axis"
          value={axis}
          options={AXES}
          onChange={(v) => setParams({ axis: v, ...clearView })}
        />
        <Segmented
          label="Depth"
          value={depth}
          options={DEPTH_NAMES}
          onChange={(v) => setParams({ depth: v })}
        />
        {charts && (
          <span className={css.charts}>
            <Button small keyName="C" href={formatAddress(charts)} title="Metrics of this window">
              Charts
            </Button>
          </span>
        )}
      </div>
    </>
  );
}
