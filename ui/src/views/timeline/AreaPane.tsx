import { useMemo } from 'react';
import { Button } from '../../kit/Button';
import { Count, Duration } from '../../kit/numbers';
import { StageName } from '../../kit/Swatch';
import { aggregate } from '../../lanes/aggregate';
import type { Area, Scene } from '../../lanes/scene';
import { count, counted, percent } from '../../text/count';
import { duration } from '../../text/duration';
import { clock } from '../../text/time';
import css from './Timeline.module.css';

type Props = {
  scene: Scene;
  area: Area;
  /** Whether somebody chose it; else it is what is in sight. */
  chosen: boolean;
  laneWord: string;
  onZoom: () => void;
  onClear: () => void;
};

/** What happened in the selection, or in what is in sight: also the legend of the colours. */
export function AreaPane({ scene, area, chosen, laneWord, onZoom, onClear }: Props) {
  const sum = useMemo(() => aggregate(scene, area), [scene, area]);
  const most = Math.max(...sum.stages.map((s) => s.ownS), 1e-9);
  const time = (t: number) =>
    scene.axis === 'clock' ? clock(t + scene.table.originS) : `+${duration(Math.max(0, t))}`;
  return (
    <section className={css.area} aria-label={chosen ? 'Selection' : 'In sight'}>
      <header>
        <b>{chosen ? 'Selection' : 'In sight'}</b>
        <span className="faint">
          {time(area.from)} to {time(area.to)} · {duration(area.to - area.from)}
        </span>
      </header>
      <p className="dim">
        <b>{count(sum.lanes)}</b> of {counted(scene.table.lanes.length, laneWord)} at work,{' '}
        {counted(sum.spans, 'span')}, <Duration s={sum.ownS} /> in all
      </p>
      {chosen ? (
        <div className={css.actions}>
          <Button small onClick={onZoom} keyName="Z">
            Zoom to it
          </Button>
          <Button small onClick={onClear} keyName="Esc">
            Clear
          </Button>
        </div>
      ) : (
        <p className={`${css.hint} faint`}>Drag on the axis or Shift-drag over lanes to select an area.</p>
      )}
      <table className={css.stages}>
        <thead>
          <tr>
            <th>Stage</th>
            <th title="Spans that touch the area">Spans</th>
            <th title="Own time inside the area: all rows together are the time of all lanes">Own time</th>
            <th title="Median of the whole durations of these spans">p50</th>
            <th>p95</th>
            <th>Max</th>
          </tr>
        </thead>
        <tbody>
          {sum.stages.map((s) => (
            <tr key={s.place}>
              <td>
                <StageName place={s.place} />
                <i className={css.bar} style={{ width: `${(100 * s.ownS) / most}%` }} />
              </td>
              <td
                title={[s.open && `${count(s.open)} open`, s.errors && `${count(s.errors)} with errors`]
                  .filter(Boolean)
                  .join(', ')}
              >
                <Count n={s.count} />
                {s.errors > 0 && <span className="bad"> ×{count(s.errors)}</span>}
              </td>
              <td title={percent(sum.ownS > 0 ? s.ownS / sum.ownS : 0)}>
                <Duration s={s.ownS} />
              </td>
              <td>
                <Duration s={Number.isNaN(s.p50S) ? null : s.p50S} />
              </td>
              <td>
                <Duration s={Number.isNaN(s.p95S) ? null : s.p95S} />
              </td>
              <td>
                <Duration s={Number.isNaN(s.maxS) ? null : s.maxS} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Marks />
    </section>
  );
}

/** What the shapes mean. */
function Marks() {
  return (
    <dl className={css.marks}>
      <dt className={css.markOwn} />
      <dd>own time</dd>
      <dt className={css.markTint} />
      <dd>passed on to a child</dd>
      <dt className={css.markOpen} />
      <dd>open until now</dd>
      <dt className={css.markLate} />
      <dd>beyond usual p95</dd>
      <dt className={css.markError}>×</dt>
      <dd>ended in error</dd>
      <dt className={css.markLost} />
      <dd>lost</dd>
      <dt className={css.markInferred} />
      <dd>not yet seen itself</dd>
    </dl>
  );
}
