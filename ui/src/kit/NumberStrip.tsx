import type { ReactNode } from 'react';
import css from './NumberStrip.module.css';

/** A row of big numbers. */
export function NumberStrip({ children }: { children: ReactNode }) {
  return <section className={css.strip}>{children}</section>;
}

type Props = {
  name: ReactNode;
  value: ReactNode;
  foot?: ReactNode;
  tone?: 'late' | 'bad' | undefined;
  wide?: boolean;
  title?: string;
};

export function BigNumber({ name, value, foot, tone, wide, title }: Props) {
  return (
    <div
      role="group"
      aria-label={typeof name === 'string' ? name : undefined}
      className={`${css.number} ${wide ? css.wide : ''} ${tone ? css[tone] : ''}`}
      title={title}
    >
      <div className={`${css.key} cut`}>{name}</div>
      <div className={css.value} data-value="">
        {value}
      </div>
      <div className={`${css.foot} cut`}>{foot}</div>
    </div>
  );
}
