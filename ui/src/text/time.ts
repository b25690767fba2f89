// Times are local; exact values carry their zone.

const two = (n: number) => String(n).padStart(2, '0');

/** 03:22:46 */
export function clock(epochS: number): string {
  // By hand: tables call this for every row, and the browser's own formatting takes a hundred times as long.
  const d = new Date(epochS * 1000);
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

/** 03:22 */
export function clockMinutes(epochS: number): string {
  return clock(epochS).slice(0, 5);
}

/** 15 Nov 03:22, or only 03:22:46 when it is today. */
export function moment(epochS: number, nowS: number): string {
  const then = new Date(epochS * 1000);
  if (then.toDateString() === new Date(nowS * 1000).toDateString()) return clock(epochS);
  const sameYear = then.getFullYear() === new Date(nowS * 1000).getFullYear();
  const day = then.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return `${day} ${clockMinutes(epochS)}`;
}

/** What is before (2001) is no date but the time since a machine started. */
const FIRST_DATE_S = 1e9;

/** Whether a time is only one of its own clock: nobody knows what time it was. */
export function isUndated(epochS: number): boolean {
  return epochS < FIRST_DATE_S;
}

/** 2026-11-15 03:22:46.783 UTC+01:00 */
export function exactTime(epochS: number): string {
  const d = new Date(epochS * 1000);
  if (Number.isNaN(d.getTime())) return 'not known';
  const offset = -d.getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = `UTC${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
  const ms = String(d.getMilliseconds()).padStart(3, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${ms} ${zone}`;
}
