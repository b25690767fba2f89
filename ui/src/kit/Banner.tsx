import type { ReactNode } from 'react';
import css from './Banner.module.css';
import { type MarkName, StatusMark } from './StatusMark';

type Props = {
  tone: 'neutral' | 'late' | 'bad';
  mark?: MarkName;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
};

/** Something is wrong with the view itself, or with what it is made of. */
export function Banner({ tone, mark, title, children, action }: Props) {
  return (
    <div className={`${css.banner} ${tone === 'neutral' ? '' : css[tone]}`} role="status">
      {mark && <StatusMark status={mark} />}
      <b>{title}</b>
      <p>{children}</p>
      {action}
    </div>
  );
}
