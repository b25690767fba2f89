import type { Finding } from '../../data/findingTypes';
import { isBack, isOpen } from './findings';
import css from './StateWord.module.css';

/** A state is a word: open, closed, or back of a process that died and returned. */
export function StateWord({ finding }: { finding: Finding }) {
  const open = isOpen(finding);
  return (
    <span className={`${css.state} ${open ? css.open : ''}`}>
      {open ? 'open' : isBack(finding) ? 'back' : 'closed'}
    </span>
  );
}
