import { useMemo } from 'react';
import type { SessionStatus } from '../../data/types';
import { Pane } from '../../kit/Pane';
import { StatusMark } from '../../kit/StatusMark';
import { setParams } from '../../route/useRoute';
import { count, counted, percent } from '../../text/count';
import css from './BreakdownPane.module.css';
import { type Counted, chosen, NONE, REASON, STATUS, tally } from './selection';
import type { Page } from './usePage';

const REASONS_SHOWN = 20;

/** How the sessions ended, and why. A click chooses. */
export function BreakdownPane({ page }: { page: Page }) {
  const { set, miss, selection } = page;
  const statuses = useMemo(() => tally(chosen(miss, STATUS), set.status, set.statuses), [set, miss]);
  const reasons = useMemo(
    () => tally(chosen(miss, REASON), set.reason, set.reasons).filter((r) => r.name !== NONE),
    [set, miss],
  );
  const all = statuses.reduce((sum, s) => sum + s.count, 0);
  return (
    <Pane title="Status and reason" note={counted(all, 'session')}>
      <div className={css.lists}>
        {statuses.map((line) => (
          <Line
            key={line.name}
            line={line}
            all={all}
            on={selection.status === line.name}
            mark={line.name as SessionStatus}
            onChoose={(name) => setParams({ status: name }, 'push')}
          />
        ))}
        {reasons.length > 0 && <div className={css.gap} />}
        {reasons.slice(0, REASONS_SHOWN).map((line) => (
          <Line
            key={line.name}
            line={line}
            all={all}
            on={selection.reason === line.name}
            onChoose={(name) => setParams({ reason: name }, 'push')}
          />
        ))}
        {reasons.length > REASONS_SHOWN && (
          <p className="faint">{counted(reasons.length - REASONS_SHOWN, 'more reason')}</p>
        )}
      </div>
    </Pane>
  );
}

type LineProps = {
  line: Counted;
  all: number;
  on: boolean;
  mark?: SessionStatus;
  onChoose: (name: string | undefined) => void;
};

function Line({ line, all, on, mark, onChoose }: LineProps) {
  const share = line.count / Math.max(1, all);
  return (
    <button
      type="button"
      className={css.line}
      aria-pressed={on}
      title={line.name}
      onClick={() => onChoose(on ? undefined : line.name)}
    >
      {mark ? <StatusMark status={mark} /> : <span className={css.why}>why</span>}
      <span className="cut">{line.name}</span>
      <i className={css.track}>
        <i data-bad={mark === 'failed' || mark === 'lost'} style={{ width: `${share * 100}%` }} />
      </i>
      <b>{count(line.count)}</b>
      <span className="faint">{percent(share)}</span>
    </button>
  );
}
