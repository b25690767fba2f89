import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useSize } from '../../kit/useCanvas';
import css from './ChartRow.module.css';
import { type Plotted, plotOptions } from './plotOptions';

type Props = Plotted & {
  /** Place in x that the keyboard points at. */
  at: number | null;
};

/** The lines or the heat map of one chart. Its window, marks and pointer are those of all charts. */
export function Plot(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot | null>(null);
  const latest = useRef<Plotted>(props);
  latest.current = props;
  const size = useSize(host);
  const { picture, columns, palette, view, marks, focus, at } = props;
  const structure = `${picture.heat !== null} ${columns.scale.log} ${columns.columns.map((c) => c.role + c.line)}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot for other lines, another scale, theme or the first size
  useEffect(() => {
    if (!host.current || size.width === 0) return;
    const plot = new uPlot(
      plotOptions(latest, size.width, size.height),
      dataOf(latest.current) as uPlot.AlignedData,
      host.current,
    );
    made.current = plot;
    return () => {
      plot.destroy();
      made.current = null;
    };
  }, [structure, palette, size.width > 0]);

  useEffect(() => {
    if (size.width > 0) made.current?.setSize(size);
  }, [size]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is drawn has changed
  useEffect(() => {
    const plot = made.current;
    const data = dataOf(latest.current);
    if (plot && plot.series.length === data.length) plot.setData(data as uPlot.AlignedData);
  }, [picture, columns, view, marks, focus]);

  useEffect(() => {
    const plot = made.current;
    const x = at === null ? undefined : latest.current.picture.x[at];
    if (!plot || x === undefined) return;
    plot.setCursor({ left: plot.valToPos(x, 'x'), top: 1 });
  }, [at]);

  return <div ref={host} className={css.plot} aria-hidden="true" />;
}

/** A plot has one column at least; a heat map draws its cells itself. */
function dataOf({ picture, columns }: Plotted): readonly (readonly (number | null)[])[] {
  return picture.heat ? [picture.x, picture.x.map(() => null)] : columns.data;
}
