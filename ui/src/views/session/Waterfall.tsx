import { useVirtualizer } from '@tanstack/react-virtual';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '../../data/types';
import { useKeys } from '../../kit/keys';
import { Pane } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { useSize } from '../../kit/useCanvas';
import { setParams, useParam } from '../../route/useRoute';
import { count } from '../../text/count';
import { duration } from '../../text/duration';
import { clock, exactTime } from '../../text/time';
import { formatRange, parseRange } from '../sessions/selection';
import { pan, type TimeWindow, timeTicks, zoom } from './axis';
import { SegmentStrip } from './SegmentStrip';
import type { SpanRow } from './spanTree';
import css from './Waterfall.module.css';
import { heightOf, WaterfallRow } from './WaterfallRow';

const TALLEST = 520;
const SMALLEST_DRAG = 4;

type Props = {
  session: Session;
  rows: readonly SpanRow[];
  selected: number;
  only: string | undefined;
  usual: ReadonlyMap<string, number>;
};

/** Spans nested below each other on one axis. Full colour is own time, the underline is the critical path. */
export function Waterfall({ session, rows, selected, only, usual }: Props) {
  const whole = Math.max(session.wall_s, 1e-9);
  const asked = useParam('t');
  const window = useMemo(() => within(parseRange(asked), whole), [asked, whole]);
  const absolute = useParam('axis') === 'clock' && !session.relative_clock;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => heightOf(rows[i]!),
    overscan: 6,
    initialRect: { width: 800, height: TALLEST },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the list
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected);
  }, [selected]);
  const heights = rows.map(heightOf).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other heights are measured
  useEffect(() => virtual.measure(), [heights]);
  useWindowKeys(window, whole);
  const open = rows.filter((r) => r.span.end_s === null).length;
  const newestOpen = newestOpenOf(rows);
  return (
    <Pane
      title="Spans"
      note="full colour = own time, underline = critical path, arrow = still open"
      right={
        <>
          <span className="faint">
            {open > 0 ? `${count(open)} open of ${count(rows.length)}` : count(rows.length)}
          </span>
          {!session.relative_clock && (
            <Segmented
              label="Axis"
              value={absolute ? 'clock' : 'start'}
              options={[
                ['start', 'From start'],
                ['clock', 'Clock'],
              ]}
              onChange={(v) => setParams({ axis: v === 'start' ? undefined : v })}
            />
          )}
        </>
      }
    >
      <Axis window={window} whole={whole} startS={session.start_s} absolute={absolute} />
      {session.segments && session.segments.length > 0 && (
        <SegmentStrip session={session} segments={session.segments} window={window} only={only} />
      )}
      <div
        className={css.scroller}
        ref={scroller}
        style={{ height: Math.min(TALLEST, virtual.getTotalSize() + 2) }}
      >
        <div role="tree" aria-label="Spans" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]!;
            return (
              <WaterfallRow
                key={item.key}
                row={row}
                top={item.start}
                window={window}
                startS={session.start_s}
                relative={session.relative_clock}
                selected={item.index === selected}
                only={only}
                usualS={item.index === newestOpen ? usual.get(row.span.span) : undefined}
              />
            );
          })}
        </div>
      </div>
    </Pane>
  );
}

function within(range: TimeWindow | undefined, whole: number): TimeWindow {
  if (!range) return { from: 0, to: whole };
  const from = Math.min(whole, Math.max(0, range.from));
  const to = Math.min(whole, Math.max(0, range.to));
  return to > from ? { from, to } : { from: 0, to: whole };
}

function setWindow(window: TimeWindow | null, whole: number): void {
  const all = window === null || (window.from <= 0 && window.to >= whole);
  setParams({ t: all ? undefined : formatRange(window, 9) });
}

function useWindowKeys(window: TimeWindow, whole: number): void {
  const middle = (window.from + window.to) / 2;
  useKeys([
    { key: 'w', does: 'Zoom in', run: () => setWindow(zoom(window, middle, 0.6, whole), whole) },
    { key: 's', does: 'Zoom out', run: () => setWindow(zoom(window, middle, 1 / 0.6, whole), whole) },
    { key: 'a', does: 'Earlier', run: () => setWindow(pan(window, -0.25, whole), whole) },
    { key: 'd', does: 'Later', run: () => setWindow(pan(window, 0.25, whole), whole) },
    { key: 'f', does: 'Fit all', run: () => setWindow(null, whole) },
  ]);
}

/** The cause of lateness: the newest open span. What waits for it is not late by itself. */
function newestOpenOf(rows: readonly SpanRow[]): number {
  let newest = -1;
  rows.forEach((row, i) => {
    if (row.span.end_s === null && !row.container && (newest < 0 || row.from >= rows[newest]!.from))
      newest = i;
  });
  return newest;
}

type AxisProps = { window: TimeWindow; whole: number; startS: number; absolute: boolean };

/** Drag zooms in, a double click shows all. */
function Axis({ window, whole, startS, absolute }: AxisProps) {
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const x = (s: number) => ((s - window.from) / (window.to - window.from)) * 100;
  const at = (e: PointerEvent) => {
    const box = host.current!.getBoundingClientRect();
    return Math.min(box.width, Math.max(0, e.clientX - box.left));
  };
  const time = (px: number) => window.from + (px / Math.max(1, width)) * (window.to - window.from);
  return (
    <div className={css.axisRow}>
      <span className={css.axisHint}>drag zooms · F fits</span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: W, A, S, D and F do the same */}
      <div
        className={css.axis}
        ref={host}
        title={absolute ? '' : `0 is ${exactTime(startS)}`}
        onDoubleClick={() => setWindow(null, whole)}
        onPointerDown={(e) => {
          e.currentTarget.setPointerCapture(e.pointerId);
          setDrag({ from: at(e), to: at(e) });
        }}
        onPointerMove={(e) => drag && setDrag({ ...drag, to: at(e) })}
        onPointerUp={() => {
          if (drag && Math.abs(drag.to - drag.from) > SMALLEST_DRAG) {
            setWindow(
              { from: time(Math.min(drag.from, drag.to)), to: time(Math.max(drag.from, drag.to)) },
              whole,
            );
          }
          setDrag(null);
        }}
      >
        {timeTicks(window, Math.max(2, width / 110)).map((s) => (
          <span key={s} style={{ left: `${x(s)}%` }}>
            {absolute
              ? clock(startS + s)
              : s === 0
                ? '0'
                : `+${duration(s)
                    .replace(/ 00 [sh]/, '')
                    .replace(/\.0+ /, ' ')}`}
          </span>
        ))}
        {drag && <i style={{ left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }} />}
      </div>
      <span className={css.axisEnd} />
    </div>
  );
}
