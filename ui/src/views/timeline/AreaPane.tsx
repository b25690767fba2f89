import { useDeferredValue, useMemo } from 'react';
import { Button } from '../../kit/Button';
import { Count, Duration } from '../../kit/numbers';
import { StageName, Swatch } from '../../kit/Swatch';
import { type AreaSum, aggregate, CONTAINER_TIME } from '../../lanes/aggregate';
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

const EMPTY: AreaSum = { stages: [], lanes: 0, spans: 0, ownS: 0 };

/** What happened in the selection, or in what is in sight: also the legend of the colours. */
export function AreaPane({ scene, area, chosen, laneWord, onZoom, onClear }: Props) {
  // The picture goes first: the numbers follow when it is painted.
  const asked = useDeferredValue<{ scene: Scene; area: Area } | null>(
    useMemo(() => ({ scene, area }), [scene, area]),
    null,
  );
  const sum = useMemo(() => (asked ? aggregate(asked.scene, asked.area) : EMPTY), [asked]);
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
      <StageSums sum={sum} />
      <Marks />
    </section>
  );
}

/** A name above its numbers: names of stages are long, and the numbers of all stages stand below each other. */
function StageSums({ sum }: { sum: AreaSum }) {
  const most = Math.max(...sum.stages.map((s) => s.ownS), 1e-9);
  return (
    <table className={css.stages}>
      <thead>
        <tr>
          <th title="Own time inside the area: all rows together are the time of all lanes">Own time</th>
          <th title="Spans that touch the area">Spans</th>
          <th>Errors</th>
          <th title="Median of the whole durations of these spans">p50</th>
          <th title="95 % of these spans took less">p95</th>
          <th>Max</th>
        </tr>
      </thead>
      {sum.stages.map((s) => (
        <tbody key={s.place}>
          <tr>
            <th colSpan={6} scope="rowgroup">
              <span>
                {s.place === CONTAINER_TIME ? <Waits /> : <StageName place={s.place} />}
                <i style={{ width: `${(30 * s.ownS) / most}%` }} />
                <span className="faint">{percent(sum.ownS > 0 ? s.ownS / sum.ownS : 0)}</span>
              </span>
            </th>
          </tr>
          <tr>
            <td>
              <Duration s={s.ownS} />
            </td>
            <td title={`${count(s.open)} open`}>
              {s.place === CONTAINER_TIME ? <span className="faint">–</span> : <Count n={s.count} />}
            </td>
            <td className={s.errors > 0 ? 'bad' : ''}>
              {s.place === CONTAINER_TIME ? <span className="faint">–</span> : <Count n={s.errors} />}
            </td>
            {[s.p50S, s.p95S, s.maxS].map((value, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
              <td key={i}>
                <Duration s={Number.isNaN(value) ? null : value} />
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

/** Time of a session in which no stage of it works. */
function Waits() {
  return (
    <span title="Inside a session, but in none of its stages: queue, gap or barrier">
      <Swatch place="gap" /> waits
    </span>
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
      <dt className={css.markOverlap} />
      <dd>overlaps another state</dd>
    </dl>
  );
}
