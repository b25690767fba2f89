import type { Finding } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import { duration } from '../../text/duration';
import { clock, clockMinutes, isUndated, moment } from '../../text/time';
import { timeTicks } from '../session/axis';

/** A stretch of time and where times are in it, from 0 to 1. */
export type Placed = { from: number; to: number; share: (s: number) => number };

const TICKS = 8;
const MOST_STEPS = 12;

/** From the first finding up to now, with a little room before. */
export function placed(findings: readonly Finding[], nowS: number): Placed {
  const first = findings.reduce((least, f) => Math.min(least, f.since_s), nowS);
  const to = Math.max(nowS, first + 1);
  const from = first - (to - first) * 0.08;
  return { from, to, share: (s) => Math.min(1, Math.max(0, (s - from) / (to - from))) };
}

type Mark = { label: string; left: string };

/** Where steps begin; the newest ones if there are too many to be read. */
export function stepMarks(batches: readonly Batch[], { from, to, share }: Placed): Mark[] {
  return batches
    .filter((b) => b.train_step !== null && b.start_s >= from && b.start_s <= to)
    .sort((a, b) => a.start_s - b.start_s)
    .slice(-MOST_STEPS)
    .map((b) => ({ label: `step ${b.train_step}`, left: left(share(b.start_s)) }));
}

/** Round local times; on a clock without a date, how long after the first finding. */
export function tickMarks({ from, to, share }: Placed): Mark[] {
  const zone = -new Date(from * 1000).getTimezoneOffset() * 60;
  const text = (s: number) => {
    if (isUndated(s)) return `+${duration(s - from)}`;
    if (to - from > 86_400) return moment(s, to);
    return to - from < 600 ? clock(s) : clockMinutes(s);
  };
  return timeTicks({ from: from + zone, to: to + zone }, TICKS).map((tick) => ({
    label: text(tick - zone),
    left: left(share(tick - zone)),
  }));
}

function left(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
