// Values of parameters in the address that are more than a word.

/** 312.5..600 */
export function parseSpan(text: string | undefined): { from: number; to: number } | null {
  const [from, to, more] = (text ?? '').split('..').map(Number);
  if (from === undefined || to === undefined || more !== undefined) return null;
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : null;
}

/** As many decimals as the width needs. */
export function formatSpan({ from, to }: { from: number; to: number }): string {
  const decimals = Math.min(7, Math.max(0, Math.ceil(3 - Math.log10(to - from))));
  return `${Number(from.toFixed(decimals))}..${Number(to.toFixed(decimals))}`;
}

/** Names and ids may have any character; in a list each is escaped. */
export function formatNames(names: Iterable<string>): string {
  return [...names].map((name) => encodeURIComponent(name.toWellFormed?.() ?? name)).join(' ');
}

export function parseNames(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter(Boolean).map(decoded);
}

/** A link that was cut in the middle of an escape is still a link. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
