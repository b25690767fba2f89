import type { ReactNode } from 'react';
import css from './Headline.module.css';

type Props = {
  tone: 'calm' | 'late' | 'bad';
  title: ReactNode;
  children?: ReactNode;
  aside?: ReactNode;
  actions?: ReactNode;
  /** Whether another headline stands above. */
  second?: boolean;
};

/** The first line of a view: the answer in words. */
export function Headline({ tone, title, children, aside, actions, second = false }: Props) {
  return (
    <section className={`${css.headline} ${tone === 'calm' ? '' : css[tone]}`} aria-live="polite">
      <i className={css.edge} />
      <div className={css.words}>
        {second ? <h2>{title}</h2> : <h1>{title}</h1>}
        <p>{children}</p>
      </div>
      {aside}
      {actions && <div className={css.actions}>{actions}</div>}
    </section>
  );
}
