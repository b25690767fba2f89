import { useCallback, useMemo, useRef } from 'react';
import { usePalette } from '../../colour/usePalette';
import { sessionSet } from '../../data/SessionSet';
import type { Session } from '../../data/types';
import { useAnswer } from '../../data/useAnswer';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { SessionId } from '../../kit/SessionId';
import { StatusMark } from '../../kit/StatusMark';
import { useCanvas, useSize } from '../../kit/useCanvas';
import { counted } from '../../text/count';
import { duration } from '../../text/duration';
import { drawBar, lifecycleWindow } from '../sessions/drawLifecycle';
import { stageTimes } from '../sessions/stageTimes';
import css from './Siblings.module.css';
import { useBlamed } from './useParts';

const ROW = 25;
const MOST = 64;
const BUDGET = 20_000;
const EVERY_MS = 5000;

/** The samples of the same task on one clock. */
export function Siblings({ session, only }: { session: Session; only: string | undefined }) {
  const { run, task, siblings } = session;
  const blamed = useBlamed();
  const enabled = task !== null && siblings.length > 0;
  const filter = { scope: 'all', task: task ?? '' };
  const answer = useAnswer(
    `siblings ${run} ${session.session}`,
    async (source, signal) => {
      const [columns, timeline] = await Promise.all([
        source.sessionColumns(run, filter, signal),
        source.timeline(run, filter, { by: 'session', budget: BUDGET }, signal),
      ]);
      return { columns, timeline };
    },
    { enabled, everyMs: EVERY_MS },
  );
  const family = useMemo(() => {
    if (!answer.data) return null;
    const set = sessionSet(answer.data.columns);
    const ids = new Set([session.session, ...siblings.map((s) => s.session)]);
    const rows = Uint32Array.from(set.session.flatMap((id, i) => (ids.has(id) ? [i] : [])))
      .sort((a, b) => blames(blamed, set, b) - blames(blamed, set, a) || set.work[b]! - set.work[a]!)
      .slice(0, MOST);
    return { set, rows, spans: stageTimes(set, answer.data.timeline) };
  }, [answer.data, session.session, siblings, blamed]);
  if (!enabled) return null;
  return (
    <Pane
      title="Samples of this task"
      note={`${counted(siblings.length + 1, 'sample')} of task ${task}, on one clock, causes first, then the slowest`}
      answer={answer}
    >
      {family && <Lanes family={family} blamed={blamed} session={session} only={only} />}
    </Pane>
  );
}

function blames(blamed: ReadonlySet<string>, set: Family['set'], row: number): number {
  return Number(blamed.has(set.session[row]!));
}

type Family = {
  set: ReturnType<typeof sessionSet>;
  rows: Uint32Array;
  spans: ReturnType<typeof stageTimes>;
};

type LanesProps = {
  family: Family;
  blamed: ReadonlySet<string>;
  session: Session;
  only: string | undefined;
};

function Lanes({ family, blamed, session, only }: LanesProps) {
  const { set, rows } = family;
  const palette = usePalette();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(host);
  const height = rows.length * ROW;
  const draw = useCallback(
    (g: CanvasRenderingContext2D) => {
      const window = lifecycleWindow(set, rows, true);
      const look = { clock: true, rowHeight: ROW - 6, labels: false, ...window };
      const edge = width - 6;
      const x = (s: number) => ((s - window.fromS) / (window.toS - window.fromS)) * (edge - 14);
      rows.forEach((row, k) => {
        drawBar(g, family, row, look, x, k * ROW + 5, edge, palette, only);
      });
    },
    [family, set, rows, width, palette, only],
  );
  useCanvas(canvas, { width, height }, draw);
  return (
    <div className={css.family}>
      <div>
        {Array.from(rows, (row) => (
          <div
            key={set.session[row]}
            className={`${css.name} ${set.session[row] === session.session ? css.self : ''}`}
          >
            <StatusMark status={blames(blamed, set, row) ? 'overdue' : set.statuses[set.status[row]!]!} />
            <SessionId run={session.run} session={set.session[row]!} />
            <span className="faint cut">{set.workers[set.worker[row]!]}</span>
          </div>
        ))}
      </div>
      <div ref={host}>
        <canvas ref={canvas} aria-label={`${counted(rows.length, 'sample')} on one clock`} />
      </div>
      <div>
        {Array.from(rows, (row) => (
          <div key={set.session[row]} className={css.time} title={`work ${duration(set.work[row]!)}`}>
            <Duration s={set.work[row]!} />
          </div>
        ))}
      </div>
    </div>
  );
}
