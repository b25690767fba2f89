import { useEffect, useRef, useSyncExternalStore } from 'react';

/** What a key does here; the text is shown in the help. */
export type KeyBinding = {
  /** As KeyboardEvent.key says it: 'j', '/', 'Escape', 'ArrowDown', 'Enter'. Letters match with and without Shift. */
  key: string;
  does: string;
  /** false: not handled, the next one below may. */
  run: (event: KeyboardEvent) => unknown;
};

type Layer = { bindings: readonly KeyBinding[] };

// The newest layer is asked first: an open dialog goes before the view, the view before the frame.
let layers: readonly Layer[] = [];
const listeners = new Set<() => void>();

function setLayers(next: readonly Layer[]): void {
  layers = next;
  for (const listener of listeners) listener();
}

const normal = (key: string) => (key.length === 1 ? key.toLowerCase() : key);

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable)
  );
}

function dispatch(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
    return;
  const key = normal(event.key);
  // Enter and the space bar belong to the button or link that has the focus.
  if (key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('button, a')) return;
  for (const layer of [...layers].reverse()) {
    for (const binding of layer.bindings) {
      if (normal(binding.key) === key && binding.run(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  }
}

globalThis.addEventListener?.('keydown', dispatch);

/** Keys of a component for as long as it is there. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = bindings.map((b) => `${b.key} ${b.does}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list only when keys or their texts change
  useEffect(() => {
    const layer: Layer = {
      bindings: latest.current.map((b, i) => ({ ...b, run: (event) => latest.current[i]?.run(event) })),
    };
    setLayers([...layers, layer]);
    return () => setLayers(layers.filter((l) => l !== layer));
  }, [names]);
}

/** All keys that work now, for the help. */
export function useAllKeys(): KeyBinding[] {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => layers,
  );
  const byKey = new Map<string, KeyBinding>();
  for (const layer of current) for (const b of layer.bindings) byKey.set(normal(b.key), b);
  return [...byKey.values()];
}
