import { placeAt } from './arrange';
import { type Span, within, zoomed } from './axis';
import { LaneDrawing } from './drawLanes';
import { drawTop, TOP_PX } from './drawTop';
import { findMarked, spanBox } from './marks';
import { type Overview, overviewOf } from './overview';
import { type Area, endOf, LABEL_PX, type Looking, pinnedPx, type Scene, shiftOf, timeAt } from './scene';

const OVERVIEW_BUCKETS = 400;
const MARGIN = 0.02;

export type LaneEvents = {
  /** The view moved; called at most once a frame. */
  onView(view: Span, fitted: boolean): void;
  onHover(hover: { span: number; x: number; y: number } | null): void;
  onSelect(span: number): void;
  onArea(area: Area | null): void;
};

/** What is in sight and how it moves. Lives outside of React: a frame costs a drawing, not a rendering. */
export class LaneController {
  scene: Scene | null = null;
  looking: Looking = {
    view: { from: 0, to: 1 },
    scrollTop: 0,
    width: 0,
    height: 0,
    hover: -1,
    selected: -1,
    area: null,
  };
  /** Whether the view is all there is and stays so when there is more. */
  fitted = true;
  private drawing: LaneDrawing | null = null;
  private overview: Overview | null = null;
  private frame = 0;
  private told: Span | null = null;

  constructor(
    private readonly top: HTMLCanvasElement,
    private readonly lanes: HTMLCanvasElement,
    readonly scroller: HTMLElement,
    public events: LaneEvents,
  ) {}

  setScene(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    this.drawing = new LaneDrawing(
      scene,
      before?.table === scene.table ? this.marked : findMarked(scene.table.laneFirst, scene.table.flags),
    );
    this.marked = this.drawing.marked;
    if (before?.table !== scene.table) this.looking.hover = -1;
    const another =
      before?.pieces !== scene.pieces || before.axis !== scene.axis || before.whole !== scene.whole;
    if (!this.overview || before?.axis !== scene.axis || (another && scene.isWhole)) {
      this.overview = overviewOf(scene, scene.whole, OVERVIEW_BUCKETS);
    }
    if (before && before.axis !== scene.axis) this.fitted = true;
    if (this.fitted) this.looking.view = padded(scene.whole);
    this.invalidate();
  }

  private marked!: ReturnType<typeof findMarked>;

  setNow(nowS: number): void {
    if (!this.scene) return;
    this.scene.nowS = nowS;
    this.invalidate();
  }

  resize(width: number, height: number): void {
    this.looking.width = width;
    this.looking.height = height;
    this.invalidate();
  }

  /** @param view null fits everything */
  setView(view: Span | null): void {
    if (!this.scene) return;
    this.fitted = view === null;
    this.looking.view = view ? within(this.scene.whole, view) : padded(this.scene.whole);
    this.invalidate();
  }

  setHover(span: number): void {
    if (span === this.looking.hover) return;
    this.looking.hover = span;
    this.invalidate();
  }

  setSelected(span: number): void {
    this.looking.selected = span;
    this.invalidate();
  }

  setArea(area: Area | null): void {
    this.looking.area = area;
    this.invalidate();
  }

  zoom(factor: number, x?: number): void {
    const middle = (LABEL_PX + this.looking.width) / 2;
    this.setView(zoomed(this.looking.view, timeAt(this.looking, x ?? middle), factor));
  }

  /** @param share of the width in sight */
  pan(share: number): void {
    const { from, to } = this.looking.view;
    const by = (to - from) * share;
    this.setView({ from: from + by, to: to + by });
  }

  zoomToSpan(span: number): void {
    const { scene } = this;
    if (!scene) return;
    const shift = shiftOf(scene, scene.table.lane[span]!);
    const from = scene.table.start[span]! + shift;
    const to = endOf(scene, span) + shift;
    const margin = Math.max((to - from) * 0.1, 1e-6);
    this.setView({ from: from - margin, to: to + margin });
  }

  /** Brings a span into sight without changing the zoom. */
  reveal(span: number): void {
    const { scene, looking } = this;
    if (!scene) return;
    const shift = shiftOf(scene, scene.table.lane[span]!);
    const [from, to] = [scene.table.start[span]! + shift, endOf(scene, span) + shift];
    const { view } = looking;
    const width = view.to - view.from;
    if (to < view.from || from > view.to) {
      const middle = to - from < width ? (from + to) / 2 : from + width * 0.4;
      this.setView({ from: middle - width / 2, to: middle + width / 2 });
    }
    const box = spanBox(scene, looking, span);
    const top = pinnedPx(scene, looking);
    if (scene.arrangement.place[scene.table.lane[span]!]! < scene.arrangement.pinned) return;
    if (box.y < top + 4) this.scroller.scrollTop += box.y - top - 12;
    else if (box.y + box.height > looking.height - 4)
      this.scroller.scrollTop += box.y + box.height - looking.height + 12;
  }

  /** The first span in sight, where the keyboard begins. */
  firstInSight(): number {
    const { scene, looking } = this;
    if (!scene || scene.table.count === 0) return -1;
    const { arrangement, table } = scene;
    const lane = arrangement.order[placeAt(arrangement, arrangement.pinned > 0 ? 0 : looking.scrollTop)]!;
    return table.laneFirst[lane]! < table.laneFirst[lane + 1]! ? table.laneFirst[lane]! : 0;
  }

  readonly onScroll = (): void => {
    this.looking.scrollTop = this.scroller.scrollTop;
    this.invalidate();
  };

  invalidate(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(this.paint);
  }

  close(): void {
    cancelAnimationFrame(this.frame);
  }

  private readonly paint = (): void => {
    this.frame = 0;
    const { scene, looking, drawing, overview } = this;
    if (!scene || !drawing || !overview || looking.width <= LABEL_PX || looking.height <= 0) return;
    drawing.draw(prepared(this.lanes, looking.width, looking.height), looking);
    drawTop(prepared(this.top, looking.width, TOP_PX), scene, looking, overview);
    const { view } = looking;
    if (this.told?.from !== view.from || this.told.to !== view.to) {
      this.told = { ...view };
      this.events.onView(this.told, this.fitted);
    }
  };
}

function padded({ from, to }: Span): Span {
  const margin = (to - from) * MARGIN;
  return { from: from - margin, to: to + margin };
}

function prepared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const scale = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const g = canvas.getContext('2d', { alpha: false })!;
  g.setTransform(scale, 0, 0, scale, 0, 0);
  return g;
}
