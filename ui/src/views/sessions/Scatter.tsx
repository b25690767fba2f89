import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import { WAITS } from '../../colour/waits';
import { StatusMark } from '../../kit/StatusMark';
import { Tooltip } from '../../kit/Tooltip';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { duration } from '../../text/duration';
import { clock, exactTime } from '../../text/time';
import { drawScatter } from './drawScatter';
import css from './Scatter.module.css';
import type { ScatterLook } from './scatterMarks';
import { placePoints, type ScatterScale, scatterScale, timeAt, totalAt, xOf, yOf } from './scatterScale';
import { formatRange, type Selection } from './selection';
import { percentile, sortedValues } from './statistics';
import type { Page } from './usePage';

const REACH = 9;
const CLICK = 4;

type Drag = { x0: number; y0: number; x1: number; y1: number };

/** Work over the time it was done. Drag selects, a click opens, arrow keys go from session to session. */
export function Scatter({ page, look }: { page: Page; look: Pick<ScatterLook, 'colour' | 'lines'> }) {
  const { set, steps, miss, overdue, ended } = page;
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const at = useParam('at');
  const [drag, setDrag] = useState<Drag | null>(null);
  const [hover, setHover] = useState<{ row: number; x: number; y: number } | null>(null);

  const scale = useMemo(() => scatterScale(set, size), [set, size]);
  const points = useMemo(() => placePoints(set, scale), [set, scale]);
  const totals = useMemo(() => sortedValues(ended, set.work), [ended, set]);
  const full = useMemo<ScatterLook>(
    () => ({
      ...look,
      p50: percentile(totals, 0.5),
      p95: percentile(totals, 0.95),
      relativeClock: set.firstS < 1e9,
    }),
    [look, totals, set],
  );
  const draw = useCallback(
    (g: CanvasRenderingContext2D) =>
      drawScatter(g, scale, { set, steps, miss, overdue, ...points }, full, palette),
    [scale, set, steps, miss, overdue, points, full, palette],
  );
  useCanvas(canvas, size, draw);

  const current = useMemo(() => (at === undefined ? -1 : set.session.indexOf(at)), [at, set]);
  const open = (row: number) => push(routeTo('session', page.run, set.session[row]!));
  const place = (e: PointerEvent) => {
    const box = host.current!.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const onPointerDown = (e: PointerEvent) => {
    if (e.button !== 0) return;
    const { x, y } = place(e);
    e.currentTarget.setPointerCapture(e.pointerId);
    setDrag({ x0: x, y0: y, x1: x, y1: y });
  };
  const onPointerMove = (e: PointerEvent) => {
    const { x, y } = place(e);
    if (drag) setDrag({ ...drag, x1: x, y1: y });
    const row = drag && moved(drag) ? -1 : nearest(page, points, x, y);
    setHover(row < 0 ? null : { row, x: e.clientX, y: e.clientY });
  };
  const onPointerUp = (e: PointerEvent) => {
    if (!drag) return;
    setDrag(null);
    if (moved(drag)) setParams(rangesOf(drag, scale), 'push');
    else {
      const { x, y } = place(e);
      const row = nearest(page, points, x, y);
      if (row >= 0) open(row);
      else setParams({ t: undefined, total: undefined });
    }
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key];
    if (step !== undefined) setParams({ at: neighbour(page, current, step) });
    else if (e.key === 'Enter' && current >= 0) open(current);
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div className={css.scatter} ref={host}>
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label={`Work by finish. ${current < 0 ? 'Arrow keys choose a session.' : describe(page, current)}`}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => setHover(null)}
      />
      {current >= 0 && <i className={css.current} style={at2(points.x[current]!, points.y[current]!)} />}
      {hover && <i className={css.hover} style={at2(points.x[hover.row]!, points.y[hover.row]!)} />}
      <Brush box={drag && moved(drag) ? drag : chosenBox(page.selection, scale)} />
      {hover && (
        <Tooltip x={hover.x} y={hover.y}>
          <PointFacts page={page} row={hover.row} />
        </Tooltip>
      )}
    </div>
  );
}

const at2 = (x: number, y: number) => ({ transform: `translate(${x}px, ${y}px)` });
const moved = (d: Drag) => Math.abs(d.x1 - d.x0) > CLICK || Math.abs(d.y1 - d.y0) > CLICK;

