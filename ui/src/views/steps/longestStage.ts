import { WAITS } from '../../colour/waits';
import type { Session } from '../../data/types';
import type { Part } from './steps';

/** The stage or wait that a session spent most of its time in. */
export function longestStage(session: Pick<Session, 'stages' | 'waits'>): Part | undefined {
  const stages = session.stages.map((s) => ({ place: s.stage, s: s.self_s }));
  const waits = WAITS.map((wait) => ({ place: wait, s: session.waits[`${wait}_s`] }));
  const [longest] = [...stages, ...waits].sort((a, b) => b.s - a.s);
  return longest && longest.s > 0 ? longest : undefined;
}
