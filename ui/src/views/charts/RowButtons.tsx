import { setParams } from '../../route/useRoute';
import { formatNames } from '../../route/values';
import type { Chart } from './boards';
import css from './ChartRow.module.css';
import type { ChartsState } from './chartsState';

/** Pin, numbers, hide: seen when the row is pointed at or has the focus. */
export function RowButtons({ chart, state }: { chart: Chart; state: ChartsState }) {
  const pinned = state.pins.includes(chart.id);
  return (
    <span className={css.buttons}>
      <button
        type="button"
        aria-pressed={pinned}
        aria-label={`Pin ${chart.title}`}
        title={pinned ? 'Take off the top of every board (P)' : 'Keep on top of every board (P)'}
        onClick={() => togglePin(state, chart.id)}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path
            d="M4 1h4v4l1.5 2h-7L4 5zM6 7v4.5"
            fill={pinned ? 'currentColor' : 'none'}
            stroke="currentColor"
            strokeWidth="1.2"
          />
        </svg>
      </button>
      <button
        type="button"
        aria-pressed={state.numbers === chart.id}
        aria-label={`Numbers of ${chart.title}`}
        title="Show numbers (N)"
        onClick={() => toggleNumbers(state, chart.id)}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path
            d="M1 1.5h10v9H1zM1 4.5h10M1 7.5h10M5 1.5v9"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.2"
          />
        </svg>
      </button>
      <button
        type="button"
        aria-label={`Hide ${chart.title}`}
        title="Hide (X)"
        onClick={() => hide(state, chart.id)}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path d="M2 2l8 8M10 2l-8 8" stroke="currentColor" strokeWidth="1.4" />
        </svg>
      </button>
    </span>
  );
}

export function togglePin({ pins }: ChartsState, id: string): void {
  const next = pins.includes(id) ? pins.filter((p) => p !== id) : [...pins, id];
  setParams({ pin: formatNames(next) });
}

export function toggleNumbers({ numbers }: ChartsState, id: string): void {
  setParams({ numbers: numbers === id ? undefined : id });
}

/** What is pinned is only unpinned; else it is not shown on any board until asked for. */
export function hide({ pins, hidden, numbers }: ChartsState, id: string): void {
  const open = numbers === id ? { numbers: undefined } : {};
  if (pins.includes(id)) setParams({ pin: formatNames(pins.filter((p) => p !== id)), ...open });
  else setParams({ hide: formatNames([...hidden, id]), ...open });
}
