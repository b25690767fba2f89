import type { ReactNode } from 'react';
import css from './ControlBar.module.css';

/** What is shown on the left, how it is shown on the right. */
export function ControlBar({ children, right }: { children: ReactNode; right?: ReactNode }) {
  return (
    <div className={css.bar}>
      {children}
      {right && <div className={css.right}>{right}</div>}
    </div>
  );
}
