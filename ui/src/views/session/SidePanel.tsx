import { useState } from 'react';
import type { Session, SpanLine, SpanStack } from '../../data/types';
import { CopyButton } from '../../kit/CopyButton';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import { setParams } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { duration } from '../../text/duration';
import { exactTime } from '../../text/time';
import css from './SidePanel.module.css';
import type { SpanRow } from './spanTree';
import { stackAge, stackLine } from './stack';

type Props = { session: Session; rows: readonly SpanRow[]; selected: SpanRow | undefined };

/** Facts of the selected span, errors, attributes, and the lines it was read from. */
export function SidePanel({ session, rows, selected }: Props) {
  return (
    <aside className={css.side}>
      {selected ? (
        <SelectedSpan row={selected} session={session} />
      ) : (
        <Pane title="Selected span" note="none: click one, or press J">
          {null}
        </Pane>
      )}
      <Errors rows={rows} />
      <Attributes
        key={selected?.key ?? ''}
        title={selected ? 'Attributes of the span' : 'Attributes of the session'}
        attributes={selected ? (selected.span.attributes ?? {}) : session.attributes}
        cut={session.attributes_cut ?? false}
      />
      <Events events={session.events} />
    </aside>
  );
}

function SelectedSpan({ row: { span, from, to }, session }: { row: SpanRow; session: Session }) {
  return (
    <Pane title="Selected span" note={<StageName place={span.stage} />}>
      <dl className={css.pairs}>
        <dt>name</dt>
        <dd className="mono">{span.span}</dd>
        <dt>outcome</dt>
        <dd className={span.outcome === 'error' || span.outcome === 'lost' ? 'bad' : ''}>
          {span.outcome === 'open' ? 'still open' : span.outcome}
          {span.clock_disagrees ? ', its clock disagrees with its parent’s' : ''}
        </dd>
        {span.error && (
          <>
            <dt>error</dt>
            <dd className="bad">{span.error}</dd>
          </>
        )}
        <dt>starts</dt>
        <dd>
          +{duration(from)}
          {session.relative_clock ? '' : `, ${exactTime(span.start_s)}`}
        </dd>
        <dt>ends</dt>
        <dd>
          {span.end_s === null ? 'not yet' : `+${duration(to)}`}
          {span.end_s === null || session.relative_clock ? '' : `, ${exactTime(span.end_s)}`}
        </dd>
        <dt>duration</dt>
        <dd>
          <Duration s={to - from} />, own <Duration s={span.self_s} />
        </dd>
        <dt>worker</dt>
        <dd>{span.worker ?? '–'}</dd>
        {span.span_id && (
          <>
            <dt>span id</dt>
            <dd className="mono">{span.span_id}</dd>
          </>
        )}
      </dl>
      {span.stack && <Stack span={span} stack={span.stack} />}
    </Pane>
  );
}

/** The line that the waterfall shows, with all frames behind it. */
function Stack({ span, stack }: { span: SpanLine; stack: SpanStack }) {
  return (
    <details className={css.stack} open>
      <summary>
        {stackLine(stack)} <span className="faint">{stackAge(span, stack)}</span>
      </summary>
      <pre className={css.raw}>{stack.frames.join('\n')}</pre>
    </details>
  );
}

function Errors({ rows }: { rows: readonly SpanRow[] }) {
  const failed = rows.filter((r) => r.span.error !== null || r.span.outcome === 'error');
  if (failed.length === 0) return null;
  return (
    <Pane title="Errors" note={counted(failed.length, 'span')}>
      <ul className={css.errors}>
        {failed.slice(0, 50).map((r) => (
          <li key={r.key}>
            <button type="button" onClick={() => setParams({ span: r.key })}>
              <StageName place={r.span.stage} /> <span className="faint">+{duration(r.from)}</span>
              <span className="bad">{r.span.error ?? 'error without a message'}</span>
            </button>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

type AttributeProps = { title: string; attributes: Record<string, string>; cut: boolean };

function Attributes({ title, attributes, cut }: AttributeProps) {
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const all = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = all.filter(([k, v]) => k.toLowerCase().includes(wanted) || v.toLowerCase().includes(wanted));
  return (
    <Pane
      title={title}
      note={
        cut
          ? 'very many: cut by the server'
          : shown.length < all.length
            ? `${count(shown.length)} of ${count(all.length)}`
            : count(all.length)
      }
      right={
        all.length > 0 && (
          <input
            className={css.filter}
            value={text}
            placeholder="Filter"
            aria-label="Filter attributes"
            onChange={(e) => setText(e.target.value)}
          />
        )
      }
    >
      {all.length === 0 ? (
        <p className={css.none}>None are known.</p>
      ) : (
        <dl className={css.pairs}>
          {shown.map(([key, value]) => (
            <Pair key={key} name={key} value={value} />
          ))}
        </dl>
      )}
    </Pane>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="mono" title={name}>
        {name}
      </dt>
      <dd className="mono">{value}</dd>
    </>
  );
}

const EVENTS_SHOWN = 500;

function Events({ events }: { events: string[] | null }) {
  if (events === null || events.length === 0) return null;
  return (
    <Pane
      title="Raw events"
      note={counted(events.length, 'line')}
      right={<CopyButton text={events.join('\n')} />}
    >
      <pre className={css.raw}>{events.slice(0, EVENTS_SHOWN).join('\n')}</pre>
    </Pane>
  );
}
