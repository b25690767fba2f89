import { SHARED_WAITS } from '../../colour/waits';
import type { Session } from '../../data/types';

export type Account = { place: string; s: number; share: number; count: number | null };

/** Where its time went until its work was done: stages by time, then waits. Unaccounted is always there, so that people learn to trust it. */
export function accounts({ stages, waits, wall_s }: Pick<Session, 'stages' | 'waits' | 'wall_s'>): Account[] {
  const whole = wall_s - waits.barrier_s;
  const share = (s: number) => (whole > 0 ? s / whole : 0);
  const work = stages
    .filter((s) => s.self_s > 0)
    .map((s): Account => ({ place: s.stage, s: s.self_s, share: share(s.self_s), count: s.count }))
    .sort((a, b) => b.s - a.s);
  const idle = SHARED_WAITS.map(
    (w): Account => ({ place: w, s: waits[`${w}_s`], share: share(waits[`${w}_s`]), count: null }),
  ).filter((a) => a.s > 0 || a.place === 'unaccounted');
  return [...work, ...idle];
}

/** Less than this is not worth a line of its own. */
const SMALL = 0.0005;

/** For the legend: what counts, and the many small ones together. */
export function folded(list: readonly Account[]): { shown: Account[]; small: Account[] } {
  const isSmall = (a: Account) => a.share < SMALL && a.place !== 'unaccounted';
  const small = list.filter(isSmall);
  return small.length > 1
    ? { shown: list.filter((a) => !isSmall(a)), small }
    : { shown: [...list], small: [] };
}

export function sumOf(list: readonly Account[]): number {
  return list.reduce((sum, a) => sum + a.s, 0);
}
