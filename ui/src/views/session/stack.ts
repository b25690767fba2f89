import type { SpanLine, SpanStack } from '../../data/types';
import { duration } from '../../text/duration';

/** Where the work stood, in one line. */
export function stackLine({ summary, frames }: SpanStack): string {
  return summary ?? frames[0] ?? '';
}

/** When its stack was recorded: before now, or before it ended. */
export function stackAge(span: SpanLine, { at_s }: SpanStack): string {
  if (at_s === null) return '';
  const age = duration(Math.max(0, span.start_s + span.duration_s - at_s));
  return span.end_s === null ? `stack of ${age} ago` : `stack of ${age} before its end`;
}
