import { type ReactNode, useEffect, useState } from 'react';
import { toggleTheme } from '../colour/theme';
import { useSource } from '../data/source';
import { useFindings } from '../data/useFindings';
import { copyText } from '../kit/clipboard';
import { KeyHelp } from '../kit/KeyHelp';
import { useKeys } from '../kit/keys';
import { formatAddress, HOME, type Route } from '../route/address';
import { currentRoute, push, routeTo, useRoute } from '../route/useRoute';
import css from './AppFrame.module.css';
import { ConnectionAge } from './ConnectionAge';
import { Find } from './Find';
import { ReportNote, SampledBanner } from './ReportNote';
import { RunPicker } from './RunPicker';
import { Tabs, tabName, viewsOf } from './Tabs';

const NOTE_MS = 2000;

/** What surrounds every view: run, tabs, find, connection, theme, help; and the keys that work everywhere. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { run, view } = useRoute();
  const source = useSource();
  const { kind } = source;
  const { told } = useFindings();
  const [help, setHelp] = useState(false);
  const [note, setNote] = useState('');
  useEffect(() => {
    if (note === '') return;
    const timer = setTimeout(() => setNote(''), NOTE_MS);
    return () => clearTimeout(timer);
  }, [note]);
  const copyLink = async () =>
    setNote((await copyText(location.href)) ? 'Link copied' : 'The browser does not allow copying');
  useKeys([
    ...viewsOf(source, told).map((view, i) => ({
      key: String(i + 1),
      does: tabName(view, kind),
      run: () => (run === null ? (false as const) : push(routeTo(view, run))),
    })),
    { key: '/', does: 'Find', run: () => document.getElementById('find')?.focus() },
    { key: 'y', does: 'Copy a link to what you see', run: () => void copyLink() },
    { key: 'Escape', does: 'Close, clear, go up', run: goUp },
    { key: '?', does: 'This help', run: () => setHelp(true) },
  ]);
  return (
    <div className={css.app}>
      <header className={css.top}>
        <a className={css.brand} href={formatAddress(HOME)} title="All runs">
          <Logo />
          <span>Rollscope</span>
        </a>
        {run !== null && <RunPicker run={run} />}
        {run !== null && <Tabs run={run} />}
        <div className={css.tools}>
          {view !== 'targets' && <Find key={`${run} ${view === 'charts'}`} />}
          {kind === 'report' ? <ReportNote /> : run !== null && <ConnectionAge />}
          <button
            type="button"
            className={css.icon}
            onClick={toggleTheme}
            title="Light or dark"
            aria-label="Light or dark"
          >
            <HalfCircle />
          </button>
          <button
            type="button"
            className={css.icon}
            onClick={() => setHelp(true)}
            title="Keyboard (?)"
            aria-label="Keyboard"
          >
            ?
          </button>
        </div>
      </header>
      <main className={css.main}>
        <SampledBanner />
        {children}
      </main>
      <div role="status" className={note ? css.note : 'hidden'}>
        {note}
      </div>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

/** From a session to the sessions, from filters to none, from a run to all runs. */
function goUp(): void {
  push(placeAbove(currentRoute()));
}

function placeAbove(route: Route): Route {
  if (route.run === null) return HOME;
  if (route.view === 'session') return routeTo('sessions', route.run);
  return Object.keys(route.params).length > 0 ? { ...route, params: {} } : HOME;
}

function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="2" y="3" width="8" height="3" rx="1" fill="var(--ink)" />
      <rect x="5" y="8.5" width="6" height="3" rx="1" fill="var(--ink)" />
      <path d="M8 14h7l3 1.5-3 1.5H8z" fill="var(--late)" />
    </svg>
  );
}

function HalfCircle() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </svg>
  );
}
