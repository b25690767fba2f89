import type { Span } from '../../lanes/axis';
import type { Line, Picture } from './lines';
import { positive, type YScale, yScale } from './scale';
import { smoothed } from './smooth';

type Values = (number | null)[];

/** What one column of the plot is: a line, the faint line behind it, or an edge of its band. */
export type Column = { role: 'line' | 'raw' | 'low' | 'high'; line: number };

export type Columns = { data: [readonly number[], ...Values[]]; columns: Column[]; scale: YScale };

/** The columns of a plot, back to front. What is smoothed has its raw line behind it, and no band of what raw points stand for. */
export function columnsOf(
  { x, lines }: Pick<Picture, 'x' | 'lines'>,
  { smooth, log }: { smooth: number; log: boolean },
  view: Span,
): Columns {
  const columns: Column[] = [];
  const values: Values[] = [];
  const add = (role: Column['role'], line: number, column: Values) => {
    columns.push({ role, line });
    values.push(column);
  };
  lines.forEach((line, i) => {
    if (line.low && line.high && (smooth === 0 || line.spread)) {
      add('high', i, line.high);
      add('low', i, line.low);
    }
  });
  lines.forEach((line, i) => {
    if (smooth > 0) add('raw', i, line.y);
  });
  lines.forEach((line, i) => {
    add('line', i, shownLine(line, smooth));
  });
  const scale = yScale(
    values.map((column) => inSight(x, column, view)),
    log,
  );
  const drawn = scale.log ? values.map(positive) : values;
  return { data: [x, ...drawn], columns, scale };
}

/** The line as it is drawn: the legend tells its values. */
export function shownLine(line: Line, smooth: number): Values {
  return smooth > 0 ? smoothed(line.y, smooth) : line.y;
}

/** Zooming in makes room for what is there; where nothing is, all decides. */
function inSight(x: readonly number[], values: Values, { from, to }: Span): Values {
  const seen = values.filter((_, i) => x[i]! >= from && x[i]! <= to);
  return seen.some((v) => v !== null) ? seen : values;
}
