import { Fragment } from 'react';
import type { Findings } from '../../data/findingTypes';
import { Pane } from '../../kit/Pane';
import { counted } from '../../text/count';
import { coverageLines, judgedWords, KINDS, unjudgedOf } from './findings';
import css from './NotJudged.module.css';

/** What could not be judged and why, and what the data covers: also there when all is calm. */
export function NotJudged({ report }: { report: Findings }) {
  const { coverage } = report;
  const unjudged = unjudgedOf(report);
  return (
    <div className={css.side}>
      <Pane title="Not judged" note="or not in full">
        <p className={css.words}>{judgedWords(report)}</p>
        {unjudged.length > 0 && (
          <dl className={css.reasons}>
            {unjudged.map(([kind, whys]) => (
              <Fragment key={kind}>
                <dt className="mono" title={KINDS[kind]}>
                  {kind}
                </dt>
                {whys.map((why) => (
                  <dd key={why}>{why}</dd>
                ))}
              </Fragment>
            ))}
          </dl>
        )}
      </Pane>
      <Pane
        title="What the data covers"
        note={coverage.steps === 0 ? 'no steps' : counted(coverage.steps, 'step')}
        className={css.coverage}
      >
        <ul className={css.lines}>
          {coverageLines(report).map(({ known, what, tells }) => (
            <li key={what} className={known ? '' : css.unknown}>
              <b>{known ? 'known' : 'not known'}</b>
              <span>
                {what}
                {!known && `, so it cannot tell ${tells}`}
              </span>
            </li>
          ))}
        </ul>
      </Pane>
    </div>
  );
}
