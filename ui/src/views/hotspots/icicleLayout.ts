import { SHARED_WAITS } from '../../colour/waits';
import type { Hotspots } from '../../data/types';
import { waitOf } from './stageRows';

/** A stage inside another; the first is all sessions. Waits are leaves at the top. */
export type IcicleNode = {
  place: string;
  parent: number;
  children: number[];
  depth: number;
  count: number;
  total_s: number;
  self_s: number;
  /** Own time and that of everything inside: the width. Unlike total times these add up, also when spans overlap. */
  inside_s: number;
};

export const ALL_SESSIONS = 'all sessions';

export function icicleTree(hotspots: Hotspots): IcicleNode[] {
  const nodes: IcicleNode[] = [node(ALL_SESSIONS, -1, 0)];
  const add = (child: IcicleNode) => {
    nodes[child.parent]!.children.push(nodes.length);
    nodes.push(child);
  };
  for (const { stage, parent, count, total_s, self_s } of hotspots.nesting ?? []) {
    const above = parent < 0 ? 0 : parent + 1;
    add({ ...node(stage, above, nodes[above]!.depth + 1), count, total_s, self_s });
  }
  for (const wait of SHARED_WAITS) {
    const self_s = waitOf(hotspots.waits, wait);
    if (self_s > 0) add({ ...node(wait, 0, 1), total_s: self_s, self_s });
  }
  // Parents come first, so that going backwards every child is complete before it is added.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const n = nodes[i]!;
    n.inside_s += n.self_s;
    if (n.parent >= 0) nodes[n.parent]!.inside_s += n.inside_s;
  }
  nodes[0]!.total_s = nodes[0]!.inside_s;
  for (const n of nodes) n.children.sort((a, b) => order(nodes, a) - order(nodes, b));
  return nodes;
}

/** Widest first, waits after the stages. */
function order(nodes: readonly IcicleNode[], index: number): number {
  const n = nodes[index]!;
  const wait = n.count === 0 && n.parent === 0;
  return wait ? index : -n.inside_s;
}

function node(place: string, parent: number, depth: number): IcicleNode {
  return { place, parent, children: [], depth, count: 0, total_s: 0, self_s: 0, inside_s: 0 };
}

/** Where a node is drawn: `from` to `to` of the width, its own time from `selfFrom`. */
export type IcicleBox = { index: number; row: number; from: number; to: number; selfFrom: number };

/** The nodes inside `zoom`, over the whole width, below those that it is inside of. */
export function layoutIcicle(nodes: readonly IcicleNode[], zoom: number): IcicleBox[] {
  const boxes: IcicleBox[] = [];
  for (let i = nodes[zoom]!.parent; i >= 0; i = nodes[i]!.parent) {
    boxes.unshift({ index: i, row: nodes[i]!.depth, from: 0, to: 1, selfFrom: 1 });
  }
  const whole = nodes[zoom]!.inside_s;
  if (whole <= 0) return boxes;
  const open: [index: number, from: number][] = [[zoom, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [index, from] = next;
    const n = nodes[index]!;
    const to = from + n.inside_s / whole;
    let at = from;
    for (const child of n.children) {
      open.push([child, at]);
      at += nodes[child]!.inside_s / whole;
    }
    boxes.push({
      index,
      row: n.depth,
      from,
      to,
      selfFrom: n.children.length === 0 ? from : to - n.self_s / whole,
    });
  }
  return boxes;
}

/** The way from the top to a node, as it stands in the address. */
export function pathOf(nodes: readonly IcicleNode[], index: number): string {
  const names: string[] = [];
  for (let i = index; i > 0; i = nodes[i]!.parent) names.unshift(nodes[i]!.place);
  return names.join(' > ');
}

/** The node of a path; the top when there is none any more. */
export function nodeOfPath(nodes: readonly IcicleNode[], path: string | undefined): number {
  if (!path) return 0;
  const found = nodes.findIndex((_, i) => i > 0 && pathOf(nodes, i) === path);
  return Math.max(0, found);
}

/** The box at a point of the drawing, given in rows and shares of the width. */
export function boxAt(boxes: readonly IcicleBox[], row: number, x: number): IcicleBox | undefined {
  return boxes.find((b) => b.row === row && x >= b.from && x < b.to);
}
