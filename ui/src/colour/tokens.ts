/** Every colour of the page, per theme. Components use them as CSS variables, canvases through `palette()`. */
export type ThemeName = 'light' | 'dark';

const dark = {
  bg: '#0E1013',
  surface: '#14171B',
  raised: '#1C2026',
  sunken: '#0F1114',
  line: '#24282E',
  'line-2': '#3A4049',
  ink: '#ECEEF1',
  'ink-2': '#A9B1BB',
  'ink-3': '#7F8893',
  late: '#FF9A3C',
  'late-ink': '#FFB16A',
  'late-bg': '#2A1E12',
  'on-late': '#1A0E02',
  bad: '#FF6B6B',
  'bad-ink': '#FF8C8C',
  live: '#4FC38A',
  done: '#363D46',
  wait: '#2A2F36',
  'wait-ink': '#505963',
  'heat-0': '#171B21',
  'heat-1': '#8FC0FF',
  'row-hover': 'rgba(236, 238, 241, 0.07)',
  shadow: '0 8px 24px rgba(0, 0, 0, 0.5)',
};

export type Tokens = typeof dark;

const light: Tokens = {
  bg: '#F5F6F8',
  surface: '#FFFFFF',
  raised: '#F1F3F5',
  sunken: '#FAFBFC',
  line: '#E5E8EC',
  'line-2': '#C6CDD5',
  ink: '#14171B',
  'ink-2': '#4E5762',
  'ink-3': '#6A737E',
  late: '#E8720C',
  'late-ink': '#B04A00',
  'late-bg': '#FFF3E6',
  'on-late': '#1A0E02',
  bad: '#D6303A',
  'bad-ink': '#BF1F2A',
  live: '#1F9A5F',
  done: '#D3D9DF',
  wait: '#E3E7EB',
  'wait-ink': '#A9B2BC',
  'heat-0': '#F1F4F8',
  'heat-1': '#173E94',
  'row-hover': 'rgba(20, 23, 27, 0.06)',
  shadow: '0 8px 24px rgba(20, 23, 27, 0.16)',
};

export const TOKENS: Record<ThemeName, Tokens> = { light, dark };

/** Base colours of the stage families; slot n is at n − 1. */
export const SLOTS: Record<ThemeName, readonly string[]> = {
  dark: ['#5291F5', '#8ADFF8', '#9358BC', '#78C2A6', '#DAD7AF', '#C487BE', '#565A7E', '#2F7D5E'],
  light: ['#2F66DB', '#5BBCEA', '#5F3AA3', '#2F9E6A', '#CDC59A', '#B85AA8', '#969DB4', '#1F5F66'],
};

export const FAMILIES = ['generate', 'dispatch', 'judge', 'tool', 'data', 'sync', 'orchestrate', 'buffer'];
