import {
  createElement,
  Fragment,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePalette } from '../../colour/usePalette';
import { Failure } from '../../kit/Pane';
import type { Chart } from './boards';
import css from './ChartRow.module.css';
import { ChartTooltip } from './ChartTooltip';
import { type ChartAxis, type ChartsState, SMOOTHING } from './chartsState';
import { columnsOf } from './columns';
import { HeatLegend, Legend } from './Legend';
import type { Picture } from './lines';
import type { Marks } from './marks';
import { unitOf } from './metricNames';
import { Plot } from './Plot';
import { howRead } from './question';
import { RowButtons } from './RowButtons';
import { placeText, readingsOf, readOut, stepPlace } from './readings';
import { useChartData } from './useChartData';
import { useVisible } from './useVisible';
import type { ChartWindow } from './window';

/** Rows of the legend that fit, by height of the chart. */
const LEGEND_ROOM = { small: 4, tall: 10 };

type Props = {
  chart: Chart;
  state: ChartsState;
  window: ChartWindow;
  marks: Marks;
  /** Tells which part of the axis its data cover. */
  onExtent: (from: number, to: number) => void;
  /** Counts up when the keyboard moves the place that is read: by how much in all. */
  moved: number;
};

/** One chart: name and values on the left, the picture on the right, on the same axis as all others. */
export const ChartRow = memo(function ChartRow({ chart, state, window, marks, onExtent, moved }: Props) {
  const row = useRef<HTMLElement>(null);
  const visible = useVisible(row);
  const palette = usePalette();
  const { answer, picture } = useChartData(chart, state, window.settled, visible);
  const { view, setView } = window;
  const smooth = SMOOTHING[state.smooth];
  const { log } = state;
  const columns = useMemo(
    () => picture && columnsOf(picture, { smooth, log }, view),
    [picture, smooth, log, view],
  );
  const [at, setAt] = useState<number | null>(null);
  const [height, setHeight] = useState(0);
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const [focus, setFocus] = useState<number | null>(null);
  const selected = state.chart === chart.id;
  const unit = unitOf(chart.metrics[0]!);
  const place = picture && at !== null && at < picture.x.length ? at : null;
  const readings = useMemo(
    () => (picture ? readingsOf(picture, smooth, place, view) : []),
    [picture, smooth, place, view],
  );

  useEffect(() => {
    if (picture && picture.x.length > 0 && !answer.stale) onExtent(picture.x[0]!, picture.x.at(-1)!);
  }, [picture, answer.stale, onExtent]);
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  const seenMoves = useRef(moved);
  const [keyed, setKeyed] = useState<number | null>(null);
  useEffect(() => {
    const by = moved - seenMoves.current;
    seenMoves.current = moved;
    if (selected && picture && by !== 0) setKeyed(stepPlace(picture.x, at, by, view));
  }, [moved, selected, picture, at, view]);

  const hint = howRead(chart, state);
  const notes = [
    hint,
    columns?.scale.leftOut ? 'some at or below zero' : '',
    log && columns && !columns.scale.log && !picture?.heat ? 'nothing above zero: linear' : '',
  ];
  const onPointer = (event: PointerEvent) => setPointer({ x: event.clientX, y: event.clientY });
  return (
    <section
      ref={row}
      aria-label={chart.title}
      className={`${css.row} ${state.tall ? css.tall : ''} ${selected ? css.selected : ''}`}
      data-chart={chart.id}
    >
      <div className={css.about}>
        <header>
          <h3 title={chart.metrics.map((m) => m.name).join('\n')}>{breakable(chart.title)}</h3>
          <RowButtons chart={chart} state={state} />
        </header>
        <p className="cut" title={notes.filter(Boolean).join(', ')}>
          {notes.filter(Boolean).join(', ')}
        </p>
        {picture?.heat ? (
          <HeatLegend heat={picture.heat} at={place} />
        ) : (
          <Legend
            readings={readings}
            unit={unit}
            room={state.tall ? LEGEND_ROOM.tall : LEGEND_ROOM.small}
            leftOut={picture?.leftOut ?? 0}
            onFocus={setFocus}
          />
        )}
      </div>
      <div className={css.place} onPointerMove={onPointer} onPointerLeave={() => setPointer(null)}>
        {visible && picture && columns && (
          <Plot
            {...{ picture, columns, view, marks, palette, unit, focus }}
            at={keyed}
            onCursor={(index, y) => {
              setAt(index);
              setHeight(y);
            }}
            onZoom={setView}
          />
        )}
        {answer.error ? (
          <Failure answer={answer} />
        ) : (
          <Empty chart={chart} axis={state.axis} picture={picture} slow={answer.slow} />
        )}
      </div>
      {pointer && picture && place !== null && (
        <ChartTooltip
          {...{ picture, readings, marks, unit, height, ...pointer }}
          at={place}
          axis={state.axis}
        />
      )}
      {selected && picture && (
        <output className="hidden">
          {readOut(
            chart.title,
            readings,
            place === null ? 'last' : placeText(picture.x[place]!, state.axis),
            unit,
          )}
        </output>
      )}
    </section>
  );
});

const BREAK = <wbr />;

/** Long names are broken between their words. */
function breakable(name: string): ReactNode {
  const words = name.split(/(?<=[_/:.])/).flatMap((word, i) => (i === 0 ? [word] : [BREAK, word]));
  return createElement(Fragment, null, ...words);
}

type EmptyProps = { chart: Chart; axis: ChartAxis; picture: Picture | null; slow: boolean };

/** Why there is no picture. */
function Empty({ chart, axis, picture, slow }: EmptyProps) {
  if (picture === null) return slow ? <div className={css.empty}>Reading …</div> : null;
  if (picture.heat || picture.lines.some((l) => l.y.some((v) => v !== null))) return null;
  const noSteps = axis === 'step' && chart.metrics.every((m) => !m.has_step);
  return (
    <div className={css.empty}>
      {noSteps
        ? 'Nobody knows which steps these values belong to: see the clock.'
        : 'Nothing in this window.'}
    </div>
  );
}
