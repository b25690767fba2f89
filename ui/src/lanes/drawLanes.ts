import { inkOn } from '../colour/mix';
import { barHeight, barTop, placeAt, ROW_PX } from './arrange';
import { ticks } from './axis';
import { type Emphasis, firstReaching, Rects, RowPainter, type RowView } from './detail';
import { drawLabels } from './drawLabels';
import { drawMarks, type Marked, spanBox } from './marks';
import { LABEL_PX, type Looking, laneTop, pinnedPx, pxPerS, type Scene, shiftOf, xOf } from './scene';

export const TICK_PX = 120;
const BAR_FONT = '11px Inter, system-ui, sans-serif';
const TEXT_FROM_PX = 44;

/** Draws lanes into a canvas; keeps what can be reused from frame to frame. */
export class LaneDrawing {
  private readonly rects = new Rects();
  private readonly painter: RowPainter;
  private readonly widths = new Map<string, number>();

  constructor(
    private readonly scene: Scene,
    readonly marked: Marked,
  ) {
    this.painter = new RowPainter(scene.colours.length);
  }

  draw(g: CanvasRenderingContext2D, looking: Looking): void {
    const { scene } = this;
    const { tokens } = scene.palette;
    const { width, height } = looking;
    g.fillStyle = tokens.surface;
    g.fillRect(0, 0, width, height);
    const pinned = pinnedPx(scene, looking);
    if (pinned > 0) this.part(g, looking, 0, scene.arrangement.pinned, 0, pinned);
    const top = looking.scrollTop + scene.arrangement.pinnedHeight;
    const first = Math.max(scene.arrangement.pinned, placeAt(scene.arrangement, top));
    this.part(g, looking, first, scene.arrangement.order.length, pinned, height);
    if (pinned > 0) {
      g.fillStyle = tokens['line-2'];
      g.fillRect(0, pinned - 1, width, 1);
    }
    this.areaAndNow(g, looking);
    g.fillStyle = tokens.line;
    g.fillRect(LABEL_PX - 1, 0, 1, height);
  }

  /** Lanes between two places, cut to a band of the canvas. */
  private part(
    g: CanvasRenderingContext2D,
    looking: Looking,
    first: number,
    last: number,
    top: number,
    bottom: number,
  ): void {
    const { scene } = this;
    g.save();
    g.beginPath();
    g.rect(0, top, looking.width, bottom - top);
    g.clip();
    const end = this.lastVisible(looking, first, last, bottom);
    this.lines(g, looking, first, end, top, bottom);
    g.save();
    g.beginPath();
    g.rect(LABEL_PX, top, looking.width - LABEL_PX, bottom - top);
    g.clip();
    this.bars(g, looking, first, end);
    this.barTexts(g, looking, first, end);
    for (let p = first; p < end; p++) drawMarks(g, scene, looking, this.marked, p);
    this.outlines(g, looking, first, end);
    g.restore();
    drawLabels(g, scene, looking, first, end);
    g.restore();
  }

  private lastVisible(looking: Looking, first: number, last: number, bottom: number): number {
    let end = first;
    while (end < last && laneTop(this.scene, looking, end) < bottom) end++;
    return end;
  }

  /** Grid, steps and lines between groups. */
  private lines(
    g: CanvasRenderingContext2D,
    looking: Looking,
    first: number,
    end: number,
    top: number,
    bottom: number,
  ): void {
    const { scene } = this;
    const { tokens } = scene.palette;
    const clock = scene.axis === 'clock';
    g.fillStyle = tokens.line;
    const offset = clock ? scene.table.originS : 0;
    for (const t of ticks(looking.view, looking.width - LABEL_PX, TICK_PX, offset)) {
      g.fillRect(Math.round(xOf(looking, t)), top, 1, bottom - top);
    }
    const { groups, groupOf } = scene.arrangement;
    for (let p = first; p < end; p++) {
      const group = groups[groupOf[p]!];
      if (group?.first === p) {
        const y = laneTop(scene, looking, p) - (scene.arrangement.top[p]! - group.top);
        g.fillRect(0, Math.round(y), looking.width, 1);
      }
    }
    if (!clock) return;
    g.fillStyle = tokens['line-2'];
    for (const step of scene.steps) {
      const x = Math.round(xOf(looking, step.atS - scene.table.originS));
      if (x > LABEL_PX) g.fillRect(x, top, 1, bottom - top);
    }
  }

  private rowView(looking: Looking, lane: number): RowView {
    const shiftS = shiftOf(this.scene, lane);
    return {
      fromS: looking.view.from,
      pxPerS: pxPerS(looking),
      left: LABEL_PX,
      right: looking.width,
      nowS: this.scene.nowS,
      shiftS,
    };
  }

  private bars(g: CanvasRenderingContext2D, looking: Looking, first: number, end: number): void {
    const { scene, rects } = this;
    const { pieces, arrangement, matched } = scene;
    const emphasis: Emphasis = matched && { matched, dimOffset: scene.colours.length / 2 };
    rects.clear();
    for (let p = first; p < end; p++) {
      const lane = arrangement.order[p]!;
      const rows = pieces.rows[lane]!;
      const laneHeight = arrangement.height[p]!;
      const height = barHeight(laneHeight, rows);
      const view = this.rowView(looking, lane);
      let y = laneTop(scene, looking, p) + barTop(laneHeight, rows);
      for (let r = 0; r < rows; r++, y += ROW_PX) {
        if (y + height < 0 || y > looking.height) continue;
        this.painter.paint(
          pieces,
          pieces.laneRow[lane]! + r,
          view,
          y,
          height,
          rects,
          emphasis,
          scene.table.end,
        );
      }
    }
    rects.forEach((code, boxes, length) => {
      g.fillStyle = scene.colours[code]!;
      for (let i = 0; i < length; i += 4) g.fillRect(boxes[i]!, boxes[i + 1]!, boxes[i + 2]!, boxes[i + 3]!);
    });
  }

