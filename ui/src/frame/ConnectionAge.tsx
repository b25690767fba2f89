import { useEffect, useState } from 'react';
import { useLive } from '../data/useLive';
import { duration } from '../text/duration';
import css from './AppFrame.module.css';

/** Whether what is shown is live, and how old the last message is. */
export function ConnectionAge() {
  const connection = useLive((b) => b.connection);
  const arrivedMs = useLive((b) => b.arrivedMs);
  const past = useLive((b) => b.report?.past ?? false);
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  switch (connection.state) {
    case 'report':
    case 'missing':
      return null;
    case 'connecting':
      return (
        <span className={css.connection}>
          <i /> Connecting
        </span>
      );
    case 'away':
      return (
        <span className={css.connection} title={connection.reason}>
          <i className={css.away} /> Disconnected
        </span>
      );
    case 'live': {
      if (past) {
        return (
          <span className={css.connection} title="Nothing comes in: it is shown as of its last event">
            <i /> Past run
          </span>
        );
      }
      const age = Math.max(0, Math.round((performance.now() - arrivedMs) / 1000));
      return (
        <span className={css.connection} title="Age of the last message from the server">
          <i className={css.live} /> Live{' '}
          <span className="faint">
            {age === 0 ? 'now' : duration(age).replace('.00', '').replace('.0', '')}
          </span>
        </span>
      );
    }
  }
}
