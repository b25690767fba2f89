import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import type { BoardRow } from '../../data/LiveBoard';
import { openWork } from '../../data/openWork';
import { ageOf, isOverdue } from '../../data/overdue';
import { useLive, useRun } from '../../data/useLive';
import { StageName } from '../../kit/Swatch';
import { Tooltip } from '../../kit/Tooltip';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { push, routeTo } from '../../route/useRoute';
import { duration } from '../../text/duration';
import { drawMap } from './drawMap';
import { cellAt, layoutMap, type MapColumn } from './mapLayout';
import css from './SessionMapPane.module.css';

/** The canvas. Pointer or arrow keys choose a session, a click or Enter opens it. */
export function SessionMap({ columns }: { columns: readonly MapColumn[] }) {
  const run = useRun();
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const [hover, setHover] = useState<{ row: BoardRow; x: number; y: number } | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const rows = useLive((b) => b.rows);
  const work = useLive((b) => openWork(b));
  // With each message, not each second: ten thousand cells take a while.
  const nowS = useLive((b) => b.report?.generated_at_s ?? 0);
  const overdue = useMemo(
    () => new Map(work.filter(isOverdue).map((w) => [w.row.session, ageOf(w, nowS)])),
    [work, nowS],
  );
  const layout = useMemo(
    () => layoutMap(columns, size.width, size.height),
    [columns, size.width, size.height],
  );
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => drawMap(g, layout, palette, { rows, overdue, current }),
    [layout, palette, rows, overdue, current],
  );
  useCanvas(canvas, size, draw);

  const open = (row: BoardRow | undefined) => row && push(routeTo('session', run, row.session));
  const rowAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const cell = layout.cells[cellAt(layout, event.clientX - box.left, event.clientY - box.top)];
    return cell && rows.get(cell.row.session);
  };
  const at = layout.cells.findIndex((c) => c.row.session === current);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setCurrent(layout.cells[Math.max(0, at + step)]?.row.session ?? current);
    else if (event.key === 'Enter') open(layout.cells[at]?.row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={css.map} ref={host}>
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label={`Map of sessions. ${at < 0 ? 'Arrow keys choose one.' : describe(rows.get(layout.cells[at]!.row.session) ?? layout.cells[at]!.row, nowS)}`}
        onKeyDown={onKeyDown}
        onBlur={() => setCurrent(null)}
        onClick={(e) => open(rowAt(e as unknown as PointerEvent))}
        onPointerMove={(e) => {
          const row = rowAt(e);
          setHover(row ? { row, x: e.clientX, y: e.clientY } : null);
        }}
        onPointerLeave={() => setHover(null)}
      />
      {hover && (
        <Tooltip x={hover.x} y={hover.y}>
          <b className="mono">{hover.row.session}</b>
          <div>
            {hover.row.stage ? <StageName place={hover.row.stage} /> : hover.row.status}{' '}
            {hover.row.since_s !== null && <span>for {duration(Math.max(0, nowS - hover.row.since_s))}</span>}
          </div>
          <div className="dim">
            {[hover.row.status, hover.row.worker, hover.row.task_name].filter(Boolean).join(' · ')}
          </div>
        </Tooltip>
      )}
    </div>
  );
}

function describe(row: BoardRow, nowS: number): string {
  const age = row.since_s === null ? '' : ` for ${duration(Math.max(0, nowS - row.since_s))}`;
  return `${row.session}, ${row.status}${row.stage ? ` in ${row.stage}` : ''}${age}`;
}
