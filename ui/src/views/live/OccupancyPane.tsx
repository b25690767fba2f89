import { useMemo, useState } from 'react';
import { usePalette } from '../../colour/usePalette';
import { WAITS } from '../../colour/waits';
import { filterKey, useFilter } from '../../data/filter';
import { inView, unfinished } from '../../data/inView';
import type { BoardState } from '../../data/LiveBoard';
import type { Occupancy } from '../../data/types';
import { useAnswer } from '../../data/useAnswer';
import { useBatches } from '../../data/useBatches';
import { sameValues, useLive, useLiveContext, useRun, useStandsStill } from '../../data/useLive';
import { Count } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import { clock } from '../../text/time';
import { OccupancyChart } from './OccupancyChart';
import css from './OccupancyPane.module.css';
import { barrierOf, placesIn, stackColumns, stackOrder } from './occupancy';
import { stepName } from './stepEnd';

const WINDOW_S = 600;
const BUCKETS = 150;
const EVERY_MS = 4000;

type Read = { occupancy: Occupancy; fromS: number; toS: number };

/** How many unfinished sessions are in which stage or wait: now, and over the last ten minutes. */
export function OccupancyPane() {
  const run = useRun();
  const filter = useFilter();
  const { board } = useLiveContext();
  const palette = usePalette();
  const still = useStandsStill();
  const [hover, setHover] = useState<number | null>(null);
  const answer = useAnswer<Read>(
    `occupancy ${run} ${filterKey(filter)}`,
    async (source, signal) => {
      const toS = board.nowS();
      const window = { from: toS - WINDOW_S, to: toS, buckets: BUCKETS };
      const occupancy = await source.occupancy(run, { scope: 'all', ...filter }, window, signal);
      return { occupancy, fromS: toS - WINDOW_S, toS };
    },
    { everyMs: EVERY_MS },
  );
  const now = useLive(placesNow, sameValues);
  const alive = useLive((b) => {
    const view = inView(b);
    return view ? unfinished(view.summary) : 0;
  });
  const steps = useBatches().data?.batches;
  const stepLines = useMemo(
    () =>
      (steps ?? [])
        .map((b) => ({ atS: b.start_s, label: stepName(b).toLowerCase() }))
        .sort((a, b) => a.atS - b.atS),
    [steps],
  );
  const read = answer.data;
  const seen = useMemo(
    () =>
      new Set([...(read ? placesIn(read.occupancy) : []), ...Object.keys(now).filter((p) => now[p]! > 0)]),
    [read, now],
  );
  const order = useMemo(() => stackOrder(run, [...seen].filter(isStage)), [run, seen]);
  const columns = useMemo(
    () => read && [...stackColumns(read.occupancy, order), barrierOf(read.occupancy)],
    [read, order],
  );
  const shown = hover !== null && read ? placesAt(read.occupancy, hover) : now;
  const atS = hover !== null ? read?.occupancy.start_s[hover] : undefined;
  return (
    <Pane
      title="Where unfinished sessions are"
      note={atS === undefined ? (still ? 'last 10 min of the run' : 'last 10 min') : `at ${clock(atS)}`}
      right={
        <b>
          {hover === null ? <Count n={alive} /> : <Count n={Math.round(read?.occupancy.alive[hover] ?? 0)} />}
        </b>
      }
      answer={answer}
    >
      <div className={css.body}>
        <div className={css.chart}>
          {read && columns && (
            <OccupancyChart
              columns={columns}
              order={order}
              fromS={read.fromS}
              toS={read.toS}
              end={still ? 'end' : 'now'}
              steps={stepLines}
              palette={palette}
              onHover={setHover}
            />
          )}
        </div>
        <Legend order={order} seen={seen} counts={shown} />
      </div>
    </Pane>
  );
}

const isStage = (place: string) => !(WAITS as readonly string[]).includes(place);

type LegendProps = { order: readonly string[]; seen: ReadonlySet<string>; counts: Record<string, number> };

/** Topmost of the stack first, then the line of those that wait for a verdict; what the chart shows nothing of is left out, but for one: people should learn to trust it. */
function Legend({ order, seen, counts }: LegendProps) {
  const stack = [...order].reverse().filter((p) => seen.has(p) || p === 'unaccounted');
  const shown = seen.has('barrier') ? [...stack, 'barrier'] : stack;
  return (
    <ul className={css.legend}>
      {shown.map((place) => (
        <li key={place}>
          <StageName place={place} />
          <b>
            <Count n={Math.round(counts[place] ?? 0)} />
          </b>
        </li>
      ))}
    </ul>
  );
}

/** Every unfinished session is in one place: the stage of its newest open span, or it is queued. */
function placesNow(state: BoardState): Record<string, number> {
  const view = inView(state);
  return view ? { ...view.stages, queue: view.summary.queued } : {};
}

function placesAt(occupancy: Occupancy, index: number): Record<string, number> {
  const all = { ...occupancy.stages, ...occupancy.waits };
  return Object.fromEntries(Object.entries(all).map(([place, values]) => [place, values[index] ?? 0]));
}
