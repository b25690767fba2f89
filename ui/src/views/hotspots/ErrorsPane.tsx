import { filterKey, useFilter } from '../../data/filter';
import type { ErrorGroup } from '../../data/types';
import { useAnswer } from '../../data/useAnswer';
import { useNowS, useRun } from '../../data/useLive';
import { EmptyState } from '../../kit/EmptyState';
import { Time } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { SessionId } from '../../kit/SessionId';
import { StageName } from '../../kit/Swatch';
import { sessionAddress } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import css from './HotspotsView.module.css';
import { sum } from './stageRows';

const EVERY_MS = 10_000;
const MOST_CAUSES = 100;
const EXAMPLES = 3;
/** Below this a time is of a process's own clock, which says nothing to people. */
const FIRST_WALL_CLOCK_S = 1e9;

type Props = { pointed: string | null; onPoint: (place: string | null) => void };

/** What failed, by cause, the most frequent first; each leads to the sessions it happened in. */
export function ErrorsPane({ pointed, onPoint }: Props) {
  const run = useRun();
  const filter = useFilter();
  const answer = useAnswer(
    `errors ${run} ${filterKey(filter)}`,
    (source, signal) => source.errors(run, filter, MOST_CAUSES, signal),
    { everyMs: EVERY_MS },
  );
  const groups = answer.data?.errors ?? [];
  const leftOut = answer.data?.left_out ?? 0;
  return (
    <Pane
      title="Errors by cause"
      note={
        groups.length > 0 &&
        `${counted(sum(groups.map((g) => g.count)), 'error')}, ${counted(groups.length, 'cause')}${leftOut > 0 ? `; ${count(leftOut)} rarer causes left out` : ''}`
      }
      answer={answer}
    >
      {answer.data && groups.length === 0 && <EmptyState title="No errors." />}
      <ul className={css.errors}>
        {groups.map((g) => (
          <Cause
            key={`${g.stage}\n${g.error}`}
            run={run}
            group={g}
            marked={g.stage === pointed}
            onPoint={onPoint}
          />
        ))}
      </ul>
    </Pane>
  );
}

type CauseProps = {
  run: string;
  group: ErrorGroup;
  marked: boolean;
  onPoint: (place: string | null) => void;
};

function Cause({ run, group, marked, onPoint }: CauseProps) {
  const nowS = useNowS();
  const [first] = group.examples;
  return (
    <li
      className={marked ? css.marked : ''}
      onPointerEnter={() => onPoint(group.stage)}
      onPointerLeave={() => onPoint(null)}
    >
      <div className={css.cause}>
        <b className="bad">{count(group.count)}</b>
        <StageName place={group.stage} />
        <span className={css.when}>
          {counted(group.sessions, 'session')}
          {group.last_s > FIRST_WALL_CLOCK_S && (
            <>
              {' '}
              · last <Time s={group.last_s} nowS={nowS} />
            </>
          )}
        </span>
      </div>
      {first === undefined ? (
        <div className={`${css.text} mono`}>{group.error}</div>
      ) : (
        <a className={`${css.text} mono`} href={sessionAddress(run, first)} title={group.error}>
          {group.error}
        </a>
      )}
      <div className={css.examples}>
        {group.examples.slice(0, EXAMPLES).map((session) => (
          <SessionId key={session} run={run} session={session} />
        ))}
      </div>
    </li>
  );
}
