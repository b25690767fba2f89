import { overdueCount } from '../data/openWork';
import { useLive } from '../data/useLive';
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
  const overdue = useLive(overdueCount);
  if (overdue === 0) return null;
  return (
    <span className={css.badge} title={`${count(overdue)} overdue`}>
      {count(overdue)}
    </span>
  );
}
