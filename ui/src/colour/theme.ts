import { useSyncExternalStore } from 'react';
import { type ThemeName, TOKENS } from './tokens';

// The theme follows the system until somebody chooses; the choice is kept in this browser.
const KEY = 'rollscope.theme';
const listeners = new Set<() => void>();
const system = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
let chosen: ThemeName | null = readChoice();

/** Storage may be forbidden (private windows, file://). */
function readChoice(): ThemeName | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null;
  }
}

export function currentTheme(): ThemeName {
  return chosen ?? (system?.matches ? 'dark' : 'light');
}

export function toggleTheme(): void {
  chosen = currentTheme() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // It holds for this visit.
  }
  applyTheme();
}

/** Writes the tokens as CSS variables; through the CSSOM, which a strict policy allows. */
function applyTheme(): void {
  const theme = currentTheme();
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(TOKENS[theme])) root.style.setProperty(`--${name}`, value);
  for (const listener of listeners) listener();
}

/** Call once, before the first render. */
export function startTheme(): void {
  system?.addEventListener('change', applyTheme);
  applyTheme();
}

export function useTheme(): ThemeName {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}
