/** Time in which no stage works, in the order of legends and stacks. */
export const WAITS = ['queue', 'gap', 'siblings', 'barrier', 'unaccounted'] as const;

/** The waits that are part of a session's time: the barrier comes after its work and stands below the sum (contracts.md 6.8). */
export const SHARED_WAITS = ['queue', 'gap', 'siblings', 'unaccounted'] as const;
export type Wait = (typeof WAITS)[number];

export function isWait(place: string): place is Wait {
  return (WAITS as readonly string[]).includes(place);
}

/** Spans that only hold work together. */
const CONTAINERS = ['session', 'task', 'batch'];

/** Where a session is whose newest open span is of this stage: one that only holds work together is no work. */
export function placeOf(stage: string): string {
  return CONTAINERS.includes(stage) ? 'gap' : stage;
}

/** What a wait is, for legends and hovering. */
export const WAIT_MEANING: Record<Wait, string> = {
  queue: 'before the first span',
  gap: 'between two spans',
  siblings: 'its own work is done, others of its group are not',
  barrier: 'after its work, until its verdict',
  unaccounted: 'not explained by any span',
};

/** The pattern of a wait as a tile that repeats: dots, plain, upright lines, diagonal hatch, cross hatch. */
export function waitTile(wait: Wait, ground: string, ink: string, scale = 1): HTMLCanvasElement {
  const size = wait === 'queue' ? 4 : 6;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(size * scale);
  const g = tile.getContext('2d')!;
  g.scale(tile.width / size, tile.height / size);
  g.fillStyle = ground;
  g.fillRect(0, 0, size, size);
  g.strokeStyle = g.fillStyle = ink;
  g.beginPath();
  if (wait === 'queue') g.fillRect(1, 1, 1.5, 1.5);
  if (wait === 'siblings') g.fillRect(1, 0, 1.2, size);
  if (wait === 'barrier' || wait === 'unaccounted') diagonal(g, size);
  if (wait === 'unaccounted') {
    g.translate(size, 0);
    g.scale(-1, 1);
    diagonal(g, size);
  }
  g.stroke();
  return tile;
}

/** A line from corner to corner, and its ends in the other two corners, so that tiles join. */
function diagonal(g: CanvasRenderingContext2D, size: number): void {
  for (const shift of [-size, 0, size]) {
    g.moveTo(shift - 1, size + 1);
    g.lineTo(shift + size + 1, -1);
  }
}
