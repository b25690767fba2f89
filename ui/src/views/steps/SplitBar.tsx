import { usePalette } from '../../colour/usePalette';
import { isWait } from '../../colour/waits';
import swatch from '../../kit/Swatch.module.css';
import { percent } from '../../text/count';
import { duration } from '../../text/duration';
import css from './StepsView.module.css';
import { IDLE, type Step } from './steps';

/** Where the slot time of a step went. As long as its wall time, `most_s` fills the column; what is cut off says so. */
export function SplitBar({ step, most_s }: { step: Step; most_s: number }) {
  const palette = usePalette();
  const { wall_s } = step.batch;
  const shown = step.parts.filter((p) => p.s / step.slot_s > 0.002);
  return (
    <span className={css.split} title={describe(step)}>
      <span className={css.parts} style={{ width: `${Math.min(1, wall_s / most_s) * 100}%` }}>
        {shown.map(({ place, s }) => (
          <i
            key={place}
            className={place === IDLE ? css.idle : isWait(place) ? swatch[place] : ''}
            style={{
              flexGrow: s,
              ...(place === IDLE || isWait(place) ? {} : { background: palette.stage(place) }),
            }}
          />
        ))}
      </span>
      {wall_s > most_s * 1.001 && <span className={css.cutOff}>»</span>}
    </span>
  );
}

function describe(step: Step): string {
  const lines = step.parts.map((p) => `${p.place} ${duration(p.s)}, ${percent(p.s / step.slot_s)}`);
  return [`${duration(step.slot_s)} of slot time`, ...lines].join('\n');
}
