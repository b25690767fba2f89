/** More rows than this in one lane share the last one: a worker with thousands of sessions at once has no readable rows anyway. */
export const MOST_ROWS = 32;

/** Parents by containment in the same lane and session, for servers that do not tell them. */
export function deriveParents(
  lane: Int32Array,
  session: Int32Array,
  start: Float64Array,
  end: Float64Array,
  sessions: number,
): Int32Array {
  const parent = new Int32Array(start.length).fill(-1);
  // The innermost span so far, per session; one slot more for spans without a session.
  const innermost = new Int32Array(sessions + 1).fill(-1);
  for (let i = 0; i < start.length; i++) {
    const slot = session[i]! < 0 ? sessions : session[i]!;
    let p = innermost[slot]!;
    while (p >= 0 && (lane[p] !== lane[i] || end[p]! < end[i]! || end[p]! <= start[i]!)) p = parent[p]!;
    parent[i] = p;
    innermost[slot] = i;
  }
  return parent;
}

/** The first free row below the parent's, so that nothing in a lane covers anything else. */
export function packRows(
  laneFirst: Int32Array,
  lane: Int32Array,
  parent: Int32Array,
  start: Float64Array,
  end: Float64Array,
): { row: Int32Array; laneRows: Int32Array } {
  const row = new Int32Array(start.length).fill(-1);
  const laneRows = new Int32Array(laneFirst.length - 1);
  const busyUntil = new Float64Array(MOST_ROWS);
  for (let l = 0; l < laneRows.length; l++) {
    busyUntil.fill(Number.NEGATIVE_INFINITY);
    let rows = 1;
    for (let i = laneFirst[l]!; i < laneFirst[l + 1]!; i++) {
      const p = parent[i]!;
      let r = p >= 0 && lane[p] === l ? row[p]! + 1 : 0;
      while (r < MOST_ROWS - 1 && busyUntil[r]! > start[i]!) r++;
      r = Math.min(r, MOST_ROWS - 1);
      row[i] = r;
      busyUntil[r] = Math.max(busyUntil[r]!, end[i]!);
      if (r >= rows) rows = r + 1;
    }
    laneRows[l] = rows;
  }
  return { row, laneRows };
}
