import type { Finding } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import { Pane } from '../../kit/Pane';
import { duration } from '../../text/duration';
import { isOpen, stretchOf } from './findings';
import css from './WhatIf.module.css';

/** Its steps as they were over its steps without it, on one scale. What would be saved did not happen: an outline, never a fill. */
export function WhatIf({ finding, batches }: { finding: Finding; batches: readonly Batch[] | undefined }) {
  const saved = finding.cost.wall_s;
  // Room is kept while the steps are being read, so that what is below does not jump.
  if (batches === undefined && saved !== null && saved > 0 && finding.steps.length > 0) {
    return (
      <Pane title="What it costs" note="reading the steps …">
        <div className={css.room} />
      </Pane>
    );
  }
  const took = stretchOf(finding, batches ?? []);
  if (saved === null || took === null || saved <= 0 || saved >= took) return null;
  const { steps } = finding;
  const name = steps.length === 1 ? `Step ${steps[0]}` : `Steps ${steps[0]} to ${steps.at(-1)}`;
  const left = took - saved;
  const width = `${(100 * left) / took}%`;
  return (
    <Pane
      title="What it costs"
      note={`${duration(saved)} of ${duration(took)}; savings of several findings overlap`}
    >
      <div
        className={css.bars}
        role="img"
        aria-label={`${name}: ${duration(took)}, without this cause ${duration(left)}`}
      >
        <span>{name}</span>
        <div className={css.track}>
          <i className={css.real} />
        </div>
        <b>{duration(took)}</b>
        <span>without it</span>
        <div className={css.track}>
          <i className={css.real} style={{ width }} />
          <i className={`${css.saved} ${isOpen(finding) ? '' : css.over}`} style={{ left: width }}>
            {saved / took > 0.12 && `− ${duration(saved)}`}
          </i>
        </div>
        <b>{duration(left)}</b>
      </div>
    </Pane>
  );
}
