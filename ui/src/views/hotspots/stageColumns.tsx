import type { ReactNode } from 'react';
import { usePalette } from '../../colour/usePalette';
import type { StageStats } from '../../data/types';
import type { Column } from '../../kit/DataTable';
import { Count, Duration } from '../../kit/numbers';
import { StageName } from '../../kit/Swatch';
import { percent } from '../../text/count';
import type { LogAxis } from './distribution';
import { DistributionAxis, MiniHistogram } from './MiniHistogram';
import type { OpenAges } from './openAges';
import css from './StageTable.module.css';
import type { StageRow } from './stageRows';

const DISTRIBUTION_WIDTH = 132;

export type ColumnOptions = {
  bounds: readonly number[];
  axis: LogAxis;
  open: ReadonlyMap<string, OpenAges>;
  /** The largest share: its bar is as wide as the column. */
  most: number;
  /** Not enough room: columns that others make up for are left out. */
  narrow: boolean;
};

export function stageColumns({ bounds, axis, open, most, narrow }: ColumnOptions): Column<StageRow>[] {
  const columns: Column<StageRow>[] = [
    { key: 'stage', head: 'Stage', width: 'minmax(190px, 1fr)', cell: (r) => <Name row={r} /> },
    time('self', 'Self', (r) => r.self_s, true),
    { key: 'share', head: 'Share', width: '164px', cell: (r) => <ShareBar row={r} most={most} /> },
    stat('total', 'Total', '72px', (s) => <Duration s={s.total_s} />),
    stat('count', 'Count', '56px', (s) => <Count n={s.count} />),
    stat('open', 'Open', '42px', (s) => <Count n={s.open_count} />),
    stat('errors', 'Errors', '46px', (s) => (
      <span className={s.error_count > 0 ? 'bad' : ''}>
        <Count n={s.error_count} />
      </span>
    )),
    {
      key: 'distribution',
      head: (
        <span className={css.distribution}>
          <DistributionAxis axis={axis} width={DISTRIBUTION_WIDTH} />
        </span>
      ),
      width: `${DISTRIBUTION_WIDTH + 24}px`,
      overflow: true,
      cell: (r) =>
        r.stats && (
          <span className={css.distribution}>
            <MiniHistogram
              stats={r.stats}
              bounds={bounds}
              axis={axis}
              width={DISTRIBUTION_WIDTH}
              open={open.get(r.place)}
            />
          </span>
        ),
    },
    stat('avg', 'Avg', '64px', (s) => <Duration s={s.avg_s} />),
    stat('p50', 'p50', '64px', (s) => <Duration s={s.p50_s} />),
    stat('p95', 'p95', '64px', (s) => (
      <b>
        <Duration s={s.p95_s} />
      </b>
    )),
    stat('p99', 'p99', '64px', (s) => <Duration s={s.p99_s} />),
    stat('max', 'Max', '64px', (s) => <Duration s={s.max_s} />),
  ];
  return narrow ? columns.filter((c) => c.key !== 'avg' && c.key !== 'total') : columns;
}

function time(key: string, head: string, value: (row: StageRow) => number, bold: boolean): Column<StageRow> {
  return {
    key,
    head,
    width: '72px',
    right: true,
    cell: (r) => {
      const s = value(r);
      if (s === 0) return <span className="zero">0 s</span>;
      return bold ? (
        <b>
          <Duration s={s} />
        </b>
      ) : (
        <Duration s={s} />
      );
    },
  };
}

/** A column that only stages have; waits have no calls. */
function stat(
  key: string,
  head: string,
  width: string,
  cell: (stats: StageStats) => ReactNode,
): Column<StageRow> {
  return { key, head, width, right: true, cell: (r) => r.stats && cell(r.stats) };
}

function Name({ row }: { row: StageRow }) {
  if (row.kind === 'sum') return <b>{row.place}</b>;
  return (
    <>
      <StageName place={row.place} />
      {row.kind === 'wait' && <span className={css.tag}>wait</span>}
      {row.kind === 'below' && <span className={css.tag}>until the verdict</span>}
    </>
  );
}

function ShareBar({ row, most }: { row: StageRow; most: number }) {
  const palette = usePalette();
  if (row.kind === 'below') return <span className={css.track} />;
  if (row.kind === 'sum') {
    return (
      <>
        <span className={css.track} />
        <b className={css.share} title={`${row.share * 100} %`}>
          {percent(row.share)}
        </b>
      </>
    );
  }
  const width = row.share > 0 ? `max(2px, ${(100 * row.share) / most}%)` : 0;
  const background = row.kind === 'wait' ? palette.tokens['wait-ink'] : palette.stage(row.place);
  return (
    <>
      <span className={css.track}>
        <i style={{ width, background }} />
      </span>
      <span className={`${css.share} ${row.share === 0 ? 'zero' : ''}`} title={`${row.share * 100} %`}>
        {percent(row.share)}
      </span>
    </>
  );
}
