import { useMemo } from 'react';
import type { Finding, Findings } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { setParams } from '../../route/useRoute';
import { count } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { isUndated, moment } from '../../text/time';
import { isBack, isOpen, victimWords } from './findings';
import css from './History.module.css';
import { type Placed, placed, stepMarks, tickMarks } from './historyAxis';

type Props = { report: Findings; batches: readonly Batch[]; selected: Finding | undefined };

/** The newest so many: a run of weeks has more than anybody reads. */
const MOST = 200;

/** A row per finding on the clock of the run, below its steps; what is closed stays. */
export function History({ report, batches, selected }: Props) {
  const rows = useMemo(
    () => [...report.findings].sort((a, b) => a.since_s - b.since_s).slice(-MOST),
    [report],
  );
  const window = useMemo(() => placed(rows, report.as_of_s), [rows, report.as_of_s]);
  const first = report.findings.find(isOpen);
  const leftOut = report.findings.length - rows.length;
  if (rows.length === 0) {
    return (
      <Pane title="History" note="of this run">
        <p className={css.none}>There has been no finding in this run.</p>
      </Pane>
    );
  }
  const steps = stepMarks(batches, window);
  return (
    <Pane
      title="History"
      note={
        leftOut > 0
          ? `the newest ${count(rows.length)} of ${count(report.findings.length)} findings`
          : 'of this run; a closed finding stays'
      }
    >
      <div className={css.head} aria-hidden="true">
        <span />
        <span>saves</span>
        <div className={css.track}>
          {steps.map((s) => (
            <i key={s.label} className={css.step} style={{ left: s.left }}>
              {s.label}
            </i>
          ))}
        </div>
      </div>
      <ul className={css.rows} aria-label="History">
        {rows.map((f) => (
          <Row
            key={f.id}
            finding={f}
            nowS={report.as_of_s}
            window={window}
            steps={steps}
            first={f === first}
            selected={f === selected}
          />
        ))}
      </ul>
      <div className={css.axis} aria-hidden="true">
        <span />
        <span />
        <div className={css.track}>
          {tickMarks(window).map((t) => (
            <i key={t.left} style={{ left: t.left }}>
              {t.label}
            </i>
          ))}
        </div>
      </div>
    </Pane>
  );
}

/** Words of when are about so wide; with less room they would be cut. */
const ROOM = 0.2;

type RowProps = {
  finding: Finding;
  nowS: number;
  window: Placed;
  steps: readonly { label: string; left: string }[];
  first: boolean;
  selected: boolean;
};

function Row({ finding, nowS, window, steps, first, selected }: RowProps) {
  const { kind, subject, since_s, until_s, cost } = finding;
  const open = isOpen(finding);
  const end = until_s ?? nowS;
  const left = window.share(since_s);
  const width = window.share(end) - left;
  const right = 1 - left - width;
  const look = open ? (first ? css.first : css.open) : isBack(finding) ? css.back : css.over;
  return (
    <li>
      <button
        type="button"
        className={`${css.row} ${open ? css.now : ''}`}
        aria-pressed={selected}
        onClick={() => setParams({ finding: finding.id })}
      >
        <span className="cut" title={`${subject.id}: ${kind}`}>
          {shortId(subject.id)} <span className="faint">{kind.replaceAll('_', ' ')}</span>
        </span>
        <span className={css.saves}>
          <Duration s={cost.wall_s} />
        </span>
        <span className={css.track}>
          {steps.map((s) => (
            <i key={s.label} className={css.line} style={{ left: s.left }} />
          ))}
          <i className={`${css.bar} ${look}`} style={{ left: percentOf(left), width: percentOf(width) }} />
          {/* Beside the bar, where there is more room; else the list of findings says when it was. */}
          {Math.max(left, right) > ROOM && (
            <span
              className={css.words}
              style={
                left > right
                  ? { right: `calc(${percentOf(1 - left)} + 8px)` }
                  : { left: `calc(${percentOf(left + width)} + 10px)` }
              }
            >
              {whenOf(finding, nowS)}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

function whenOf(finding: Finding, nowS: number): string {
  const { since_s, until_s, victims } = finding;
  const lost = isBack(finding) && victims.sessions > 0 ? `, ${victimWords(finding)}` : '';
  // On a clock of its own only lengths mean something.
  if (isUndated(since_s)) return duration((until_s ?? nowS) - since_s) + lost;
  if (until_s === null) return `since ${moment(since_s, nowS)}`;
  return `${moment(since_s, nowS)} to ${moment(until_s, nowS)}${lost}`;
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
