import { usePalette } from '../../colour/usePalette';
import { isWait } from '../../colour/waits';
import type { Session } from '../../data/types';
import { Duration } from '../../kit/numbers';
import { Pane } from '../../kit/Pane';
import { StageName } from '../../kit/Swatch';
import swatch from '../../kit/Swatch.module.css';
import { percent } from '../../text/count';
import { duration, exactDuration } from '../../text/duration';
import css from './AccountingBar.module.css';
import { accounts, sumOf } from './accounting';

type Props = { session: Session; only: string | undefined; onOnly: (place: string | undefined) => void };

/** All of its wall time as one bar. Hovering a part shows it everywhere. */
export function AccountingBar({ session, only, onOnly }: Props) {
  const palette = usePalette();
  const list = accounts(session);
  const sum = sumOf(list);
  return (
    <Pane
      title={`Where its ${duration(session.wall_s)} went`}
      note="stages + waits = 100 %"
      right={
        <span className={css.sum} title={`${exactDuration(sum)} of ${exactDuration(session.wall_s)}`}>
          sum {duration(sum)} · {session.wall_s > 0 ? percent(sum / session.wall_s) : '100.0 %'}
        </span>
      }
    >
      <div className={css.bar} onPointerLeave={() => onOnly(undefined)}>
        {list
          .filter((a) => a.s > 0)
          .map((a) => (
            <i
              key={a.place}
              className={isWait(a.place) ? swatch[a.place] : ''}
              style={{
                flexGrow: a.share,
                opacity: only === undefined || only === a.place ? 1 : 0.25,
                background: isWait(a.place) ? undefined : palette.stage(a.place),
              }}
              title={`${a.place}: ${exactDuration(a.s)}, ${percent(a.share)}`}
              onPointerEnter={() => onOnly(a.place)}
            />
          ))}
      </div>
      <ul className={css.legend} onPointerLeave={() => onOnly(undefined)}>
        {list.map((a) => (
          <li
            key={a.place}
            data-dim={only !== undefined && only !== a.place}
            onPointerEnter={() => onOnly(a.place)}
          >
            <StageName place={a.place} />
            <b>
              <Duration s={a.s} />
            </b>
            <span className="faint">{percent(a.share)}</span>
          </li>
        ))}
      </ul>
    </Pane>
  );
}
