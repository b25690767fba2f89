import { type KeyboardEvent, type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import { StageName } from '../../kit/Swatch';
import { Tooltip } from '../../kit/Tooltip';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { counted, percent } from '../../text/count';
import { duration, exactDuration } from '../../text/duration';
import { drawIcicle, ROW_HEIGHT } from './drawIcicle';
import css from './HotspotsView.module.css';
import { boxAt, type IcicleBox, type IcicleNode, layoutIcicle } from './icicleLayout';

type Props = {
  nodes: readonly IcicleNode[];
  zoom: number;
  onZoom: (index: number) => void;
  pointed: string | null;
  onPoint: (place: string | null) => void;
};

/** The canvas. Pointer or arrow keys choose a box, a click or Enter zooms into it, Escape out of it. */
export function Icicle({ nodes, zoom, onZoom, pointed, onPoint }: Props) {
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(host);
  const [hover, setHover] = useState<{ index: number; x: number; y: number } | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const boxes = useMemo(() => layoutIcicle(nodes, zoom), [nodes, zoom]);
  const height = (Math.max(0, ...boxes.map((b) => b.row)) + 1) * ROW_HEIGHT;
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => drawIcicle(g, nodes, boxes, width, palette, { pointed, current }),
    [nodes, boxes, width, palette, pointed, current],
  );
  const size = useMemo(() => ({ width, height }), [width, height]);
  useCanvas(canvas, size, draw);

  const at = (event: MouseEvent): IcicleBox | undefined => {
    const area = event.currentTarget.getBoundingClientRect();
    const row = Math.floor((event.clientY - area.top) / ROW_HEIGHT);
    return boxAt(boxes, row, (event.clientX - area.left) / width);
  };
  const point = (index: number | null) => {
    setCurrent(index);
    onPoint(index === null || index === 0 ? null : nodes[index]!.place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = step(nodes, boxes, current, event.key);
    if (next !== null) point(next);
    else if (event.key === 'Enter' && current !== null) onZoom(current);
    else if (event.key === 'Escape' && zoom > 0) onZoom(nodes[zoom]!.parent);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const told = hover && nodes[hover.index];
  return (
    <div className={css.icicle}>
      <div ref={host}>
        <canvas
          ref={canvas}
          tabIndex={0}
          aria-label={`Stages by nesting. ${current === null ? 'Arrow keys choose one.' : describe(nodes, current)}`}
          onKeyDown={onKeyDown}
          onBlur={() => point(null)}
          onClick={(e) => {
            const box = at(e);
            if (box) onZoom(box.index);
          }}
          onPointerMove={(e) => {
            const box = at(e);
            setHover(box ? { index: box.index, x: e.clientX, y: e.clientY } : null);
            onPoint(box && box.index > 0 ? nodes[box.index]!.place : null);
          }}
          onPointerLeave={() => {
            setHover(null);
            onPoint(null);
          }}
        />
      </div>
      {hover && told && (
        <Tooltip x={hover.x} y={hover.y}>
          {hover.index === 0 ? <b>{told.place}</b> : <StageName place={told.place} />}
          <div title={exactDuration(told.self_s)}>
            own time <b>{duration(told.self_s)}</b> {percent(told.self_s / (nodes[0]!.inside_s || 1))}
          </div>
          <div className="dim">
            with what is inside {duration(told.inside_s)}
            {told.count > 0 && ` · ${counted(told.count, 'call')}, ${duration(told.total_s)} in total`}
          </div>
        </Tooltip>
      )}
    </div>
  );
}

/** The box that an arrow key leads to; null for other keys. */
function step(
  nodes: readonly IcicleNode[],
  boxes: readonly IcicleBox[],
  current: number | null,
  key: string,
): number | null {
  if (!key.startsWith('Arrow')) return null;
  if (current === null) return boxes[0]?.index ?? null;
  const n = nodes[current]!;
  if (key === 'ArrowUp') return Math.max(0, n.parent);
  if (key === 'ArrowDown') return n.children[0] ?? current;
  const row = boxes.filter((b) => b.row === n.depth).sort((a, b) => a.from - b.from);
  const place = row.findIndex((b) => b.index === current);
  return row[place + (key === 'ArrowRight' ? 1 : -1)]?.index ?? current;
}

function describe(nodes: readonly IcicleNode[], index: number): string {
  const n = nodes[index]!;
  return `${n.place}, own time ${duration(n.self_s)}, with what is inside ${duration(n.inside_s)}`;
}
