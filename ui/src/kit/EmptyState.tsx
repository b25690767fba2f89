import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton';
import css from './EmptyState.module.css';

type Props = {
  title: string;
  children?: ReactNode;
  /** Lines to copy into a terminal. */
  lines?: readonly { what: string; line: string }[];
  footer?: ReactNode;
};

/** Nothing to show: says why, and what to do next. */
export function EmptyState({ title, children, lines, footer }: Props) {
  return (
    <section className={css.empty}>
      <b>{title}</b> <span className="dim">{children}</span>
      {lines && (
        <div className={css.lines}>
          {lines.map(({ what, line }) => (
            <div className={css.line} key={line}>
              <span>{what}</span>
              <code>{line}</code>
              <CopyButton text={line} />
            </div>
          ))}
        </div>
      )}
      {footer && <footer>{footer}</footer>}
    </section>
  );
}
