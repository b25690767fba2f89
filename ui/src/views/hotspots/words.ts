import type { Hotspots, StageStats } from '../../data/types';
import { count, counted, percent, times } from '../../text/count';
import { duration } from '../../text/duration';
import { type StageRow, stageRows, stagesOf } from './stageRows';

export type Words = { title: string; text: string };

/** From here on a p95 is a tail: this many times the median. */
const LONG_TAIL = 2;

/** Waits below this share are in the table only. */
const WORTH_A_WORD = 0.01;

/** Which stage costs most and what its tail is; or for what sessions mostly wait. The barrier is nobody's doing. */
export function hotspotWords(hotspots: Hotspots): Words | null {
  const rows = stageRows(hotspots, 'sessions').filter((r) => r.self_s > 0);
  const stage = largest(rows.filter((r) => r.kind === 'stage'));
  const wait = largest(rows.filter((r) => r.kind === 'wait'));
  if (wait && (!stage || wait.self_s > stage.self_s)) {
    return {
      title:
        wait.place === 'siblings'
          ? `Sessions mostly wait for siblings of their group: ${share(wait)}.`
          : `Sessions mostly wait: ${costs(wait)}.`,
      text: stage?.stats
        ? `Of the work, ${costs(stage)}. ${tail(stage.stats)}`
        : 'No stage has any time of its own.',
    };
  }
  if (stage?.stats) {
    const waits = wait && wait.share >= WORTH_A_WORD ? ` Of the waits, ${costs(wait)}.` : '';
    return {
      title: `${stage.place} costs most: ${share(stage)}${own(stage)}.`,
      text: tail(stage.stats) + waits,
    };
  }
  return otherWork(hotspots);
}

/** A run without sessions' work: training loops only. */
function otherWork(hotspots: Hotspots): Words | null {
  const [first] = stagesOf(hotspots, 'other').sort((a, b) => b.self_s - a.self_s);
  if (!first) return null;
  return {
    title: `${first.stage} costs most: ${duration(first.self_s)} of the threads’ time.`,
    text: tail(first),
  };
}

/** Time of spans that lies outside their sessions, and whose clock may be why. */
export function outsideWords({ waits, outside_worker }: Hotspots): string {
  const whose = outside_worker ? `, most of them of ${outside_worker}: is its clock right?` : '';
  return `${duration(waits.outside_s)} of spans outside their session not counted${whose}`;
}

function largest(rows: readonly StageRow[]): StageRow | undefined {
  return rows.reduce<StageRow | undefined>((a, b) => (a && a.self_s >= b.self_s ? a : b), undefined);
}

function share(row: StageRow): string {
  return `${duration(row.self_s)}, ${percent(row.share)} of session time`;
}

/** "generate takes 2 h 11 m, 48.5 % of session time" */
function costs(row: StageRow): string {
  return `${row.place} takes ${share(row)}${own(row)}`;
}

/** Time of a stage that has others inside. */
function own(row: StageRow): string {
  return row.stats && row.stats.total_s > row.self_s * 1.05 ? ', while nothing inside it ran' : '';
}

/** "Its p95 is 32.5 s, 4.2× the median of 7.79 s; the slowest of 595 calls took 5 m 04 s, 27 are still open." */
function tail(s: StageStats): string {
  const ratio = s.p50_s > 0 ? s.p95_s / s.p50_s : 0;
  const median = `the median of ${duration(s.p50_s)}`;
  const against = ratio >= LONG_TAIL ? `${times(ratio)} ${median}` : `not far from ${median}`;
  const open = s.open_count > 0 ? `, ${count(s.open_count)} still open` : '';
  return `Its p95 is ${duration(s.p95_s)}, ${against}; the slowest of ${counted(s.count, 'call')} took ${duration(s.max_s)}${open}.`;
}
