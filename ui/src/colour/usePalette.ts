import { useRoute } from '../route/useRoute';
import { type Palette, paletteOf } from './palette';
import { useTheme } from './theme';

/** The palette of the run in the address and the current theme; a new object when either changes. */
export function usePalette(): Palette {
  return paletteOf(useRoute().run ?? '', useTheme());
}
