import { useRef, useState } from 'react';
import { EmptyState } from '../../kit/EmptyState';
import type { Route } from '../../route/address';
import { counted } from '../../text/count';
import { AxisStrip } from './AxisStrip';
import type { Chart, Group } from './boards';
import { ChartRow } from './ChartRow';
import css from './ChartsView.module.css';
import type { ChartsState } from './chartsState';
import { LaneStrip } from './LaneStrip';
import type { Marks } from './marks';
import { NumbersPane } from './NumbersPane';
import { useChartKeys } from './useChartKeys';
import { useWheel } from './useWheel';
import type { ChartWindow } from './window';

/** More than anybody scrolls through: the search finds the others. */
const MOST_CHARTS = 300;

type Props = {
  groups: readonly Group[];
  state: ChartsState;
  window: ChartWindow;
  marks: Marks;
  timeline: Route | null;
  onExtent: (from: number, to: number) => void;
};

/** All charts below one axis, state lanes below them. */
export function ChartList({ groups, state, window, marks, timeline, onExtent }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState(0);
  const charts = groups.flatMap((g) => g.charts);
  const shown = firstOf(groups, MOST_CHARTS);
  const numbers = charts.find((c) => c.id === state.numbers);
  useWheel(scroller, window, state.axis);
  useChartKeys({
    state,
    window,
    timeline,
    ids: shown.flatMap((g) => g.charts.map((c) => c.id)),
    move: (by) => setMoved((n) => n + by),
  });
  return (
    <div className={css.view}>
      <AxisStrip window={window} axis={state.axis} marks={marks} charts={counted(charts.length, 'chart')} />
      <div className={css.scroller} ref={scroller}>
        {shown.map((group) => (
          <div key={group.title}>
            {group.title && <h2 className={css.group}>{group.title}</h2>}
            {group.charts.map((chart) => (
              <ChartRow key={chart.id} {...{ chart, state, window, marks, moved, onExtent }} />
            ))}
          </div>
        ))}
        {charts.length > MOST_CHARTS && (
          <p className={css.more}>
            and {counted(charts.length - MOST_CHARTS, 'more chart')}: find them by their name above
          </p>
        )}
        {charts.length === 0 && <Nothing find={state.find} />}
      </div>
      {numbers && <NumbersPane key={numbers.id} chart={numbers} state={state} window={window} />}
      {state.axis === 'clock' && <LaneStrip window={window} />}
    </div>
  );
}

function Nothing({ find }: { find: string }) {
  if (find)
    return (
      <EmptyState title={`No metric of this board has “${find}” in its name.`}>
        Look in “All metrics”.
      </EmptyState>
    );
  return <EmptyState title="All charts of this board are hidden." />;
}

function firstOf(groups: readonly Group[], most: number): Group[] {
  let left = most;
  return groups.flatMap((group) => {
    const charts: Chart[] = group.charts.slice(0, Math.max(0, left));
    left -= charts.length;
    return charts.length > 0 ? [{ ...group, charts }] : [];
  });
}
