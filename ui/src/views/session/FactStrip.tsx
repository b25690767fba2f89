import type { ReactNode } from 'react';
import { isUnfinished } from '../../data/SessionSet';
import type { Session } from '../../data/types';
import { CopyButton } from '../../kit/CopyButton';
import { Duration, Time } from '../../kit/numbers';
import { StatusMark } from '../../kit/StatusMark';
import { formatAddress } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { count, fourDigits } from '../../text/count';
import { shortId } from '../../text/id';
import css from './FactStrip.module.css';
import { factsOf } from './facts';

/** What is known of it, one fact beside the other. Unknown ones are a dash, so that the eye finds each at its place. */
export function FactStrip({ session: s }: { session: Session }) {
  const facts = factsOf(s);
  const list = (params: Record<string, string>) => formatAddress({ ...routeTo('sessions', s.run), params });
  const lastS = s.spans.reduce((t, span) => Math.max(t, span.end_s ?? span.start_s), s.start_s);
  return (
    <dl className={css.facts}>
      <Fact
        name="Status"
        foot={s.source_status && s.source_status !== s.status ? `source says ${s.source_status}` : s.reason}
      >
        <StatusMark status={s.status} /> {s.status}
      </Fact>
      <Fact
        name={isUnfinished(s.status) ? 'Unfinished for' : 'Total'}
        foot={s.finalised ? 'finalised' : 'not finalised'}
      >
        <Duration s={s.wall_s} />
      </Fact>
      <Fact
        name={isUnfinished(s.status) ? 'Last event' : 'Started'}
        foot={s.relative_clock ? 'clock without a date' : undefined}
      >
        {s.relative_clock ? (
          <Duration s={s.start_s} />
        ) : (
          <Time s={isUnfinished(s.status) ? lastS : s.start_s} nowS={s.end_s} />
        )}
      </Fact>
      <Fact name="Step" foot={s.model_step === null ? undefined : `model step ${s.model_step}`}>
        {s.batch ? <a href={list({ batch: s.batch })}>{s.train_step ?? shortId(s.batch)}</a> : null}
      </Fact>
      <Fact name="Task" foot={s.task_name && s.task ? s.task_name : undefined}>
        {s.task ? (
          <a href={list({ task: s.task })} title={s.task}>
            {shortId(s.task)}
          </a>
        ) : (
          s.task_name
        )}
      </Fact>
      <Fact name="Worker">{s.worker ? <a href={list({ worker: s.worker })}>{s.worker}</a> : null}</Fact>
      <Fact name="Tokens" foot={known(s.output_tokens) ? `${count(s.output_tokens)} out` : undefined}>
        {known(s.input_tokens) ? `${count(s.input_tokens)} in` : null}
      </Fact>
      <Fact name="Reward">{known(s.reward) ? fourDigits(s.reward) : null}</Fact>
      <Fact
        name="Policy version"
        foot={facts.policy && facts.policy.first !== facts.policy.last ? 'changed on the way' : undefined}
      >
        {facts.policy &&
          (facts.policy.first === facts.policy.last
            ? facts.policy.first
            : `${facts.policy.first} → ${facts.policy.last}`)}
      </Fact>
      {facts.counters.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <div className={css.id}>
        <dt>Session id</dt>
        <dd>
          <span className="mono" title={s.session}>
            {shortId(s.session)}
          </span>{' '}
          <CopyButton text={s.session} />
        </dd>
      </div>
    </dl>
  );
}

function known(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}

function Fact({ name, foot, children }: { name: string; foot?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children === null || children === undefined ? <span className="faint">–</span> : children}</dd>
      <dd className={css.foot}>{foot}</dd>
    </div>
  );
}
