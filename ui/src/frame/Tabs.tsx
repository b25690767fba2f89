import { usualBySpan } from '../data/LiveBoard';
import { isOverdue, rankOpenWork } from '../data/overdue';
import { useLive, useLiveContext } from '../data/useLive';
import { formatAddress, VIEWS } from '../route/address';
import { routeTo, useRoute } from '../route/useRoute';
import { count } from '../text/count';
import css from './AppFrame.module.css';

export const TAB_NAMES: Record<(typeof VIEWS)[number], string> = {
  live: 'Live',
  timeline: 'Timeline',
  hotspots: 'Hotspots',
  sessions: 'Sessions',
  steps: 'Steps',
};

export function Tabs({ run }: { run: string }) {
  const { view } = useRoute();
  const active = view === 'session' ? 'sessions' : view;
  return (
    <nav className={css.tabs} aria-label="Views">
      {VIEWS.map((v) => (
        <a key={v} href={formatAddress(routeTo(v, run))} aria-current={v === active ? 'page' : undefined}>
          {TAB_NAMES[v]}
          {v === 'live' && <OverdueBadge />}
        </a>
      ))}
    </nav>
  );
}

function OverdueBadge() {
  const { board } = useLiveContext();
  const overdue = useLive((b) => {
    const nowS = board.nowS();
    const usual = usualBySpan(b.report?.open_span_summaries ?? []);
    return rankOpenWork(b.rows.values(), usual, nowS).filter((w) => isOverdue(w, nowS)).length;
  });
  if (overdue === 0) return null;
  return (
    <span className={css.badge} title={`${count(overdue)} overdue`}>
      {count(overdue)}
    </span>
  );
}
