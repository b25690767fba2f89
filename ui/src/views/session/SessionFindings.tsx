import type { Session } from '../../data/types';
import { StatusMark } from '../../kit/StatusMark';
import { Swatch } from '../../kit/Swatch';
import { formatAddress } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { counted } from '../../text/count';
import { headAndRest, markOf } from '../findings/findings';
import { Sentence } from '../findings/Sentence';
import { StateWord } from '../findings/StateWord';
import css from './SessionFindings.module.css';
import { useParts } from './useParts';

/** The most important so many have a line; the others are counted. */
const MOST = 3;

/** One line for each finding that the session is part of, as its cause or as one that suffers from it. */
export function SessionFindings({ session }: { session: Session }) {
  const parts = useParts(session);
  if (parts.length === 0) return null;
  const list = routeTo('findings', session.run);
  return (
    <ul className={css.findings} aria-label="Findings">
      {parts.slice(0, MOST).map(({ finding, as }) => (
        <li key={finding.id}>
          {as === 'cause' ? <StatusMark status={markOf(finding)} /> : <Swatch place="barrier" />}
          <b>{as === 'cause' ? 'Cause of a finding' : 'Not to blame'}</b>
          <StateWord finding={finding} />
          <a href={formatAddress({ ...list, params: { finding: finding.id } })}>
            <Sentence finding={finding} text={headAndRest(finding.sentence).head} />
          </a>
        </li>
      ))}
      {parts.length > MOST && (
        <li>
          <a href={formatAddress(list)}>{counted(parts.length - MOST, 'other finding')}</a>
        </li>
      )}
    </ul>
  );
}