  /** Names in bars that are wide enough. */
  private barTexts(g: CanvasRenderingContext2D, looking: Looking, first: number, end: number): void {
    const { scene } = this;
    const { pieces, arrangement, table } = scene;
    g.font = BAR_FONT;
    g.textBaseline = 'middle';
    for (let p = first; p < end; p++) {
      const lane = arrangement.order[p]!;
      const rows = pieces.rows[lane]!;
      const height = barHeight(arrangement.height[p]!, rows);
      if (height < 10) continue;
      const scale = pxPerS(looking);
      const origin = LABEL_PX + (shiftOf(scene, lane) - looking.view.from) * scale;
      let y = laneTop(scene, looking, p) + barTop(arrangement.height[p]!, rows) + height / 2;
      for (let r = 0; r < rows; r++, y += ROW_PX) {
        const row = pieces.laneRow[lane]! + r;
        const stop = pieces.rowFirst[row + 1]!;
        let i = firstReaching(pieces.reach, pieces.rowFirst[row]!, stop, (LABEL_PX - origin) / scale);
        // Rows with more than this in sight have no room for names.
        for (let n = 0; i < stop && n < 200; i++, n++) {
          const x = Math.max(LABEL_PX, origin + pieces.start[i]! * scale);
          if (x > looking.width) break;
          const to = Math.min(looking.width, origin + Math.min(pieces.end[i]!, scene.nowS) * scale);
          if (to - x < TEXT_FROM_PX) continue;
          const span = pieces.span[i]!;
          // The name stands where the span begins to be seen, not in each of its pieces.
          if (pieces.start[i]! > table.start[span]! && x > LABEL_PX && rows === table.laneRows[lane])
            continue;
          const code = pieces.code[i]!;
          const dim = scene.matched !== null && scene.matched[span] === 0;
          const text = table.stages[table.stage[span]!] ?? table.names[table.name[span]!] ?? '';
          this.barText(g, text, x + 6, y, to - x - 10, code, dim);
        }
      }
    }
  }

  private barText(
    g: CanvasRenderingContext2D,
    text: string,
    x: number,
    y: number,
    room: number,
    code: number,
    dim: boolean,
  ): void {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 5000) this.widths.clear();
      width = g.measureText(text).width;
      this.widths.set(text, width);
    }
    const { colours, palette } = this.scene;
    g.fillStyle = dim ? palette.tokens['ink-3'] : inkOn(colours[code]!);
    if (width <= room) g.fillText(text, x, y + 0.5);
    else
      g.fillText(`${text.slice(0, Math.max(1, Math.floor((text.length * room) / width) - 1))}…`, x, y + 0.5);
  }

  private outlines(g: CanvasRenderingContext2D, looking: Looking, first: number, end: number): void {
    const { scene } = this;
    g.strokeStyle = scene.palette.tokens.ink;
    for (const [span, line] of [
      [looking.hover, 1],
      [looking.selected, 2],
    ] as const) {
      if (span < 0 || span >= scene.table.count) continue;
      const place = scene.arrangement.place[scene.table.lane[span]!]!;
      if (place < first || place >= end) continue;
      const box = spanBox(scene, looking, span);
      const x = Math.max(box.x, LABEL_PX - 4);
      g.lineWidth = line;
      g.strokeRect(
        x - line / 2,
        box.y - line / 2,
        Math.min(box.x + box.width, looking.width + 4) - x + line,
        box.height + line,
      );
    }
  }

  private areaAndNow(g: CanvasRenderingContext2D, looking: Looking): void {
    const { scene } = this;
    const { tokens } = scene.palette;
    g.save();
    g.beginPath();
    g.rect(LABEL_PX, 0, looking.width - LABEL_PX, looking.height);
    g.clip();
    if (looking.area) {
      const { from, to, lanes } = looking.area;
      const [x, right] = [xOf(looking, from), xOf(looking, to)];
      let [top, bottom] = [0, looking.height];
      if (lanes) {
        top = laneTop(scene, looking, lanes.first);
        bottom = laneTop(scene, looking, lanes.last) + scene.arrangement.height[lanes.last]!;
      }
      g.fillStyle = tokens.ink;
      g.globalAlpha = 0.07;
      g.fillRect(x, top, right - x, bottom - top);
      g.globalAlpha = 1;
      g.fillRect(Math.round(x), top, 1, bottom - top);
      g.fillRect(Math.round(right), top, 1, bottom - top);
      if (lanes) {
        g.fillRect(x, top, right - x, 1);
        g.fillRect(x, bottom - 1, right - x, 1);
      }
    }
    if (scene.axis === 'clock') {
      g.strokeStyle = tokens.ink;
      g.lineWidth = 1;
      g.setLineDash([3, 3]);
      const x = Math.round(xOf(looking, scene.nowS)) + 0.5;
      g.beginPath();
      g.moveTo(x, 0);
      g.lineTo(x, looking.height);
      g.stroke();
      g.setLineDash([]);
    }
    g.restore();
  }
}
