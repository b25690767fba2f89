import type { Scene } from '../../lanes/scene';
import { count, counted } from '../../text/count';
import { exactTime } from '../../text/time';
import css from './Timeline.module.css';
import type { TimelineData } from './useTimeline';

/** What the picture does not show: spans the server left out, lanes far away in time. */
export function TimelineNote({ data, scene }: { data: TimelineData; scene: Scene | null }) {
  const parts: string[] = [];
  if (!scene) {
    if (!data.answer.error) parts.push(data.answer.slow ? 'Reading spans …' : '');
  } else {
    if (data.leftOut > 0) {
      const finer = data.refining ? 'reading the finer window …' : 'zoom in to see the shorter ones.';
      parts.push(
        `The longest ${count(scene.table.count)} spans; ${counted(data.leftOut, 'shorter one')} left out: ${finer}`,
      );
    } else if (data.refining) {
      parts.push('Reading the finer window …');
    }
    const outside = scene.axis === 'clock' ? lanesOutside(scene) : 0;
    if (outside > 0) {
      const from = exactTime(scene.table.originS + scene.whole.from);
      const to = exactTime(scene.table.originS + scene.whole.to);
      parts.push(
        `${counted(outside, 'lane')} with times far from the others not in sight (shown: ${from} to ${to}); “From start” shows all.`,
      );
    }
  }
  const text = parts.filter(Boolean).join(' ');
  return text ? (
    <div className={css.note} role="status">
      {text}
    </div>
  ) : null;
}

function lanesOutside({ facts, whole, table }: Scene): number {
  let n = 0;
  for (let l = 0; l < table.lanes.length; l++) {
    if (facts.end[l]! < whole.from || facts.start[l]! > whole.to) n++;
  }
  return n;
}
