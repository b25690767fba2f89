import { Tooltip } from '../../kit/Tooltip';
import { count } from '../../text/count';
import { exactValue } from '../../text/value';
import css from './ChartRow.module.css';
import type { ChartAxis } from './chartsState';
import { LineMark } from './Legend';
import type { Picture } from './lines';
import type { Marks } from './marks';
import { cellAt, cellText, exactPlace, type Reading } from './readings';

const MOST = 12;

type Props = {
  picture: Picture;
  readings: readonly Reading[];
  at: number;
  /** On the y axis: which bucket of a heat map is meant. */
  height: number;
  axis: ChartAxis;
  unit: string;
  marks: Marks;
  x: number;
  y: number;
};

/** Exact values where the pointer is. */
export function ChartTooltip({ picture, readings, at, height, axis, unit, marks, x, y }: Props) {
  const place = picture.x[at];
  if (place === undefined) return null;
  const cell = picture.heat && cellAt(picture.heat, at, height);
  const step = marks.steps.findLast((s) => s.at <= place);
  const syncs = marks.syncs.filter((s) => s.from <= place && s.to >= place);
  const told = readings.filter((r) => r.y !== null);
  return (
    <Tooltip x={x} y={y}>
      <div className={css.tipHead}>
        <b>{exactPlace(place, axis)}</b>
        {step && <span className="dim">{step.label}</span>}
      </div>
      {syncs.length > 0 && <div>during {[...new Set(syncs.map((s) => s.label))].join(', ')}</div>}
      {cell && <div>{cellText(cell, unit)} observations</div>}
      {!picture.heat && told.length === 0 && <div className="dim">nothing here</div>}
      {told.slice(0, MOST).map((r) => (
        <div key={r.line} className={css.tipLine}>
          <LineMark line={r.line} />
          {r.label && <span className="dim">{r.label}</span>}
          <b>{exactValue(r.y, unit)}</b>
          {r.raw !== r.y && <span className="faint">raw {exactValue(r.raw, unit)}</span>}
          {r.low !== null && r.high !== null && r.low !== r.high && (
            <span className="faint">
              from {exactValue(r.low)} to {exactValue(r.high)}
            </span>
          )}
        </div>
      ))}
      {told.length > MOST && <div className="faint">and {count(told.length - MOST)} more</div>}
    </Tooltip>
  );
}
