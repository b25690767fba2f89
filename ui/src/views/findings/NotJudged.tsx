import { Fragment } from 'react';
import type { Findings } from '../../data/findingTypes';
import { Pane } from '../../kit/Pane';
import { counted } from '../../text/count';
import { coverageLines, KINDS } from './findings';
import css from './NotJudged.module.css';

/** What could not be judged and why, and what the data covers: also there when all is calm. */
export function NotJudged({ report }: { report: Findings }) {
  const { not_judged, coverage } = report;
  const kinds = new Set(not_judged.map((n) => n.kind)).size;
  return (
    <div className={css.side}>
      <Pane title="Not judged" note={`${kinds} of ${counted(Object.keys(KINDS).length, 'kind')}`}>
        {not_judged.length === 0 ? (
          <p className={css.words}>Every kind of finding could be judged.</p>
        ) : (
          <dl className={css.reasons}>
            {not_judged.map(({ kind, why }) => (
              <Fragment key={`${kind} ${why}`}>
                <dt className="mono" title={KINDS[kind]}>
                  {kind}
                </dt>
                <dd>{why}</dd>
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
              <b>{known ? 'known' : 'not known'}</b> {what}
              {!known && <span>, so it cannot tell {tells}</span>}
            </li>
          ))}
        </ul>
      </Pane>
    </div>
  );
}
