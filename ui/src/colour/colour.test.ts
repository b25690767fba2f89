import { expect, test } from 'vitest';
import { inkOn, luminance, mix } from './mix';
import { shadeOf } from './palette';
import { fnv1a, StageSlots } from './slots';
import { SLOTS, type ThemeName, TOKENS } from './tokens';
import { distance, type Vision } from './vision';

const THEMES: ThemeName[] = ['light', 'dark'];
const VISIONS: Vision[] = ['normal', 'protan', 'deutan', 'tritan'];

test.each(THEMES.flatMap((theme) => VISIONS.map((vision) => [theme, vision] as const)))(
  'slots and waits can be told apart: %s, %s',
  (theme, vision) => {
    const colours = [...SLOTS[theme], TOKENS[theme].wait];
    const close = colours.flatMap((a, i) =>
      colours
        .slice(i + 1)
        .filter((b) => distance(a, b, vision) < 7)
        .map((b) => `${a} ${b} ${distance(a, b, vision).toFixed(1)}`),
    );
    expect(close).toEqual([]);
  },
);

test.each(THEMES)('warm colours of trouble are far from every stage: %s', (theme) => {
  for (const colour of SLOTS[theme]) {
    expect(distance(colour, TOKENS[theme].late, 'normal')).toBeGreaterThan(10);
    expect(distance(colour, TOKENS[theme].bad, 'normal')).toBeGreaterThan(10);
  }
});

test.each(THEMES)('a second shade is not its base: %s', (theme) => {
  for (let slot = 1; slot <= 8; slot++) {
    expect(distance(shadeOf(theme, slot, false), shadeOf(theme, slot, true), 'normal')).toBeGreaterThan(7);
  }
});

test.each(THEMES)('text is readable on surface: %s', (theme) => {
  const t = TOKENS[theme];
  const contrast = (a: string, b: string) => {
    const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
    return (hi + 0.05) / (lo + 0.05);
  };
  expect(contrast(t.ink, t.surface)).toBeGreaterThan(15);
  expect(contrast(t['ink-2'], t.surface)).toBeGreaterThan(7);
  expect(contrast(t['ink-3'], t.surface)).toBeGreaterThan(4.5);
  expect(contrast(t['late-ink'], t['late-bg'])).toBeGreaterThan(4.5);
  expect(contrast(t['bad-ink'], t.surface)).toBeGreaterThan(4.5);
});

test('known stages have their place whatever came before', () => {
  const slots = new StageSlots();
  slots.of('zzz');
  expect(slots.of('engine.generate')).toEqual({ slot: 1, second: false });
  expect(slots.of('rollout_worker.generate')).toEqual({ slot: 2, second: true });
  expect(slots.of('producer.put')).toEqual({ slot: 8, second: false });
});

test('the two generate stages of an XTuner rollout differ', () => {
  const slots = new StageSlots();
  expect(slots.of('rollout.controller.generate').slot).not.toBe(slots.of('rollout.worker.generate').slot);
});

test.each(THEMES)('judge and reward of one run can be told apart: %s', (theme) => {
  const slots = new StageSlots();
  const colours = ['judge', 'reward'].map((stage) => {
    const { slot, second } = slots.of(stage);
    return shadeOf(theme, slot, second);
  });
  for (const vision of VISIONS) expect(distance(colours[0]!, colours[1]!, vision)).toBeGreaterThan(7);
});

test('stages of one family take both shades, the same in every run', () => {
  const stages = [
    'train.ppo_update',
    'train.recompute_logp',
    'train.checkpoint',
    'train.eval',
    'weight_sync',
  ];
  const shades = (slots: StageSlots) => stages.map((s) => slots.of(s));
  expect(new Set(shades(new StageSlots()).map((s) => s.second)).size).toBe(2);
  const other = new StageSlots();
  for (const stage of [...stages].reverse()) other.of(stage);
  expect(shades(other)).toEqual(shades(new StageSlots()));
});

test('unknown stages go to the family that their name tells', () => {
  const slots = new StageSlots();
  expect(slots.of('my_tool_call').slot).toBe(4);
  expect(slots.of('math_verifier').slot).toBe(3);
  expect(slots.of('vllm.decode_step').slot).toBe(1);
});

test('stages that tell nothing take free slots, and keep them', () => {
  const slots = new StageSlots();
  slots.of('engine.generate');
  const first = slots.of('quux');
  expect(first.slot).not.toBe(1);
  for (const name of ['a1', 'b2', 'c3', 'd4', 'e5', 'f6']) slots.of(name);
  const all = ['engine.generate', 'quux', 'a1', 'b2', 'c3', 'd4', 'e5', 'f6'].map((s) => slots.of(s).slot);
  expect(new Set(all).size).toBe(8);
  expect(slots.of('g7').second).toBe(true);
  expect(slots.of('quux')).toBe(first);
});

test('names of object members are stages like others', () => {
  expect(new StageSlots().of('constructor').slot).toBeGreaterThan(0);
  expect(new StageSlots().of('__proto__').slot).toBeGreaterThan(0);
});

test('FNV-1a gives the published values', () => {
  expect(fnv1a('')).toBe(0x811c9dc5);
  expect(fnv1a('a')).toBe(0xe40c292c);
  expect(fnv1a('foobar')).toBe(0xbf9cf968);
});

test('mixing and ink', () => {
  expect(mix('#ffffff', '#000000', 0.5)).toBe('#808080');
  expect(inkOn('#5291F5')).toBe('#0B0D10');
  expect(inkOn('#5F3AA3')).toBe('#FFFFFF');
});
