import type { SessionSet } from '../../data/SessionSet';
import type { StageTimes } from './stageTimes';

/** What can be measured of a session: its total, its waits, and its own time in a stage. */
export const WAIT_MEASURES = ['queue', 'gap', 'barrier', 'unaccounted'] as const;
export const MEASURES = ['total', 'work', ...WAIT_MEASURES] as const;

export function measureValues(set: SessionSet, spans: StageTimes | null, measure: string): Float64Array {
  if (measure === 'total') return set.wall;
  if ((MEASURES as readonly string[]).includes(measure)) return set[measure as 'work'];
  return spans?.own?.[spans.stages.indexOf(measure)] ?? set.wall;
}

/** All names that measureValues knows. */
export function measuresOf(spans: StageTimes | null): string[] {
  return [...MEASURES, ...(spans?.own ? spans.stages : [])];
}
