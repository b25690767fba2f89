import { useMemo } from 'react';
import type { Session } from '../../data/types';
import { useFindings } from '../../data/useFindings';
import { isOpen, type Part, partsOf } from '../findings/findings';
import { useRow } from './useUsual';

/** The findings that a session is part of: as the one to blame, or as one that suffers. */
export function useParts(session: Session): Part[] {
  const { report } = useFindings();
  const waits = useRow(session.session)?.waits_for === 'siblings';
  const group = waits ? session.siblings.map((s) => s.session) : [];
  return partsOf(report?.findings ?? [], session.session, group);
}

/** Sessions that open findings are about. */
export function useBlamed(): ReadonlySet<string> {
  const { report } = useFindings();
  return useMemo(() => {
    const open = report?.findings.filter((f) => isOpen(f) && f.subject.type === 'session') ?? [];
    return new Set(open.map((f) => f.subject.id));
  }, [report]);
}
