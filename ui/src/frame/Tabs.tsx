import { overdueOfRun } from '../data/openWork';
import { type Source, useSource } from '../data/source';
import { useFindings } from '../data/useFindings';
import { useLive } from '../data/useLive';
import { formatAddress, VIEWS } from '../route/address';
import { routeTo, useRoute } from '../route/useRoute';
import { count } from '../text/count';
import css from './AppFrame.module.css';

const TAB_NAMES: Record<(typeof VIEWS)[number], string> = {
  live: 'Live',
  findings: 'Findings',
  timeline: 'Timeline',
  hotspots: 'Hotspots',
  sessions: 'Sessions',
  steps: 'Steps',
  charts: 'Charts',
};

/**
 * A report of a run without metrics has no charts.
 *
 * @param findings whether they are to be had
 */
export function viewsOf(
  { monitoring }: Pick<Source, 'monitoring'>,
  findings: boolean,
): readonly (typeof VIEWS)[number][] {
  return VIEWS.filter((v) => (v !== 'charts' || monitoring !== null) && (v !== 'findings' || findings));
}

/** A report is as of one moment: what was live then was open at the end. */
export function tabName(view: (typeof VIEWS)[number], kind: Source['kind']): string {
  return view === 'live' && kind === 'report' ? 'Open at the end' : TAB_NAMES[view];
}

export function Tabs({ run }: { run: string }) {
  const { view } = useRoute();
  const source = useSource();
  const { kind } = source;
  const { told } = useFindings();
  const active = view === 'session' ? 'sessions' : view;
  return (
    <nav className={css.tabs} aria-label="Views">
      {viewsOf(source, told).map((v) => (
        <a key={v} href={formatAddress(routeTo(v, run))} aria-current={v === active ? 'page' : undefined}>
          {tabName(v, kind)}
          {v === 'findings' && <FindingsBadge />}
          {v === 'live' && !told && <OverdueBadge />}
        </a>
      ))}
    </nav>
  );
}

/** How many causes are open in the run, whatever is filtered. */
function FindingsBadge() {
  const open = useFindings().report?.findings.filter((f) => f.state === 'open').length ?? 0;
  if (open === 0) return null;
  return (
    <span className={css.badge} title={`${count(open)} open`}>
      {count(open)}
    </span>
  );
}

/** Where no findings are to be had. */
function OverdueBadge() {
  const overdue = useLive(overdueOfRun);
  if (overdue === 0) return null;
  return (
    <span className={css.badge} title={`${count(overdue)} overdue`}>
      {count(overdue)}
    </span>
  );
}
