import type { ReactNode } from 'react';
import { Button } from '../../kit/Button';
import { CopyButton } from '../../kit/CopyButton';
import { Duration, Time } from '../../kit/numbers';
import { StageName } from '../../kit/Swatch';
import { sessionAddress } from '../../route/useRoute';
import { times } from '../../text/count';
import { shortId } from '../../text/id';
import type { SpanFacts } from './describe';
import css from './Timeline.module.css';

type Props = {
  run: string;
  facts: SpanFacts;
  spanId: string;
  nowS: number;
  pinned: boolean;
  onPin: () => void;
  onZoom: () => void;
  onClose: () => void;
};

/** The selected span, and the way to its session. */
export function SpanDetails({ run, facts, spanId, nowS, pinned, onPin, onZoom, onClose }: Props) {
  return (
    <section className={css.details} aria-label="Selected span">
      <header>
        <b>
          <StageName place={facts.stage || facts.name} />
        </b>
        <button type="button" className={css.close} aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <dl className={css.facts}>
        <Fact what={facts.open ? 'open for' : 'duration'}>
          <Duration s={facts.durationS} />{' '}
          {facts.ratio !== null && (
            <span className={facts.open && facts.ratio > 1 ? 'late' : 'faint'}>
              {times(facts.ratio)} usual p95
            </span>
          )}
        </Fact>
        <Fact what="started">
          <Time s={facts.startS} nowS={nowS} />
        </Fact>
        <Fact what="ended">
          {facts.open ? <span className="faint">not yet</span> : <Time s={facts.endS} nowS={nowS} />}
        </Fact>
        <Fact what="outcome">{facts.inferred ? 'open, seen only by its children' : facts.outcome}</Fact>
        <Fact what="error">{facts.error && <span className="bad">{facts.error}</span>}</Fact>
        <Fact what="overlaps">
          {facts.overlaps && <span className="late">{facts.overlaps}, open on this lane when it began</span>}
        </Fact>
        <Fact what="session">{facts.session && <span className="mono">{shortId(facts.session)}</span>}</Fact>
        <Fact what="task">{facts.task}</Fact>
        <Fact what="worker">{facts.worker}</Fact>
        <Fact what="name">{facts.name !== facts.stage && facts.name}</Fact>
        <Fact what="span">
          {spanId && (
            <>
              <span className="mono">{shortId(spanId)}</span> <CopyButton text={spanId} />
            </>
          )}
        </Fact>
      </dl>
      <div className={css.actions}>
        {facts.session && (
          <Button small primary href={sessionAddress(run, facts.session)} keyName="↵">
            Open session
          </Button>
        )}
        <Button small onClick={onZoom}>
          Zoom to it
        </Button>
        <Button small onClick={onPin} keyName="P">
          {pinned ? 'Unpin lane' : 'Pin lane'}
        </Button>
      </div>
    </section>
  );
}

/** Left out when there is nothing to say. */
function Fact({ what, children }: { what: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <>
      <dt>{what}</dt>
      <dd>{children}</dd>
    </>
  );
}
