import { usePalette } from '../../colour/usePalette';
import { isWait } from '../../colour/waits';
import swatch from '../../kit/Swatch.module.css';
import { duration } from '../../text/duration';
import css from './TimeBar.module.css';

export type Piece = { place: string; s: number };

/** Time spent without telling in which stage. */
export const WORK = 'work';

/** A bar split into stages and waits; `scaleS` is the time that the whole width stands for. */
export function TimeBar({
  pieces,
  scaleS,
  open,
}: {
  pieces: readonly Piece[];
  scaleS: number;
  open?: boolean;
}) {
  const palette = usePalette();
  const all = pieces.reduce((sum, p) => sum + p.s, 0);
  const width = Math.min(1, all / scaleS);
  const title = pieces.map((p) => `${p.place} ${duration(p.s)}`).join(', ');
  return (
    <span
      className={`${css.bar} ${open ? css.open : ''}`}
      style={{ width: `max(2px, ${width * 100}%)` }}
      title={title}
    >
      {pieces.map(({ place, s }) => (
        <i
          key={place}
          className={isWait(place) ? swatch[place] : ''}
          style={{
            flexGrow: s,
            background: isWait(place)
              ? undefined
              : place === WORK
                ? palette.tokens['ink-3']
                : palette.stage(place),
          }}
        />
      ))}
    </span>
  );
}
