import { luminance, mix } from './mix';
import { slotsOfRun } from './slots';
import { SLOTS, type ThemeName, TOKENS, type Tokens } from './tokens';
import { isWait, type Wait, waitTile } from './waits';

/** The colours of one run in one theme, for components and canvases. */
export type Palette = {
  theme: ThemeName;
  tokens: Tokens;
  /** Full colour: a stage's own time. Waits give their ground. */
  stage(place: string): string;
  /** Tint: time passed on to a child. */
  tint(place: string): string;
  /** What a canvas fills with: a colour, or the pattern of a wait. */
  fill(g: CanvasRenderingContext2D, place: string): string | CanvasPattern;
};

const BRIGHT = 0.5;

/** The second stage of a family: towards the ink, or darker when the base is already bright. */
export function secondShade(base: string, ink: string, luminanceOfBase: number): string {
  return luminanceOfBase > BRIGHT ? mix(base, '#000000', 0.64) : mix(base, ink, 0.62);
}

const made = new Map<string, Palette>();

export function paletteOf(run: string, theme: ThemeName): Palette {
  const key = `${theme} ${run}`;
  let palette = made.get(key);
  if (!palette) {
    if (made.size > 100) made.clear();
    palette = makePalette(run, theme);
    made.set(key, palette);
  }
  return palette;
}

function makePalette(run: string, theme: ThemeName): Palette {
  const tokens = TOKENS[theme];
  const slots = slotsOfRun(run);
  const colours = new Map<string, string>();
  const tiles = new Map<Wait, HTMLCanvasElement>();

  function stage(place: string): string {
    if (isWait(place)) return tokens.wait;
    let colour = colours.get(place);
    if (!colour) {
      const { slot, second } = slots.of(place);
      colour = shadeOf(theme, slot, second);
      colours.set(place, colour);
    }
    return colour;
  }

  return {
    theme,
    tokens,
    stage,
    tint: (place) => (isWait(place) ? tokens.wait : mix(stage(place), tokens.surface, 0.3)),
    fill(g, place) {
      if (!isWait(place)) return stage(place);
      const scale = globalThis.devicePixelRatio || 1;
      let tile = tiles.get(place);
      if (!tile) {
        tile = waitTile(place, tokens.wait, tokens['wait-ink'], scale);
        tiles.set(place, tile);
      }
      const pattern = g.createPattern(tile, 'repeat')!;
      pattern.setTransform(new DOMMatrix().scale(1 / scale));
      return pattern;
    },
  };
}

export function shadeOf(theme: ThemeName, slot: number, second: boolean): string {
  const base = SLOTS[theme][slot - 1]!;
  return second ? secondShade(base, TOKENS[theme].ink, luminance(base)) : base;
}
