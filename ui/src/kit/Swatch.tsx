import { usePalette } from '../colour/usePalette';
import { isWait, placeOf, WAIT_MEANING } from '../colour/waits';
import css from './Swatch.module.css';

/** The colour or pattern of a stage or wait. */
export function Swatch({ place: stage }: { place: string }) {
  const palette = usePalette();
  const place = placeOf(stage);
  if (isWait(place)) return <i className={`${css.swatch} ${css[place]}`} />;
  return <i className={css.swatch} style={{ background: palette.stage(place) }} />;
}

/** A stage or wait: colour and name, never colour alone. */
export function StageName({ place }: { place: string }) {
  return (
    <span className={css.stage} title={isWait(place) ? `${place}: ${WAIT_MEANING[place]}` : place}>
      <Swatch place={place} />
      <span className="cut">{place}</span>
    </span>
  );
}
