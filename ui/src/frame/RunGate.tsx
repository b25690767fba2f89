import type { ReactNode } from 'react';
import { useLive } from '../data/useLive';
import { EmptyState } from '../kit/EmptyState';
import { formatAddress, HOME } from '../route/address';

/** The view, unless the server knows of no such run: every view would only say so in its own words. */
export function RunGate({ run, children }: { run: string; children: ReactNode }) {
  const missing = useLive((b) => b.connection.state === 'missing');
  if (!missing) return children;
  return (
    <EmptyState title={`This server has no run “${run}”.`}>
      It may have been deleted, or not sent anything yet; this page goes on looking for it.{' '}
      <a href={formatAddress(HOME)}>See all runs</a>
    </EmptyState>
  );
}
