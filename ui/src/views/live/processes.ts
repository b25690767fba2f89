import type { LiveProcess } from '../../data/types';
import { counted } from '../../text/count';
import { clock } from '../../text/time';

/** "[agent] rank 3 died at 16:12:50: 34 sessions lost." */
export function processTitle(p: LiveProcess): string {
  const who = p.worker ?? [p.host, p.pid].filter((part) => part !== null).join(' ');
  if (p.state === 'silent') return `${who} is silent since ${clock(p.since_s)}.`;
  return `${who} died at ${clock(p.since_s)}: ${counted(p.sessions, 'session')} lost.`;
}

/** Where it ran, which steps it hit, and whether it is back. */
export function processWords(p: LiveProcess): string {
  const place = [p.host, p.pid === null ? null : `process ${p.pid}`].filter((part) => part !== null);
  const words = place.length > 0 && p.worker !== null ? [`It ran as ${place.join(', ')}.`] : [];
  if (p.state === 'silent' && p.sessions > 0) words.push(`${counted(p.sessions, 'session')} wait for it.`);
  if (p.batches.length > 0) words.push(`Of ${[...p.batches].sort().join(', ')}.`);
  if (p.replaced) words.push('A new process works in its place.');
  return words.join(' ');
}
