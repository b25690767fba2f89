import type { Finding } from '../../data/findingTypes';
import { useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { Headline } from '../../kit/Headline';
import { Duration } from '../../kit/numbers';
import { formatAddress, type Route } from '../../route/address';
import { routeTo } from '../../route/useRoute';
import { count } from '../../text/count';
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
      aside={
        <dl className={css.costs}>
          {cost.wall_s !== null && cost.wall_s > 0 && (
            <div>
              <dt>would save</dt>
              <dd>
                <Duration s={cost.wall_s} />
              </dd>
            </div>
          )}
          {victims.sessions > 0 && (
            <div>
              <dt>{victimWords(finding).replace(/^\S+ /, '')}</dt>
              <dd>{count(victims.sessions)}</dd>
            </div>
          )}
        </dl>
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
      <Sentence finding={finding} text={rest} />
    </Headline>
  );
}
