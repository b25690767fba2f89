import { WAITS } from '../../colour/waits';
import type { Session } from '../../data/types';

export type Account = { place: string; s: number; share: number; count: number | null };

/** Where the wall time went: stages by time, then waits. Unaccounted is always there, so that people learn to trust it. */
export function accounts({ stages, waits, wall_s }: Pick<Session, 'stages' | 'waits' | 'wall_s'>): Account[] {
  const share = (s: number) => (wall_s > 0 ? s / wall_s : 0);
  const work = stages
    .filter((s) => s.self_s > 0)
    .map((s): Account => ({ place: s.stage, s: s.self_s, share: share(s.self_s), count: s.count }))
    .sort((a, b) => b.s - a.s);
  const idle = WAITS.map(
    (w): Account => ({ place: w, s: waits[`${w}_s`], share: share(waits[`${w}_s`]), count: null }),
  ).filter((a) => a.s > 0 || a.place === 'unaccounted');
  return [...work, ...idle];
}

export function sumOf(list: readonly Account[]): number {
  return list.reduce((sum, a) => sum + a.s, 0);
}
