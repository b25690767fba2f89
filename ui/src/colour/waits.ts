/** Time in which no stage works, in the order of legends and stacks. */
export const WAITS = ['queue', 'gap', 'barrier', 'unaccounted'] as const;
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
  barrier: 'after the last span, until the session was finalised',
  unaccounted: 'not explained by any span',
};

/** The pattern of a wait as a tile that repeats: dots, plain, diagonal hatch, cross hatch. */
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
