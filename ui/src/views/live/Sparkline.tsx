import type { FinishedSample } from '../../data/LiveBoard';
import css from './LiveNumbers.module.css';

const WIDTH = 132;
const HEIGHT = 16;
const SPAN_S = 600;
const BUCKETS = 60;

/** Finished sessions over the last ten minutes, one point per 10 s. */
export function Sparkline({ samples, nowS }: { samples: readonly FinishedSample[]; nowS: number }) {
  const sums = new Array<number>(BUCKETS).fill(0);
  for (const { atS, more } of samples) {
    const at = BUCKETS - 1 - Math.floor(((nowS - atS) / SPAN_S) * BUCKETS);
    if (at >= 0 && at < BUCKETS) sums[at]! += more;
  }
  const top = Math.max(1, ...sums);
  const points = sums.map(
    (n, i) => `${(i * WIDTH) / (BUCKETS - 1)},${HEIGHT - 1 - (n / top) * (HEIGHT - 2)}`,
  );
  return (
    <svg width={WIDTH} height={HEIGHT} className={css.spark} aria-hidden="true">
      <polyline points={points.join(' ')} fill="none" stroke="var(--ink-3)" strokeWidth="1.2" />
    </svg>
  );
}
