import { inkOn } from '../../colour/mix';
import { usePalette } from '../../colour/usePalette';
import { Duration } from '../../kit/numbers';
import { Swatch } from '../../kit/Swatch';
import { setParams } from '../../route/useRoute';
import { duration, exactDuration } from '../../text/duration';
import { exactTime } from '../../text/time';
import type { TimeWindow } from './axis';
import type { SpanRow } from './spanTree';
import { stackAge, stackLine } from './stack';
import css from './Waterfall.module.css';

type Props = {
  row: SpanRow;
  top: number;
  window: TimeWindow;
  startS: number;
  relative: boolean;
  selected: boolean;
  only: string | undefined;
  /** Usual p95, only for the span that is the cause. */
  usualS: number | undefined;
};

const ROW = 25;
const STACK = 20;
const INDENT = 15;
const DEEPEST = 9;
/** As far as the name of a stage stands from its swatch. */
const STACK_INDENT = 18;

/** A row with a stack has a second line. */
export function heightOf({ span }: SpanRow): number {
  return span.stack ? ROW + STACK : ROW;
}

export function WaterfallRow({ row, top, window, startS, relative, selected, only, usualS }: Props) {
  const { span, from, to } = row;
  const late = usualS !== undefined && to - from > usualS;
  const dim = only !== undefined && only !== span.stage;
  const started = relative ? `starts at +${duration(from)}` : exactTime(startS + from);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: J and K choose spans
    <div
      className={`${css.row} ${selected ? css.selected : ''} ${dim ? css.dim : ''}`}
      role="treeitem"
      aria-level={span.depth + 1}
      aria-selected={selected}
      style={{ transform: `translateY(${top}px)`, height: heightOf(row) }}
      title={`${span.span}\n${started}\n${exactDuration(to - from)}, own ${exactDuration(span.self_s)}\n${span.outcome}${span.error ? `: ${span.error}` : ''}`}
      onClick={() => setParams({ span: selected ? undefined : row.key })}
    >
      <span className={css.label} style={{ paddingLeft: Math.min(DEEPEST, span.depth) * INDENT }}>
        {row.container ? <i className={css.container} /> : <Swatch place={span.stage} />}
        <span className={`cut ${row.critical ? css.critical : ''}`}>{span.stage}</span>
      </span>
      <span className={css.lane}>
        <Bar row={row} window={window} />
        {late && <Late row={row} usualS={usualS} window={window} />}
      </span>
      <span className={`${css.time} ${late ? 'late' : ''}`}>
        <Duration s={to - from} />
      </span>
      {span.stack && (
        <span
          className={css.stack}
          style={{ paddingLeft: Math.min(DEEPEST, span.depth) * INDENT + STACK_INDENT }}
        >
          <span className="cut mono">{stackLine(span.stack)}</span>
          <span className="faint">{stackAge(span, span.stack)}</span>
        </span>
      )}
    </div>
  );
}

const MOST_PIECES = 80;

function Bar({ row, window }: { row: SpanRow; window: TimeWindow }) {
  const palette = usePalette();
  const { span, from, to, own, container } = row;
  const length = window.to - window.from;
  if (to < window.from || from > window.to) return null;
  const x = (s: number) => ((Math.min(window.to, Math.max(window.from, s)) - window.from) / length) * 100;
  const [left, width] = [x(from), x(to) - x(from)];
  const full = container ? palette.tokens['line-2'] : palette.stage(span.stage);
  const look = { open: css.open, lost: css.lost, error: css.error }[span.outcome] ?? '';
  const says = span.error;
  return (
    <>
      <i
        className={`${css.bar} ${look}`}
        style={{
          left: `${left}%`,
          width: `max(2px, ${width}%)`,
          background: container ? palette.tokens.raised : palette.tint(span.stage),
        }}
      >
        {!container &&
          pieces(own, length / 1500).map(([a, b]) => (
            <i
              key={a}
              style={{
                left: `${((x(a) - left) / (width || 1)) * 100}%`,
                width: `max(1px, ${((x(b) - x(a)) / (width || 1)) * 100}%)`,
                background: full,
              }}
            />
          ))}
        {says && width > 12 && (
          <em style={{ color: own.length === 1 ? inkOn(palette.stage(span.stage)) : undefined }}>{says}</em>
        )}
      </i>
      {row.critical && <i className={css.path} style={{ left: `${left}%`, width: `max(2px, ${width}%)` }} />}
      {span.outcome === 'error' && <Cross at={x(to)} />}
    </>
  );
}

/** Pieces too short to see join their neighbours, and there are never very many. */
function pieces(own: SpanRow['own'], least: number): readonly (readonly [number, number])[] {
  const seen = own.filter(([a, b]) => b - a >= least);
  return seen.length > MOST_PIECES ? seen.slice(0, MOST_PIECES) : seen;
}

function Cross({ at }: { at: number }) {
  return (
    <svg
      className={css.cross}
      style={{ left: `${at}%` }}
      width="10"
      height="10"
      viewBox="0 0 10 10"
      aria-label="error"
      role="img"
    >
      <path d="M1.5 1.5l7 7M8.5 1.5l-7 7" stroke="var(--bad)" strokeWidth="2" />
    </svg>
  );
}

/** Orange from the usual p95 on. */
function Late({ row, usualS, window }: { row: SpanRow; usualS: number; window: TimeWindow }) {
  const length = window.to - window.from;
  const x = (s: number) => ((Math.min(window.to, Math.max(window.from, s)) - window.from) / length) * 100;
  const post = x(row.from + usualS);
  return (
    <>
      <i className={css.rail} style={{ left: `${post}%`, width: `${x(row.to) - post}%` }} />
      <i className={css.post} style={{ left: `${post}%` }} title={`usual p95 ${duration(usualS)}`} />
    </>
  );
}
