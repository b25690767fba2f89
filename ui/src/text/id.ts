const LONGEST = 22;
const DIGITS = /\d{12,}|[0-9a-f]{16,}/gi;

/** Long numbers and hex ids inside an id become 1230…3979; the rest is cut in the middle if it is still long. */
export function shortId(id: string): string {
  const folded = id.replace(DIGITS, (digits) => `${digits.slice(0, 4)}…${digits.slice(-4)}`);
  const letters = [...folded];
  if (letters.length <= LONGEST) return folded;
  const head = Math.ceil((LONGEST - 1) / 2);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (LONGEST - 1 - head)).join('')}`;
}
