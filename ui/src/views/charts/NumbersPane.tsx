import { useMemo } from 'react';
import { CopyButton } from '../../kit/CopyButton';
import { type Column, DataTable } from '../../kit/DataTable';
import { Pane } from '../../kit/Pane';
import { setParams } from '../../route/useRoute';
import { exactValue } from '../../text/value';
import type { Chart } from './boards';
import css from './ChartsView.module.css';
import type { ChartsState } from './chartsState';
import { unitOf } from './metricNames';
import { csvOf, numbersOf, type Row } from './numbers';
import { howRead } from './question';
import { exactPlace } from './readings';
import { useChartData } from './useChartData';
import type { ChartWindow } from './window';

const MOST_COLUMNS = 12;

/** The values of a chart as a table: what it draws, newest first. */
export function NumbersPane({
  chart,
  state,
  window,
}: {
  chart: Chart;
  state: ChartsState;
  window: ChartWindow;
}) {
  const { answer, picture } = useChartData(chart, state, window.settled, true);
  const unit = unitOf(chart.metrics[0]!);
  const { view } = window;
  const numbers = useMemo(
    () => (picture ? numbersOf(picture, unit, view) : { heads: [], rows: [] }),
    [picture, unit, view],
  );
  const columns: Column<Row>[] = [
    {
      key: 'x',
      head: state.axis === 'step' ? 'Step' : 'Time',
      width: '260px',
      cell: (r) => exactPlace(r.x, state.axis),
    },
    ...numbers.heads.slice(0, MOST_COLUMNS).map((head, i) => ({
      key: `${i}`,
      head: <span title={head}>{head || chart.title}</span>,
      width: 'minmax(110px, 1fr)',
      right: true,
      cell: (r: Row) => (r.values[i] === null ? <span className="faint">–</span> : exactValue(r.values[i])),
    })),
  ];
  return (
    <Pane
      title={`Numbers of ${chart.title}`}
      note={[howRead(chart, state), unit].filter(Boolean).join(', ')}
      answer={answer}
      className={css.numbers}
      right={
        <>
          <CopyButton label="Copy as CSV" text={csvOf(numbers, state.axis)} />
          <button
            type="button"
            className={css.close}
            aria-label="Close numbers"
            onClick={() => setParams({ numbers: undefined })}
          >
            ×
          </button>
        </>
      }
    >
      <DataTable
        label={`Numbers of ${chart.title}`}
        columns={columns}
        rows={numbers.rows}
        rowKey={(r) => String(r.x)}
        rowHeight={24}
      />
    </Pane>
  );
}
