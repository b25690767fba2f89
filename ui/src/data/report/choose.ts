import type { Filter } from '../filter';
import type { LiveRow, SessionColumns } from '../types';
import type { SpanSet } from './SpanSet';

/** Whether a filter leaves anything out. The scope was chosen when the report was written. */
export function choosesAll(filter: Filter): boolean {
  const { batch, status, stage, task, worker, q } = filter;
  return !(batch || status || stage || task || worker || q);
}

/** Places of the sessions that a filter lets through, as the server's questions do. */
export function chooseSessions(sessions: SessionColumns, spans: SpanSet, filter: Filter): Int32Array {
  const { batch, status, stage, task, worker, q } = filter;
  const s = sessions;
  const word = (words: readonly string[], place: number) => words[place] ?? null;
  const text = q?.toLowerCase();
  const stagePlace = stage ? spans.stages.indexOf(stage) : -1;
  const chosen: number[] = [];
  for (let i = 0; i < s.session.length; i++) {
    if (batch && word(s.batches, s.batch[i]!) !== batch) continue;
    if (status && s.statuses[s.status[i]!] !== status) continue;
    if (task && word(s.tasks, s.task[i]!) !== task && word(s.task_names, s.task_name[i]!) !== task) continue;
    if (worker && !isWorker(word(s.workers, s.worker[i]!), worker)) continue;
    if (text) {
      const words = [
        s.session[i]!,
        word(s.tasks, s.task[i]!),
        word(s.task_names, s.task_name[i]!),
        word(s.reasons, s.reason[i]!),
      ];
      if (!words.some((w) => w?.toLowerCase().includes(text))) continue;
    }
    if (stage && !hasStage(spans, spans.laneOfSession[i]!, stagePlace)) continue;
    chosen.push(i);
  }
  return Int32Array.from(chosen);
}

/** By its label, its role or its rank. */
function isWorker(label: string | null, wanted: string): boolean {
  if (label === null) return false;
  return label === wanted || label.startsWith(`[${wanted}]`) || label.endsWith(`rank ${wanted}`);
}

function hasStage(spans: SpanSet, lane: number, stage: number): boolean {
  if (lane < 0) return false;
  for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
    if (spans.stage(i) === stage) return true;
  }
  return false;
}

export function chooseLive(row: LiveRow, filter: Filter): boolean {
  const { batch, status, stage, task, worker, q } = filter;
  if (batch && row.batch !== undefined && row.batch !== batch) return false;
  if (status && row.status !== status) return false;
  if (stage && row.stage !== stage) return false;
  if (task && row.task !== task && row.task_name !== task) return false;
  if (worker && !isWorker(row.worker, worker)) return false;
  const text = q?.toLowerCase();
  return (
    !text || [row.session, row.trace_id, row.task, row.task_name].some((w) => w?.toLowerCase().includes(text))
  );
}
