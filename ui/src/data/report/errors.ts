import type { ErrorGroup, SessionColumns } from '../types';
import { lanesOf, order } from './hotspots';
import type { SpanSet } from './SpanSet';

const NO_MESSAGE = '(no message)';
const EXAMPLES = 5;

/** What went wrong in some sessions, or in one stage of them, most frequent first. */
export function errorsOf(
  sessions: SessionColumns,
  spans: SpanSet,
  chosen: Int32Array,
  stage?: string,
): ErrorGroup[] {
  const groups = new Map<string, { group: ErrorGroup; sessions: Set<string> }>();
  for (const lane of lanesOf(spans, chosen)) {
    for (let i = spans.laneFirst[lane]!; i < spans.laneFirst[lane + 1]!; i++) {
      if (!spans.work[i] || !spans.failed(i) || (stage && spans.stageOf(i) !== stage)) continue;
      const error = spans.columns.errors[spans.error[i]!] ?? NO_MESSAGE;
      const key = `${spans.stage(i)} ${error}`;
      const at = spans.seconds(spans.end(i));
      let known = groups.get(key);
      if (!known) {
        const group = { stage: spans.stageOf(i), error, count: 0, sessions: 0, examples: [] };
        known = { group: { ...group, first_s: at, last_s: at }, sessions: new Set() };
        groups.set(key, known);
      }
      known.group.count++;
      known.group.first_s = Math.min(known.group.first_s, at);
      known.group.last_s = Math.max(known.group.last_s, at);
      known.sessions.add(sessions.session[spans.sessionOf(lane)]!);
    }
  }
  return [...groups.values()]
    .map(({ group, sessions: ids }) => ({
      ...group,
      sessions: ids.size,
      examples: [...ids].sort().slice(0, EXAMPLES),
    }))
    .sort((a, b) => b.count - a.count || order(a.stage, b.stage) || order(a.error, b.error));
}
