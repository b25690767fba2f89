import { useEffect, useRef, useState } from 'react';
import type { Span } from '../../lanes/axis';
import { setParams } from '../../route/useRoute';
import { formatSpan } from '../../route/values';
import type { ChartsState } from './chartsState';

/** After the last move, before the address and the questions follow. */
const STILL_MS = 250;
/** As in the timeline, so that lanes and charts show the same. */
const MARGIN = 0.02;

export function united(spans: Iterable<Span | null>): Span | null {
  let all: Span | null = null;
  for (const span of spans) {
    if (!span) continue;
    all = all ? { from: Math.min(all.from, span.from), to: Math.max(all.to, span.to) } : { ...span };
  }
  return all;
}

export function padded({ from, to }: Span): Span {
  const margin = (to - from) * MARGIN || 0.5;
  return { from: from - margin, to: to + margin };
}

/** What is asked for a window: a little more, so that lines go on to its edges. */
export function widened({ from, to }: Span, axis: 'clock' | 'step'): Span {
  const more = axis === 'step' ? 1 : (to - from) * MARGIN;
  return { from: from - more, to: to + more };
}

export type ChartWindow = {
  /** What is in sight now. */
  view: Span;
  /** What the address says; null: everything. */
  settled: Span | null;
  whole: Span;
  /** @param next null fits everything */
  setView: (next: Span | null) => void;
};

/** The window that all charts share. It moves at once; the address and what is asked for follow when it stands still. */
export function useChartWindow(state: ChartsState, whole: Span): ChartWindow {
  const key = state.axis === 'step' ? 'steps' : 't';
  const settled = state.axis === 'step' ? state.steps : state.t;
  const text = settled ? formatSpan(settled) : undefined;
  const [moving, setMoving] = useState<{ to: Span | null } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // The address has said something since: it goes first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address, another view
  useEffect(() => setMoving(null), [text, key]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const target = moving ? moving.to : settled;
  const setView = (next: Span | null) => {
    setMoving({ to: next });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const now = next ? formatSpan(next) : undefined;
      if (now === text) setMoving(null);
      else setParams({ [key]: now });
    }, STILL_MS);
  };
  return { view: target ?? padded(whole), settled, whole, setView };
}

/** Not wider than everything and half as much, not narrower than can be told. */
export function bounded(wish: Span, whole: Span, axis: 'clock' | 'step'): Span | null {
  const width = wish.to - wish.from;
  const all = padded(whole);
  if (width >= all.to - all.from) return null;
  const least = axis === 'step' ? 1 : 0.01;
  if (width >= least) return wish;
  const middle = (wish.from + wish.to) / 2;
  return { from: middle - least / 2, to: middle + least / 2 };
}
