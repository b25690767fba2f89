import { duration } from '../text/duration';
import { shortId } from '../text/id';
import { wallOf } from './arrange';
import { LABEL_PX, type Looking, laneTop, type Scene } from './scene';

const PAD = 16;
const NAME_FONT = '12px Inter, system-ui, sans-serif';
const NOTE_FONT = '11px Inter, system-ui, sans-serif';
const ID_FONT = '12px "JetBrains Mono", ui-monospace, monospace';

/** Names left of the lanes: of the group where lanes are thin, else of each lane. */
export function drawLabels(
  g: CanvasRenderingContext2D,
  scene: Scene,
  looking: Looking,
  first: number,
  end: number,
): void {
  const { arrangement } = scene;
  g.textBaseline = 'middle';
  for (let p = first; p < end; p++) {
    const group = arrangement.groups[arrangement.groupOf[p]!];
    const top = laneTop(scene, looking, p);
    if (group && (p === group.first || p === first)) {
      groupLabel(g, scene, group.straggler, group.name, {
        top: top - (arrangement.top[p]! - group.top),
        count: group.last - group.first,
        named: arrangement.height[p]! < 16,
      });
    }
    if (arrangement.height[p]! >= 16) laneLabel(g, scene, looking, p, top, group !== undefined);
  }
}

type GroupLook = { top: number; count: number; named: boolean };

function groupLabel(
  g: CanvasRenderingContext2D,
  scene: Scene,
  straggler: number,
  name: string,
  { top, count, named }: GroupLook,
): void {
  if (!named) return;
  const { tokens } = scene.palette;
  const { table, facts } = scene;
  const wall = duration(wallOf(facts, straggler, scene.nowS));
  g.font = NAME_FONT;
  g.fillStyle = tokens.ink;
  text(g, name, PAD, top + 11, LABEL_PX - PAD * 2 - 70);
  right(g, wall, top + 11);
  const info = table.info[straggler];
  g.font = NOTE_FONT;
  g.fillStyle = tokens['ink-3'];
  const last = count > 1 ? `last: ${shortId(table.lanes[straggler]!)}` : '';
  text(g, [last, info?.worker].filter(Boolean).join(' on '), PAD, top + 26, LABEL_PX - PAD * 2 - 20);
}

function laneLabel(
  g: CanvasRenderingContext2D,
  scene: Scene,
  looking: Looking,
  place: number,
  top: number,
  grouped: boolean,
): void {
  const { tokens } = scene.palette;
  const lane = scene.arrangement.order[place]!;
  const selected = looking.selected >= 0 && scene.table.lane[looking.selected] === lane;
  if (selected) {
    g.fillStyle = tokens.ink;
    g.fillRect(0, top + 2, 3, Math.min(16, scene.arrangement.height[place]! - 4));
  }
  const { facts, table } = scene;
  const info = table.info[lane];
  const group = scene.arrangement.groups[scene.arrangement.groupOf[place]!];
  const y = top + 10;
  mark(g, scene, lane, y);
  g.font = ID_FONT;
  g.fillStyle = tokens.ink;
  text(g, shortId(table.lanes[lane]!), PAD + 16, y, LABEL_PX - PAD * 2 - 16 - 66);
  g.font = NAME_FONT;
  g.fillStyle = tokens['ink-2'];
  right(g, duration(wallOf(facts, lane, scene.nowS)), y);
  if (scene.arrangement.height[place]! < 36) return;
  g.font = NOTE_FONT;
  g.fillStyle = tokens['ink-3'];
  const task = grouped ? group?.name : info?.task;
  const worker = info?.worker === table.lanes[lane] ? null : info?.worker;
  text(g, [task, worker].filter(Boolean).join(' · '), PAD + 16, y + 15, LABEL_PX - PAD * 2 - 20);
}

/** Shape first: a cross for errors, a dashed ring for lost, an arrow while open, a dot when done. */
function mark(g: CanvasRenderingContext2D, scene: Scene, lane: number, y: number): void {
  const { tokens } = scene.palette;
  const { facts } = scene;
  const x = PAD + 4;
  g.lineWidth = 1.4;
  g.beginPath();
  if (scene.table.info[lane]?.status === 'failed' || (facts.failed[lane] && !facts.open[lane])) {
    g.strokeStyle = tokens.bad;
    g.moveTo(x - 3.5, y - 3.5);
    g.lineTo(x + 3.5, y + 3.5);
    g.moveTo(x + 3.5, y - 3.5);
    g.lineTo(x - 3.5, y + 3.5);
    g.stroke();
  } else if (scene.table.info[lane]?.status === 'lost') {
    g.strokeStyle = tokens.bad;
    g.setLineDash([2.2, 1.8]);
    g.arc(x, y, 4, 0, Math.PI * 2);
    g.stroke();
    g.setLineDash([]);
  } else if (facts.open[lane]) {
    g.strokeStyle = tokens['ink-2'];
    g.moveTo(x - 5, y - 3.5);
    g.lineTo(x + 1.5, y - 3.5);
    g.lineTo(x + 5, y);
    g.lineTo(x + 1.5, y + 3.5);
    g.lineTo(x - 5, y + 3.5);
    g.closePath();
    g.stroke();
  } else {
    g.fillStyle = tokens['ink-3'];
    g.arc(x, y, 2.5, 0, Math.PI * 2);
    g.fill();
  }
}

const fitted = new Map<string, string>();

/** Text cut to the room it has; remembered, for measuring costs more than drawing. */
function text(g: CanvasRenderingContext2D, whole: string, x: number, y: number, room: number): void {
  if (!whole) return;
  const key = `${g.font} ${room} ${whole}`;
  let shown = fitted.get(key);
  if (shown === undefined) {
    if (fitted.size > 20_000) fitted.clear();
    const width = g.measureText(whole).width;
    shown =
      width <= room
        ? whole
        : `${whole.slice(0, Math.max(1, Math.floor((whole.length * room) / width) - 1))}…`;
    fitted.set(key, shown);
  }
  g.fillText(shown, x, y);
}

function right(g: CanvasRenderingContext2D, label: string, y: number): void {
  g.textAlign = 'right';
  g.fillText(label, LABEL_PX - PAD, y);
  g.textAlign = 'left';
}
