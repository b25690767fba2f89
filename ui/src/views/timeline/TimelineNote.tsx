import { useMemo } from 'react';
import type { Scene } from '../../lanes/scene';
import { count, counted } from '../../text/count';
import { exactTime } from '../../text/time';
import css from './Timeline.module.css';
import type { TimelineData } from './useTimeline';

/** What the picture does not show: spans the server left out, lanes far away in time. */
export function TimelineNote({ data, scene }: { data: TimelineData; scene: Scene | null }) {
  const outside = useMemo(() => (scene?.axis === 'clock' ? spansOutside(scene) : 0), [scene]);
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
    if (outside > 0) {
      const from = exactTime(scene.table.originS + scene.whole.from);
      const to = exactTime(scene.table.originS + scene.whole.to);
      parts.push(
        `${counted(outside, 'span')} with times far from the others ${outside === 1 ? 'is' : 'are'} not in sight (shown: ${from} to ${to}); other lanes or a filter may show them.`,
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

function spansOutside({ whole, table, nowS }: Scene): number {
  let n = 0;
  for (let i = 0; i < table.count; i++) {
    if (Math.min(table.end[i]!, nowS) < whole.from || table.start[i]! > whole.to) n++;
  }
  return n;
}
