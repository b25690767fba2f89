import { useCallback, useEffect, useRef, useState } from 'react';
import { setParams, useParam, useRoute } from '../route/useRoute';
import css from './AppFrame.module.css';

const PAUSE_MS = 250;

/** Text that must be in the id of a session, trace or task, or in a name; among runs and charts, in their name. */
export function Find() {
  const { run, view } = useRoute();
  // What is searched for among metrics is no filter of sessions.
  const key = view === 'charts' ? 'find' : 'q';
  const q = useParam(key) ?? '';
  const [text, setText] = useState(q);
  const sent = useRef(q);

  // The address changed by another hand: the Back button, a cleared chip.
  if (q !== sent.current) {
    sent.current = q;
    setText(q);
  }
  const send = useCallback(
    (next: string) => {
      if (next === sent.current) return;
      sent.current = next;
      setParams({ [key]: next || undefined });
    },
    [key],
  );
  useEffect(() => {
    const timer = setTimeout(() => send(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, send]);

  const what = run === null ? 'Find a run' : view === 'charts' ? 'Find a metric' : 'Session, stage, worker…';
  return (
    <label className={css.find}>
      <svg width="13" height="13" viewBox="0 0 13 13" aria-hidden="true">
        <circle cx="5.5" cy="5.5" r="4" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d="M8.6 8.6l3.2 3.2" stroke="currentColor" strokeWidth="1.4" />
      </svg>
      <input
        id="find"
        type="search"
        value={text}
        placeholder={what}
        aria-label={what}
        spellCheck={false}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') send(text);
          if (e.key === 'Escape') {
            if (text === '') e.currentTarget.blur();
            setText('');
            send('');
          }
        }}
      />
      {/* There the key goes to the search in the picture. */}
      {view !== 'timeline' && <kbd>/</kbd>}
    </label>
  );
}
