import { useKeys } from '../../kit/keys';
import { zoomed } from '../../lanes/axis';
import type { Route } from '../../route/address';
import { push, setParams } from '../../route/useRoute';
import type { ChartsState } from './chartsState';
import { hide, toggleNumbers, togglePin } from './RowButtons';
import { bounded, type ChartWindow } from './window';

const ZOOM = 0.7;
const PAN = 0.15;

type Targets = {
  state: ChartsState;
  window: ChartWindow;
  /** Charts in the order they are shown. */
  ids: readonly string[];
  timeline: Route | null;
  /** Moves the place that is read in the selected chart. */
  move: (by: 1 | -1) => void;
};

/** Zoom and pan as in the timeline, from chart to chart, and what can be done with the selected one. */
export function useChartKeys({ state, window, ids, timeline, move }: Targets): void {
  const { view, whole, setView } = window;
  const zoom = (factor: number) =>
    setView(bounded(zoomed(view, (view.from + view.to) / 2, factor), whole, state.axis));
  const pan = (share: number) => {
    if (!window.settled) return;
    const by = (view.to - view.from) * share;
    setView({ from: view.from + by, to: view.to + by });
  };
  const go = (by: number) => {
    if (ids.length === 0) return;
    const at = state.chart === null ? -1 : ids.indexOf(state.chart);
    setParams({
      chart: ids[Math.min(ids.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : ids.length - 1) : at + by))],
    });
  };
  const selected = (act: (id: string) => void) => () => {
    if (state.chart === null || !ids.includes(state.chart)) return false;
    act(state.chart);
  };
  useKeys([
    { key: 'w', does: 'Zoom in', run: () => zoom(ZOOM) },
    { key: 's', does: 'Zoom out', run: () => zoom(1 / ZOOM) },
    { key: 'a', does: 'Earlier', run: () => pan(-PAN) },
    { key: 'd', does: 'Later', run: () => pan(PAN) },
    { key: 'f', does: 'Fit everything', run: () => setView(null) },
    { key: 'j', does: 'Next chart', run: () => go(1) },
    { key: 'k', does: 'Previous chart', run: () => go(-1) },
    { key: 'ArrowDown', does: 'Next chart', run: () => go(1) },
    { key: 'ArrowUp', does: 'Previous chart', run: () => go(-1) },
    { key: 'ArrowRight', does: 'Next point of the chart', run: selected(() => move(1)) },
    { key: 'ArrowLeft', does: 'Previous point of the chart', run: selected(() => move(-1)) },
    { key: 'n', does: 'Show the numbers of the chart', run: selected((id) => toggleNumbers(state, id)) },
    { key: 'p', does: 'Pin the chart on top, or take it off', run: selected((id) => togglePin(state, id)) },
    { key: 'x', does: 'Hide the chart', run: selected((id) => hide(state, id)) },
    { key: 'l', does: 'Logarithmic scale', run: () => setParams({ scale: state.log ? undefined : 'log' }) },
    { key: 't', does: 'This window in the timeline', run: () => (timeline ? push(timeline) : false) },
    {
      key: 'Escape',
      does: 'Close, clear, go up',
      run: () => {
        if (state.numbers !== null) setParams({ numbers: undefined });
        else if (state.chart !== null) setParams({ chart: undefined });
        else if (state.find) setParams({ find: undefined });
        else return false;
      },
    },
  ]);
}
