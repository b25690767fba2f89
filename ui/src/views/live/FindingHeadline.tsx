import type { Finding } from '../../data/findingTypes';
import { useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { Headline } from '../../kit/Headline';
import { formatAddress, type Route } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { count } from '../../text/count';
import { duration, unbroken } from '../../text/duration';
import { headAndRest, subjectRoute, victimWords } from '../findings/findings';
import { Sentence } from '../findings/Sentence';
import css from './LiveHeadline.module.css';

/** The most important cause: what happened, who waits for it, and what its end would save. */
export function FindingHeadline({ finding, others }: { finding: Finding; others: number }) {
  const run = useRun();
  const { head, rest } = headAndRest(finding.sentence);
  const { cost, victims, subject } = finding;
  const to = subjectRoute(run, finding);
  const list: Route = { ...routeTo('findings', run) };
  const own = { ...list, params: { ...list.params, finding: finding.id } };
  return (
    <Headline
      tone="late"
      title={
        <>
          <Sentence finding={finding} text={head} />
          {others > 0 && (
            <a className={css.more} href={formatAddress(list)}>
              + {count(others)} more
            </a>
          )}
        </>
      }
      actions={
        <>
          <Button primary href={formatAddress(own)}>
            Open finding
          </Button>
          {to && <Button href={formatAddress(to)}>Open {subject.type}</Button>}
        </>
      }
    >
      {rest && (
        <>
          <Sentence finding={finding} text={rest} />{' '}
        </>
      )}
      {victims.sessions > 0 && (
        <>
          <b>{victimWords(finding)}</b>.{' '}
        </>
      )}
      {cost.wall_s !== null && cost.wall_s > 0 && (
        <>
          Without it the run would be <b>{unbroken(duration(cost.wall_s))}</b> shorter.
        </>
      )}
    </Headline>
  );
}
