import { Fragment, type ReactNode } from 'react';
import { Count, Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import css from './StepsView.module.css';
import { isFinished, medianOf, SLOW, type Step, sessionsIn } from './steps';

type Line = {
  name: string;
  value: (step: Step) => number | null;
  show: (value: number) => ReactNode;
  /** Whether more is worse. */
  worse: boolean;
};

const seconds = (s: number) => <Duration s={s} />;
const number = (n: number) => <Count n={Math.round(n)} />;

const LINES: readonly Line[] = [
  { name: 'Wall', value: (s) => s.batch.wall_s, show: seconds, worse: true },
  { name: '90 % done after', value: (s) => s.done90_s, show: seconds, worse: true },
  {
    name: 'Tail after 90 %',
    value: (s) => (s.done90_s === null ? null : s.batch.tail_s),
    show: seconds,
    worse: true,
  },
  {
    name: 'Tail cost, slot time',
    value: (s) => (s.done90_s === null ? null : s.batch.tail_cost_s),
    show: seconds,
    worse: true,
  },
  { name: 'Session time', value: (s) => s.batch.session_s, show: seconds, worse: false },
  { name: 'Sessions', value: (s) => s.batch.sessions, show: number, worse: false },
  {
    name: 'Failed or lost',
    value: (s) => sessionsIn(s.batch, ['failed', 'lost']),
    show: number,
    worse: true,
  },
];

/** The step beside the one before it and the median of the finished ones. */
export function Against({ step, steps }: { step: Step; steps: readonly Step[] }) {
  const before = steps[steps.indexOf(step) - 1];
  const finished = steps.filter((s) => isFinished(s.batch));
  return (
    <Pane
      title={before ? `Against ${before.name.toLowerCase()} and the median` : 'Against the median'}
      className={css.section}
    >
      <div className={`${css.grid} ${css.against}`}>
        <span />
        <span className={`${css.head} ${css.number}`}>{before ? before.name : ''}</span>
        <span className={`${css.head} ${css.number}`}>Median</span>
        <span className={`${css.head} ${css.number}`}>{step.name}</span>
        {LINES.map((line) => {
          const known = finished.filter((s) => line.value(s) !== null);
          const usual = medianOf(known, (s) => line.value(s)!);
          const value = line.value(step);
          const late = line.worse && value !== null && usual !== null && usual > 0 && value / usual >= SLOW;
          return (
            <Fragment key={line.name}>
              <span className="dim">{line.name}</span>
              <span className={`${css.number} dim`}>{before ? shown(line, line.value(before)) : ''}</span>
              <span className={`${css.number} dim`}>{shown(line, usual)}</span>
              <b className={`${css.number} ${late ? 'late' : ''}`}>{shown(line, value)}</b>
            </Fragment>
          );
        })}
      </div>
    </Pane>
  );
}

function shown(line: Line, value: number | null): ReactNode {
  return value === null ? <span className="faint">–</span> : line.show(value);
}
