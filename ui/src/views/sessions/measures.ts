import { WAITS } from '../../colour/waits';
import type { SessionSet } from '../../data/SessionSet';
import type { StageTimes } from './stageTimes';

/** What can be measured of a session: its work, its time until the verdict, its waits, and its own time in a stage. */
export const WAIT_MEASURES = WAITS;
export const MEASURES = ['work', 'total', 'busy', ...WAIT_MEASURES] as const;

/** How a measure is called; `total` stands in addresses of old. */
export function measureName(measure: string): string {
  return measure === 'total' ? 'to verdict' : measure;
}

export function measureValues(set: SessionSet, spans: StageTimes | null, measure: string): Float64Array {
  if (measure === 'total') return set.wall;
  if ((MEASURES as readonly string[]).includes(measure)) return set[measure as 'work'];
  return spans?.own?.[spans.stages.indexOf(measure)] ?? set.work;
}

/** All names that measureValues knows. */
export function measuresOf(spans: StageTimes | null): string[] {
  return [...MEASURES, ...(spans?.own ? spans.stages : [])];
}
