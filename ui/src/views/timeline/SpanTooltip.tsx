import { StageName } from '../../kit/Swatch';
import { Tooltip } from '../../kit/Tooltip';
import { times } from '../../text/count';
import { duration } from '../../text/duration';
import { shortId } from '../../text/id';
import { clock } from '../../text/time';
import type { SpanFacts } from './describe';
import css from './Timeline.module.css';

export function SpanTooltip({ facts, x, y }: { facts: SpanFacts; x: number; y: number }) {
  return (
    <Tooltip x={x} y={y}>
      <div className={css.tipHead}>
        <b>
          <StageName place={facts.stage || facts.name} />
        </b>
        <span className="mono dim">{shortId(facts.session ?? facts.lane)}</span>
      </div>
      <dl className={css.facts}>
        <dt>{facts.open ? 'open for' : 'duration'}</dt>
        <dd>
          <b>{duration(facts.durationS)}</b>{' '}
          {facts.ratio !== null && facts.ratio > 1 && (
            <span className={facts.open ? 'late' : 'dim'}>{times(facts.ratio)} usual p95</span>
          )}
        </dd>
        <dt>ran</dt>
        <dd>
          {clock(facts.startS)} to {facts.open ? 'now' : clock(facts.endS)}
        </dd>
        {facts.worker && (
          <>
            <dt>worker</dt>
            <dd>{facts.worker}</dd>
          </>
        )}
        <dt>outcome</dt>
        <dd className={facts.outcome === 'error' || facts.outcome === 'lost' ? 'bad' : ''}>
          {facts.inferred ? 'open, seen only by its children' : facts.outcome}
        </dd>
        {facts.overlaps && (
          <>
            <dt>overlaps</dt>
            <dd className="late">{facts.overlaps}, open on this lane when it began</dd>
          </>
        )}
        {facts.error && (
          <>
            <dt>error</dt>
            <dd>{facts.error}</dd>
          </>
        )}
      </dl>
      <div className={css.tipKeys}>
        click selects <kbd>P</kbd> pins the lane
      </div>
    </Tooltip>
  );
}
