import type { ReactNode } from 'react';
import type { Answer } from '../data/useAnswer';
import { Button } from './Button';
import css from './Pane.module.css';
import { RetryCountdown } from './RetryCountdown';
import { StatusMark } from './StatusMark';

type Props = {
  title: ReactNode;
  note?: ReactNode;
  /** Right end of the head. */
  right?: ReactNode;
  /** What the pane is made of: says what failed and retries alone; the last data stays. */
  answer?: Answer<unknown>;
  className?: string | undefined;
  children: ReactNode;
};

/** A part of a view with a head. */
export function Pane({ title, note, right, answer, className = '', children }: Props) {
  const waiting = answer?.slow && !answer.error && (answer.stale || answer.data === undefined);
  return (
    <section
      className={`${css.pane} ${className}`}
      aria-label={typeof title === 'string' ? title : undefined}
    >
      <header className={css.head}>
        <h2>{title}</h2>
        <span className={`${css.note} cut`}>{waiting ? 'reading …' : note}</span>
        {right && <div className={css.right}>{right}</div>}
      </header>
      {answer?.error && <Failure answer={answer} />}
      <div className={`${css.body} ${answer?.stale ? css.dimmed : ''}`}>{children}</div>
    </section>
  );
}

/** What failed, and when it is tried again. */
export function Failure({ answer }: { answer: Answer<unknown> }) {
  return (
    <div className={css.failure} role="status">
      <StatusMark status="error" />
      <span>
        <b>This could not be read:</b> {answer.error?.message}.{' '}
        {answer.retryAtMs !== null && <RetryCountdown atMs={answer.retryAtMs} />}
      </span>
      <Button small onClick={answer.retry}>
        Retry now
      </Button>
    </div>
  );
}
