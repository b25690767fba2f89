import { type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import { WAITS } from '../../colour/waits';
import { EmptyState } from '../../kit/EmptyState';
import { Segmented } from '../../kit/Segmented';
import { StageName } from '../../kit/Swatch';
import { Tooltip } from '../../kit/Tooltip';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { count } from '../../text/count';
import { duration } from '../../text/duration';
import { drawLifecycle, LIFECYCLE_TOP, type LifecycleLook, lifecycleWindow } from './drawLifecycle';
import css from './Lifecycle.module.css';
import { piecesOf } from './pieces';
import type { Page } from './usePage';

/** Browsers do not scroll farther than some ten million pixels. */
const TALLEST = 8_000_000;

/** One bar per selected session in the order of the table: from its start, or on one clock. */
export function Lifecycle({ page }: { page: Page }) {
  if (page.rows.length === 0)
    return <EmptyState title="No session is left.">Take a filter off above.</EmptyState>;
  return <Bars page={page} />;
}

function Bars({ page }: { page: Page }) {
  const { set, rows, spans } = page;
  const palette = usePalette();
  const clock = useParam('axis') !== 'own';
  const thin = useParam('bars') === 'thin';
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(host);
  const [scrolled, setScrolled] = useState(0);
  const [hover, setHover] = useState<{ row: number; x: number; y: number } | null>(null);
  const rowHeight = thin ? 5 : 16;
  const look = useMemo<LifecycleLook>(
    () => ({ clock, rowHeight, labels: !thin, ...lifecycleWindow(set, rows, clock) }),
    [clock, rowHeight, thin, set, rows],
  );
  const height = Math.min(TALLEST, rows.length * rowHeight);
  const view = size.height - LIFECYCLE_TOP;
  const reach = Math.max(1, height - view);
  const firstY = (Math.min(scrolled, reach) / reach) * Math.max(0, rows.length * rowHeight - view);
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => drawLifecycle(g, size, page, look, firstY, palette),
    [size, page, look, firstY, palette],
  );
  useCanvas(canvas, size, draw);

  const rowAt = (e: PointerEvent) => {
    const y = e.clientY - host.current!.getBoundingClientRect().top - LIFECYCLE_TOP;
    return y < 0 ? undefined : rows[Math.floor((y + firstY) / rowHeight)];
  };
  return (
    <div className={css.lifecycle}>
      <div className={css.controls}>
        <ul className={css.legend}>
          {(spans?.stages ?? []).map((stage) => (
            <li key={stage}>
              <StageName place={stage} />
            </li>
          ))}
          {!spans && (
            <li>
              <i className={css.work} /> work
            </li>
          )}
          {WAITS.map((wait) => (
            <li key={wait}>
              <StageName place={wait} />
            </li>
          ))}
        </ul>
        {spans && spans.leftOut > 0 && (
          <span className="faint">without the {count(spans.leftOut)} shortest spans</span>
        )}
        <Segmented
          label="Axis"
          value={clock ? 'clock' : 'own'}
          options={[
            ['clock', 'One clock'],
            ['own', 'From own start'],
          ]}
          onChange={(v) => setParams({ axis: v === 'clock' ? undefined : v })}
        />
        <Segmented
          label="Bars"
          value={thin ? 'thin' : 'named'}
          options={[
            ['named', 'Named'],
            ['thin', 'Thin'],
          ]}
          onChange={(v) => setParams({ bars: v === 'named' ? undefined : v })}
        />
      </div>
      <div className={css.plot} ref={host}>
        <div className={css.scroller} onScroll={(e) => setScrolled(e.currentTarget.scrollTop)}>
          <div style={{ height: height + LIFECYCLE_TOP }}>
            <canvas
              ref={canvas}
              aria-label={`${count(rows.length)} sessions as bars; the table has the same in words`}
              onClick={(e) => {
                const row = rowAt(e as unknown as PointerEvent);
                if (row !== undefined) push(routeTo('session', page.run, set.session[row]!));
              }}
              onPointerMove={(e) => {
                const row = rowAt(e);
                setHover(row === undefined ? null : { row, x: e.clientX, y: e.clientY });
              }}
              onPointerLeave={() => setHover(null)}
            />
          </div>
        </div>
      </div>
      {hover && (
        <Tooltip x={hover.x} y={hover.y}>
          <b className="mono">{set.session[hover.row]}</b>
          <div>
            {set.statuses[set.status[hover.row]!]}, {duration(set.work[hover.row]!)}
          </div>
          {piecesOf(set, spans, hover.row).map((p) => (
            <div key={p.place} className={css.piece}>
              {p.place === 'work' ? <span>work</span> : <StageName place={p.place} />} {duration(p.s)}
            </div>
          ))}
        </Tooltip>
      )}
    </div>
  );
}
