import { counted, percent, times } from '../../text/count';
import { duration } from '../../text/duration';
import { isFinished, medianOf, type Step } from './steps';

export type Explanation = { title: string; reasons: string[] };

const SLOWER = 1.15;
const FASTER = 0.87;
/** A tail or a stage that makes up this part of the difference is its cause. */
const CAUSE = 0.5;

/** Why a step took as long as it did, against the median of the finished ones. */
export function explain(step: Step, all: readonly Step[]): Explanation {
  const finished = all.filter((s) => isFinished(s.batch));
  const usual = medianOf(finished, (s) => s.batch.wall_s);
  const reasons = [...unfinishedReason(step)];
  if (usual !== null && step.ratio !== null) reasons.push(...against(step, finished, usual));
  reasons.push(...tailReason(step), ...failedReason(step, finished));
  return { title: titleOf(step, usual), reasons };
}

function titleOf({ name, batch, unfinished, ratio }: Step, usual: number | null): string {
  const took = `${name} ${unfinished > 0 ? 'has run for' : 'took'} ${duration(batch.wall_s)}`;
  if (usual === null || ratio === null) return `${took}; there is no other finished step to compare it with.`;
  if (ratio > FASTER && ratio < SLOWER) return `${took}, about the median of ${duration(usual)}.`;
  return `${took}, ${times(ratio)} the median of ${duration(usual)}.`;
}

function unfinishedReason({ unfinished, batch }: Step): string[] {
  if (unfinished === 0) return [];
  return [
    `${unfinished} of ${counted(batch.sessions, 'session')} ${unfinished === 1 ? 'has' : 'have'} not ended.`,
  ];
}

/** The tail, the number of sessions, or a stage: whatever made the difference. */
function against(step: Step, finished: readonly Step[], usual: number): string[] {
  const more = step.batch.wall_s - usual;
  if (step.ratio! > FASTER && step.ratio! < SLOWER) return [];
  const reasons: string[] = [];
  const usualTail = medianOf(finished, (s) => s.batch.tail_s)!;
  const usual90 = medianOf(finished, (s) => s.done90_s ?? s.batch.wall_s)!;
  if (step.done90_s !== null) {
    const byTail = (step.batch.tail_s - usualTail) / more >= CAUSE;
    reasons.push(
      byTail
        ? `The tail made the difference: 90 % were done after ${duration(step.done90_s)} (usually ${duration(usual90)}), the last 10 % took ${duration(step.batch.tail_s)} more (usually ${usualTail > 0 ? duration(usualTail) : 'nothing'}).`
        : `The difference came before the tail: 90 % were done after ${duration(step.done90_s)}, usually ${duration(usual90)}.`,
    );
    if (byTail) return reasons;
  }
  const part = partReason(step, finished, more);
  if (part.length > 0) return [...part, ...reasons];
  return [...reasons, ...sizeReason(step, finished), ...stageReason(step, finished, more > 0)];
}

/** Training or weight sync, when it made most of the difference. */
function partReason(step: Step, finished: readonly Step[], more: number): string[] {
  return Object.entries(step.batch.parts ?? {}).flatMap(([part, s]) => {
    const usual = medianOf(finished, (f) => f.batch.parts?.[part] ?? 0)!;
    if ((s - usual) / more < CAUSE) return [];
    return [`${part} made the difference: ${duration(s)}, usually ${duration(usual)}.`];
  });
}

function sizeReason(step: Step, finished: readonly Step[]): string[] {
  const usual = medianOf(finished, (s) => s.batch.sessions)!;
  const ratio = usual > 0 ? step.batch.sessions / usual : 1;
  if (ratio > FASTER && ratio < SLOWER) return [];
  return [`It has ${counted(step.batch.sessions, 'session')}, usually ${Math.round(usual)}.`];
}

/** The stage or wait whose time per session changed most, in the direction of the step. */
function stageReason(step: Step, finished: readonly Step[], slower: boolean): string[] {
  let place = '';
  let most = 0;
  let values = [0, 0];
  const places = new Set([step, ...finished].flatMap((s) => [...perSession(s).keys()]));
  for (const p of places) {
    const here = perSession(step).get(p) ?? 0;
    const usual = medianOf(finished, (s) => perSession(s).get(p) ?? 0)!;
    const change = slower ? here - usual : usual - here;
    if (change > most) [place, most, values] = [p, change, [here, usual]];
  }
  if (!place) return [];
  return [`A session spent ${duration(values[0]!)} in ${place}, usually ${duration(values[1]!)}.`];
}

function perSession(step: Step): Map<string, number> {
  const n = Math.max(1, step.batch.sessions);
  const waits = Object.entries(step.batch.waits).map(([k, s]) => [k.replace(/_s$/, ''), s] as const);
  const all = [
    ...Object.entries(step.batch.stages),
    ...waits.filter(([k]) => k !== 'outside' && k !== 'barrier'),
  ];
  return new Map(all.map(([place, s]) => [place, s / n]));
}

function tailReason({ batch, slot_s }: Step): string[] {
  if (batch.tail_s <= 0 || slot_s <= 0) return [];
  const idle = Math.round(batch.tail_cost_s / batch.tail_s);
  return [
    `In the tail of ${duration(batch.tail_s)} on average ${idle} of ${counted(batch.slots, 'slot')} were idle: ${duration(batch.tail_cost_s)} of slot time, ${percent(batch.tail_cost_s / slot_s)} of the step.`,
  ];
}

function failedReason(step: Step, finished: readonly Step[]): string[] {
  const lost = step.batch.statuses.lost ?? 0;
  const words = lost > 0 ? [`${counted(lost, 'session')} ${lost === 1 ? 'was' : 'were'} lost.`] : [];
  const failed = step.batch.statuses.failed ?? 0;
  const usual = medianOf(finished, (s) => s.batch.statuses.failed ?? 0);
  if (failed < 3 || usual === null || failed < 2 * usual) return words;
  return [`${counted(failed, 'session')} failed, usually ${Math.round(usual)}.`, ...words];
}
