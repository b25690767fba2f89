import { Fragment } from 'react';
import { count } from '../text/count';
import { durationParts, exactDuration } from '../text/duration';
import { exactTime, isUndated, moment } from '../text/time';

/** A duration with small grey units; the exact value on hover. Not known (null): a dash. */
export function Duration({ s }: { s: number | null | undefined }) {
  if (s === null || s === undefined) return <span className="faint">–</span>;
  return (
    <span title={exactDuration(s)}>
      {durationParts(s).map((p, i) => (
        <Fragment key={p.unit}>
          {i > 0 && ' '}
          {p.figure}
          <span className="unit">{p.unit}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** A count; zero is dimmed. */
export function Count({ n }: { n: number }) {
  return n === 0 ? <span className="zero">0</span> : count(n);
}

/** A local time; exact value and zone on hover. */
export function Time({ s, nowS }: { s: number | null | undefined; nowS: number }) {
  if (s === null || s === undefined) return <span className="faint">–</span>;
  if (isUndated(s)) return <span title="On a clock of its own: nobody knows what time it was">–</span>;
  return <time title={exactTime(s)}>{moment(s, nowS)}</time>;
}
