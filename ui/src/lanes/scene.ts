import { mix } from '../colour/mix';
import type { Palette } from '../colour/palette';
import type { Arrangement, LaneFacts } from './arrange';
import type { Span } from './axis';
import type { Pieces } from './pieces';
import type { SpanTable } from './spans';

export const LABEL_PX = 250;

export type Axis = 'clock' | 'start';
export type StepLine = { atS: number; label: string };
/** Times of the axis, and the places of lanes (null: all). */
export type Area = Span & { lanes: { first: number; last: number } | null };

/** Everything that one picture shows. What is expensive is made when data change, not when the picture moves. */
export type Scene = {
  table: SpanTable;
  pieces: Pieces;
  facts: LaneFacts;
  arrangement: Arrangement;
  palette: Palette;
  colours: readonly string[];
  axis: Axis;
  /** All there is to see. */
  whole: Span;
  /** Whether the table is all of it, or a finer window. */
  isWhole: boolean;
  /** Seconds from the table's origin. */
  nowS: number;
  /** p95 of ended spans by name; NaN while there are too few. */
  usualS: Float64Array;
  steps: readonly StepLine[];
  /** 1 for spans that are searched for; null while nothing is. */
  matched: Uint8Array | null;
};

/** What changes while somebody looks at it. */
export type Looking = {
  view: Span;
  scrollTop: number;
  width: number;
  height: number;
  hover: number;
  selected: number;
  area: Area | null;
};

/** Full colour and tint of each place, then the same dimmed. */
export function coloursOf(stages: readonly string[], palette: Palette): string[] {
  const full: string[] = [];
  for (const stage of stages) full.push(palette.stage(stage), palette.tint(stage));
  full.push(palette.tokens.wait, palette.tokens.wait);
  return [...full, ...full.map((c) => mix(c, palette.tokens.surface, 0.16))];
}

export function pxPerS(looking: Looking): number {
  return (looking.width - LABEL_PX) / (looking.view.to - looking.view.from);
}

/** Added to the times of a lane before they are drawn. */
export function shiftOf(scene: Scene, lane: number): number {
  return scene.axis === 'start' ? -scene.facts.start[lane]! : 0;
}

export function xOf(looking: Looking, time: number): number {
  return LABEL_PX + (time - looking.view.from) * pxPerS(looking);
}

export function timeAt(looking: Looking, x: number): number {
  return looking.view.from + (x - LABEL_PX) / pxPerS(looking);
}

/** How much of the height pinned lanes take; they never take more than half. */
export function pinnedPx({ arrangement }: Scene, { height }: Looking): number {
  return Math.min(arrangement.pinnedHeight, Math.floor(height / 2));
}

/** Where a lane is on the canvas. */
export function laneTop(scene: Scene, looking: Looking, place: number): number {
  const { arrangement } = scene;
  const top = arrangement.top[place]!;
  if (place < arrangement.pinned) return top;
  return top - arrangement.pinnedHeight + pinnedPx(scene, looking) - looking.scrollTop;
}

export function endOf(scene: Scene, span: number): number {
  return Math.min(scene.table.end[span]!, Math.max(scene.nowS, scene.table.start[span]!));
}

/** Own row of a span, after folding. */
export function rowOf({ table, pieces }: Scene, span: number): number {
  return Math.min(table.row[span]!, pieces.rows[table.lane[span]!]! - 1);
}