function Brush({ box }: { box: Drag | null }) {
  if (!box) return null;
  const [left, top] = [Math.min(box.x0, box.x1), Math.min(box.y0, box.y1)];
  return (
    <i
      className={css.brush}
      style={{ left, top, width: Math.abs(box.x1 - box.x0), height: Math.abs(box.y1 - box.y0) }}
    />
  );
}

/** A brush over the line of now has no end: unfinished sessions are in it. */
function rangesOf(d: Drag, scale: ScatterScale): { t: string; total: string | undefined } {
  const [left, right] = [Math.min(d.x0, d.x1), Math.max(d.x0, d.x1)];
  const [top, bottom] = [Math.min(d.y0, d.y1), Math.max(d.y0, d.y1)];
  return {
    t: formatRange({
      from: timeAt(scale, Math.max(left, scale.left)),
      to: right > scale.right ? Number.POSITIVE_INFINITY : timeAt(scale, right),
    }),
    total: formatRange(
      {
        from: bottom > scale.bottom ? Number.NEGATIVE_INFINITY : totalAt(scale, bottom),
        to: top < scale.top ? Number.POSITIVE_INFINITY : totalAt(scale, top),
      },
      4,
    ),
  };
}

function chosenBox({ finish, total }: Selection, scale: ScatterScale): Drag | null {
  if (!finish && !total) return null;
  const x = (s: number | undefined, otherwise: number) =>
    s === undefined || !Number.isFinite(s)
      ? otherwise
      : Math.min(scale.right, Math.max(scale.left, xOf(scale, s)));
  const y = (s: number | undefined, otherwise: number) =>
    s === undefined || !Number.isFinite(s) ? otherwise : yOf(scale, s);
  return {
    x0: x(finish?.from, scale.left),
    x1: x(finish?.to, scale.right + 90),
    y0: y(total?.from, scale.bottom),
    y1: y(total?.to, scale.top),
  };
}

function nearest(
  { set, miss }: Page,
  { x, y }: ReturnType<typeof placePoints>,
  px: number,
  py: number,
): number {
  let best = -1;
  let least = REACH * REACH;
  for (let i = 0; i < set.size; i++) {
    if (miss[i]) continue;
    const dx = set.unfinished[i] ? Math.max(0, Math.abs(x[i]! + 14 - px) - 24) : x[i]! - px;
    const d = dx * dx + (y[i]! - py) ** 2;
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

/** The selected session that ended next before or after this one. */
function neighbour({ set, rows }: Page, current: number, step: number): string | undefined {
  const order = rows.slice().sort((a, b) => set.end[a]! - set.end[b]! || a - b);
  const next = order[Math.min(order.length - 1, Math.max(0, order.indexOf(current) + step))];
  return next === undefined ? undefined : set.session[next];
}

function describe({ set }: Page, row: number): string {
  const state = set.statuses[set.status[row]!];
  return `${set.session[row]}, ${state}, ${set.unfinished[row] ? 'open for' : 'work'} ${duration(set.work[row]!)}`;
}

function PointFacts({ page: { set, steps }, row }: { page: Page; row: number }) {
  const status = set.statuses[set.status[row]!]!;
  const waits = WAITS.filter((w) => set[w][row]! > 0);
  const where = [
    set.taskNames[set.taskName[row]!] ?? set.tasks[set.task[row]!],
    steps.labels[steps.of[row]!],
    set.workers[set.worker[row]!],
    set.reasons[set.reason[row]!],
  ].filter(Boolean);
  return (
    <>
      <b className="mono">{set.session[row]}</b>
      <div className={css.facts}>
        <StatusMark status={status} /> {status} {set.unfinished[row] ? 'for' : 'after'}{' '}
        <b>{duration(set.work[row]!)}</b>
        {!set.unfinished[row] && set.firstS > 1e9 && (
          <span title={exactTime(set.end[row]!)}>at {clock(set.end[row]!)}</span>
        )}
      </div>
      <div>
        work {duration(set.work[row]!)}
        {waits.map((w) => `, ${w} ${duration(set[w][row]!)}`)}
      </div>
      {where.length > 0 && <div className="dim">{where.join(' · ')}</div>}
    </>
  );
}
