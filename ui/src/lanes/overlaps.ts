import type { Timeline } from '../data/types';

/** Clocks of two machines agree no better than this. */
const CLOCKS_S = 1e-3;

type Columns = {
  kind: Int32Array;
  lane: Int32Array;
  stage: Int32Array;
  start: Float64Array;
  end: Float64Array;
};

/**
 * Which states began while another one was open on their lane: a process says so of its own; between processes the times tell.
 *
 * @param said place in `overlapped`, as the server has it; spans are in order of lane and start
 */
export function findOverlaps(
  { by, kinds, stages, overlapped: words }: Pick<Timeline, 'by' | 'kinds' | 'stages' | 'overlapped'>,
  said: Int32Array,
  { kind, lane, stage, start, end }: Columns,
): { overlaps: Int32Array; overlapped: readonly string[] } {
  const state = kinds.indexOf('state');
  if (by !== 'lane' || state < 0) return { overlaps: said, overlapped: words ?? [] };
  const overlapped = [...(words ?? [])];
  const places = new Map(overlapped.map((word, i) => [word, i]));
  const overlaps = said.slice();
  let of = -1;
  // The state that lasts longest so far, and the one that does among those that are another state than it.
  let first = -1;
  let second = -1;
  for (let i = 0; i < lane.length; i++) {
    if (kind[i] !== state) continue;
    if (lane[i] !== of) {
      of = lane[i]!;
      first = -1;
      second = -1;
    }
    const other = first >= 0 && stage[first] !== stage[i] ? first : second;
    if (overlaps[i]! < 0 && other >= 0 && end[other]! > start[i]! + CLOCKS_S) {
      overlaps[i] = placeOf(stages[stage[other]!]!, overlapped, places);
    }
    if (first < 0 || end[i]! > end[first]!) {
      if (first >= 0 && stage[first] !== stage[i]) second = first;
      first = i;
    } else if (stage[first] !== stage[i] && (second < 0 || end[i]! > end[second]!)) {
      second = i;
    }
  }
  return { overlaps, overlapped };
}

function placeOf(word: string, words: string[], places: Map<string, number>): number {
  let place = places.get(word);
  if (place === undefined) {
    place = words.push(word) - 1;
    places.set(word, place);
  }
  return place;
}
