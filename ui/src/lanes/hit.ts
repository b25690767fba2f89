import { barHeight, barTop, placeAt, ROW_PX } from './arrange';
import { firstReaching } from './detail';
import { LABEL_PX, type Looking, laneTop, pinnedPx, pxPerS, type Scene, shiftOf, timeAt } from './scene';

const NEAR_PX = 3;

/** The place of the lane at a height of the canvas; -1 below the last. */
export function placeAtY(scene: Scene, looking: Looking, y: number): number {
  const { arrangement } = scene;
  const pinned = pinnedPx(scene, looking);
  if (arrangement.order.length === 0) return -1;
  const inside = y < pinned ? y : y - pinned + arrangement.pinnedHeight + looking.scrollTop;
  if (inside >= arrangement.totalHeight) return -1;
  const place = placeAt(arrangement, inside);
  return y >= pinned && place < arrangement.pinned ? -1 : place;
}

/** The span under the pointer; -1 for none. What is too small to be hit is caught from 3 px away. */
export function spanAt(scene: Scene, looking: Looking, x: number, y: number): number {
  if (x < LABEL_PX) return -1;
  const place = placeAtY(scene, looking, y);
  if (place < 0) return -1;
  const { pieces, arrangement, nowS } = scene;
  const lane = arrangement.order[place]!;
  const rows = pieces.rows[lane]!;
  const inLane = y - laneTop(scene, looking, place);
  const height = arrangement.height[place]!;
  const inBars = inLane - barTop(height, rows);
  if (inBars < -1 || inBars > (rows - 1) * ROW_PX + barHeight(height, rows) + 1) return -1;
  const row =
    pieces.laneRow[lane]! + (rows > 1 ? Math.min(rows - 1, Math.max(0, Math.floor(inBars / ROW_PX))) : 0);
  const time = timeAt(looking, x) - shiftOf(scene, lane);
  const near = NEAR_PX / pxPerS(looking);
  const last = pieces.rowFirst[row + 1]!;
  let best = -1;
  let distance = near;
  for (let i = firstReaching(pieces.reach, pieces.rowFirst[row]!, last, time - near); i < last; i++) {
    if (pieces.start[i]! > time + near) break;
    const end = Math.min(pieces.end[i]!, nowS);
    const away = Math.max(pieces.start[i]! - time, time - end, 0);
    if (away <= distance) {
      best = pieces.span[i]!;
      distance = away;
    }
  }
  return best;
}
