import type { SpanTable } from './spans';

/** 1 for every span whose name, stage, session, lane, worker, task or id contains the text; null for no text. */
export function findSpans(table: SpanTable, text: string): { matched: Uint8Array; count: number } | null {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return null;
  const has = (words: readonly (string | null | undefined)[]) =>
    Uint8Array.from(words, (w) => (w?.toLowerCase().includes(wanted) ? 1 : 0));
  const names = has(table.names);
  const stages = has(table.stages);
  const sessions = has(table.sessions);
  const lanes = has(table.lanes);
  const about = has(table.info.map((i) => i && [i.task, i.task_name, i.worker].filter(Boolean).join('\n')));
  const errors = has(table.errors);
  const matched = new Uint8Array(table.count);
  let count = 0;
  for (let i = 0; i < table.count; i++) {
    if (
      names[table.name[i]!] ||
      stages[table.stage[i]!] ||
      sessions[table.session[i]!] ||
      lanes[table.lane[i]!] ||
      about[table.lane[i]!] ||
      errors[table.error[i]!] ||
      table.ids[i]!.toLowerCase() === wanted
    ) {
      matched[i] = 1;
      count++;
    }
  }
  return { matched, count };
}
