import type { SessionSet } from '../../data/SessionSet';
import type { StageTimes } from './stageTimes';
import { type Piece, WORK } from './TimeBar';

/** Queue first, then work or what is known of its stages, then the other waits: adds up to the time until its work was done. */
export function piecesOf(set: SessionSet, spans: StageTimes | null, row: number): Piece[] {
  const pieces: Piece[] = [{ place: 'queue', s: set.queue[row]! }];
  let left = set.busy[row]!;
  if (spans?.own) {
    spans.own.forEach((column, stage) => {
      const s = Math.min(left, column[row]! || 0);
      if (s > 0) pieces.push({ place: spans.stages[stage]!, s });
      left -= Math.max(0, s);
    });
  }
  pieces.push(
    { place: WORK, s: left > 1e-6 ? left : 0 },
    { place: 'gap', s: set.gap[row]! },
    { place: 'siblings', s: set.siblings[row]! },
    { place: 'unaccounted', s: set.unaccounted[row]! },
  );
  return pieces.filter((p) => p.s > 0);
}
