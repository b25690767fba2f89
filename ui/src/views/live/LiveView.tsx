import { useSource } from '../../data/source';
import { sameValues, useLive } from '../../data/useLive';
import { FilterBar } from '../../kit/FilterBar';
import { count, counted } from '../../text/count';
import { LiveBanners } from './LiveBanners';
import { LiveHeadline } from './LiveHeadline';
import { LiveNumbers } from './LiveNumbers';
import css from './LiveView.module.css';
import { OccupancyPane } from './OccupancyPane';
import { OverduePane } from './OverduePane';
import { SessionMapPane } from './SessionMapPane';
import { WorkersPane } from './WorkersPane';

/** What is stuck, since when, where; who waits for it. */
export function LiveView() {
  const known = useLive((b) => b.report !== null);
  return (
    <>
      <FilterBar>
        <EventCounts />
      </FilterBar>
      <LiveBanners />
      {known && (
        <>
          <LiveHeadline />
          <LiveNumbers />
          <div className={css.grid}>
            <OverduePane />
            <OccupancyPane />
            <SessionMapPane />
            <WorkersPane />
          </div>
        </>
      )}
    </>
  );
}

function EventCounts() {
  const counts = useLive(
    (b) => ({ events: b.report?.raw_event_count ?? 0, dropped: dropped(b.report?.dropped ?? {}) }),
    sameValues,
  );
  // A folder has lines, a server what it made of them.
  const what = useSource().kind === 'report' ? 'recorded event' : 'recorded span';
  return (
    <span className={css.counts}>
      {counted(counts.events, what)} · {count(counts.dropped)} dropped
    </span>
  );
}

export function dropped(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}
