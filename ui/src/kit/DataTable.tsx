import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import css from './DataTable.module.css';
import { useKeys } from './keys';

export type Column<Row> = {
  key: string;
  head: ReactNode;
  /** A track of CSS grid: '120px', 'minmax(140px, 1fr)'. */
  width: string;
  right?: boolean;
  /** Marks lines that draw over their edge, such as gauges. */
  overflow?: boolean;
  cell: (row: Row) => ReactNode;
};

export type Sort = { key: string; descending: boolean };

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  /** Already sorted: order is the caller's, because some orders are the server's. */
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowHeight?: number;
  /** Columns whose head can be clicked. */
  sortable?: readonly string[];
  sort?: Sort | undefined;
  onSort?: (key: string) => void;
  selected?: string | undefined;
  /** Keeps the selected row in sight when something else selects it. */
  follow?: boolean;
  onSelect?: (row: Row) => void;
  onOpen?: (row: Row) => void;
  /** A click only selects; Enter opens. */
  clickSelects?: boolean;
  /** The row below the pointer, null when it leaves. */
  onHover?: (row: Row | null) => void;
  /** Rows that look as if the pointer were over them: the same thing is pointed at elsewhere. */
  marked?: ((row: Row) => boolean) | undefined;
  /** Names of what J and K go to, for the help: "session". */
  unit?: string;
};

// As in DataTable.module.css.
const GAP = 12;
const PADDING = 16;

/** A table that draws only the rows in sight: 100,000 are fine. J, K and arrows go from row to row, Enter opens. */
export function DataTable<Row>(props: Props<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    rowHeight = 28,
    selected,
    onSelect,
    onOpen,
    onHover,
    marked,
    clickSelects,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
  });
  const template = {
    gridTemplateColumns: columns.map((c) => c.width).join(' '),
    minWidth: leastWidth(columns),
  };
  useRowKeys(props, (index) => virtual.scrollToIndex(index));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the table, new rows do not
  useEffect(() => {
    if (!props.follow || selected === undefined) return;
    const index = rows.findIndex((r) => rowKey(r) === selected);
    if (index >= 0) virtual.scrollToIndex(index);
  }, [selected]);

  return (
    <div className={css.table} ref={scroller} role="table" aria-label={label} aria-rowcount={rows.length}>
      <Head {...props} template={template} />
      <div
        role="rowgroup"
        style={{ height: virtual.getTotalSize(), minWidth: template.minWidth, position: 'relative' }}
      >
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]!;
          const key = rowKey(row);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: J, K and Enter do the same (useRowKeys)
            <div
              key={key}
              role="row"
              aria-rowindex={item.index + 1}
              aria-selected={key === selected}
              data-key={key}
              tabIndex={-1}
              className={`${css.row} ${key === selected ? css.selected : ''} ${marked?.(row) ? css.marked : ''} ${onOpen ? css.opens : ''}`}
              style={{ ...template, height: rowHeight, transform: `translateY(${item.start}px)` }}
              onClick={() => (clickSelects ? onSelect : (onOpen ?? onSelect))?.(row)}
              onPointerEnter={onHover && (() => onHover(row))}
              onPointerLeave={onHover && (() => onHover(null))}
            >
              {columns.map((c) => (
                <div
                  key={c.key}
                  role="cell"
                  className={`${css.cell} ${c.right ? css.right : ''} ${c.overflow ? '' : css.cut}`}
                >
                  {c.cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Below this the table scrolls sideways; all rows have the same width, so that columns line up. */
export function leastWidth(columns: readonly { width: string }[]): number {
  const least = columns.reduce((sum, c) => sum + Number(/[\d.]+/.exec(c.width)?.[0] ?? 0), 0);
  return least + (columns.length - 1) * GAP + 2 * PADDING;
}

function Head<Row>({ columns, sort, sortable = [], onSort, template }: Props<Row> & { template: object }) {
  return (
    <div role="row" className={css.head} style={template}>
      {columns.map((c) => {
        const on = sort?.key === c.key;
        const order = on ? (sort.descending ? 'descending' : 'ascending') : 'none';
        return (
          <div
            key={c.key}
            role="columnheader"
            aria-sort={order}
            className={`${css.cell} ${c.right ? css.right : ''} ${on ? css.sorted : ''}`}
          >
            {onSort && sortable.includes(c.key) ? (
              <button type="button" onClick={() => onSort(c.key)}>
                {c.head} {on && (sort.descending ? '↓' : '↑')}
              </button>
            ) : (
              c.head
            )}
          </div>
        );
      })}
    </div>
  );
}

function useRowKeys<Row>(props: Props<Row>, show: (index: number) => void): void {
  const { rows, rowKey, selected, onSelect, onOpen, unit = 'row' } = props;
  const at = () => rows.findIndex((r) => rowKey(r) === selected);
  const go = (step: number) => {
    if (!onSelect || rows.length === 0) return false;
    const next = Math.min(rows.length - 1, Math.max(0, at() + step));
    onSelect(rows[next]!);
    show(next);
  };
  useKeys(
    onSelect
      ? [
          { key: 'j', does: `Next ${unit}`, run: () => go(1) },
          { key: 'k', does: `Previous ${unit}`, run: () => go(-1) },
          { key: 'ArrowDown', does: `Next ${unit}`, run: () => go(1) },
          { key: 'ArrowUp', does: `Previous ${unit}`, run: () => go(-1) },
          {
            key: 'Enter',
            does: `Open the ${unit}`,
            run: () => {
              const row = rows[at()];
              if (!row || !onOpen) return false;
              onOpen(row);
            },
          },
        ]
      : [],
  );
}
