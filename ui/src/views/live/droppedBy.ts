import type { DroppedBy } from '../../data/types';
import { count, counted } from '../../text/count';

/** "1,204 spans, 3 starts" */
export function droppedWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([what, n]) =>
      what === 'deleted'
        ? `${count(n)} with pieces deleted to bound the folder`
        : counted(n, what.replace(/s$/, '')),
    )
    .join(', ');
}

/** "[rollout] rank 7", else where the process runs. */
export function dropper(by: DroppedBy): string {
  return by.worker ?? (place(by) || 'a process without a name');
}

/** "gpu-2, pid 202" */
export function place(by: DroppedBy): string {
  return [by.host, by.pid === null ? null : `pid ${by.pid}`].filter((part) => part !== null).join(', ');
}

export function droppedCounts({ spans, starts, metrics, attributes = 0, deleted = 0 }: DroppedBy) {
  return { spans, starts, metrics, attributes, deleted };
}

/** Who dropped most, and what all others did: "1,204 spans were dropped by [rollout] rank 7." */
export function droppedTitle(total: number, by: readonly DroppedBy[]): string {
  const worst = by[0];
  if (worst === undefined) return `${count(total)} dropped before they got here.`;
  return `${droppedWords(droppedCounts(worst))} dropped by ${dropper(worst)}.`;
}
