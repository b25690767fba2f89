import type { ReactNode } from 'react';
import type { SessionStatus } from '../data/types';

export type MarkName = SessionStatus | 'overdue' | 'error';

const CROSS = (
  <path d="M4.5 4.5l7 7M11.5 4.5l-7 7" stroke="var(--bad)" strokeWidth="2" strokeLinecap="round" />
);
const DOT = <circle cx="8" cy="8" r="4" fill="var(--ink-3)" />;
const DASH = <path d="M4 8h8" stroke="var(--ink-3)" strokeWidth="1.6" />;

/** Shape first, colour second. */
const SHAPES: Record<MarkName, ReactNode> = {
  overdue: (
    <>
      <circle cx="8" cy="8" r="7" fill="var(--late)" />
      <path d="M8 4.2V8l2.6 1.7" stroke="var(--on-late)" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  error: CROSS,
  failed: CROSS,
  lost: <circle cx="8" cy="8" r="6" stroke="var(--bad)" strokeWidth="1.8" strokeDasharray="2.6 2.1" />,
  running: (
    <path d="M2 4.5h7l4 3.5-4 3.5H2z" stroke="var(--ink-2)" strokeWidth="1.5" strokeLinejoin="round" />
  ),
  queued: (
    <rect x="4" y="4" width="8" height="8" stroke="var(--ink-3)" strokeWidth="1.3" strokeDasharray="2 1.6" />
  ),
  completed: DOT,
  accepted: DOT,
  rejected: <circle cx="8" cy="8" r="3.4" stroke="var(--ink-3)" strokeWidth="1.4" />,
  dropped: DASH,
  cancelled: DASH,
};

export function StatusMark({ status }: { status: MarkName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" role="img" aria-label={status}>
      <title>{status}</title>
      {SHAPES[status]}
    </svg>
  );
}
