import type { BatchMark } from '../../data/metricTypes';
import type { Route } from '../../route/address';
import { formatSpan } from '../../route/values';
import type { ChartsState } from './chartsState';
import { clockOf } from './marks';
import type { ChartWindow } from './window';

/** The timeline of the window that the charts show; null where nobody knows when these steps were. */
export function timelineOf(
  run: string,
  state: ChartsState,
  { settled }: ChartWindow,
  batches: readonly BatchMark[],
  nowS: number,
): Route | null {
  const route = (params: Record<string, string>): Route => ({
    view: 'timeline',
    run,
    session: null,
    params: { scope: 'all', ...params },
  });
  if (settled === null) return route({});
  const clock = state.axis === 'clock' ? settled : clockOf(settled, batches, nowS);
  return clock && route({ t: formatSpan(clock) });
}
