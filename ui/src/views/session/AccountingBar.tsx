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
import { accounts, folded, sumOf } from './accounting';

type Props = { session: Session; only: string | undefined; onOnly: (place: string | undefined) => void };

/** All of its time until its work was done as one bar; below it the wait for the verdict. Hovering a part shows it everywhere. */
export function AccountingBar({ session, only, onOnly }: Props) {
  const palette = usePalette();
  const list = accounts(session);
  const sum = sumOf(list);
  const whole = session.wall_s - session.waits.barrier_s;
  const { shown, small } = folded(list);
  return (
    <Pane
      title={`Where its ${duration(whole)} went`}
      note="stages + waits = 100 %"
      right={
        <span className={css.sum} title={`${exactDuration(sum)} of ${exactDuration(whole)}`}>
          sum {duration(sum)} · {whole > 0 ? percent(sum / whole) : '100.0 %'}
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
        {shown.map((a) => (
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
        {small.length > 0 && (
          <li title={small.map((a) => `${a.place} ${exactDuration(a.s)}`).join('\n')}>
            <span className="dim">{small.length} smaller</span>
            <b>
              <Duration s={sumOf(small)} />
            </b>
          </li>
        )}
        {session.waits.barrier_s > 0 && (
          <li className="faint" title={`barrier: ${exactDuration(session.waits.barrier_s)}`}>
            then <StageName place="barrier" />
            <b>
              <Duration s={session.waits.barrier_s} />
            </b>
            until its verdict
          </li>
        )}
      </ul>
    </Pane>
  );
}
