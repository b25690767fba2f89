/** A text that sorts as people expect, s9 before s10: a number is led by how many digits it has. */
export function naturalKey(text: string): string {
  return text.replace(/\d+/g, (digits) => String.fromCharCode(0x100 + digits.length) + digits);
}
