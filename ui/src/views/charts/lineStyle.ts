import { shadeOf } from '../../colour/palette';
import type { ThemeName } from '../../colour/tokens';

/** Those that are told apart best come first. */
const SLOT_ORDER = [1, 3, 4, 6, 2, 8, 7, 5];
const DASHES: readonly number[][] = [[], [6, 3], [2, 3]];

export type LineStyle = { colour: string; dash: number[] };

/** The n-th line of every chart looks the same. After eight come dashes: never colour alone. */
export function lineStyle(theme: ThemeName, n: number): LineStyle {
  const slot = SLOT_ORDER[n % SLOT_ORDER.length]!;
  const round = Math.floor(n / SLOT_ORDER.length);
  return { colour: shadeOf(theme, slot, round % 2 === 1), dash: DASHES[round % DASHES.length]! };
}
