import { useEffect, useRef, useState } from 'react';
import { pauseMs } from './backoff';
import { type Source, SourceError, useSource } from './source';

/** An answer and how it is doing. The last data stays while a new one is asked for. */
export type Answer<T> = {
  data: T | undefined;
  /** Whether `data` belongs to an earlier question (another filter). */
  stale: boolean;
  /** Why the last try failed; undefined after a success. */
  error: SourceError | undefined;
  /** When it is tried again by itself, in browser milliseconds; null if asking again cannot help. */
  retryAtMs: number | null;
  /** Whether the question has been out for longer than people notice. */
  slow: boolean;
  retry: () => void;
};

export type AskOptions<T = unknown> = {
  /** Asks again this long after each answer; told by the answer if that decides (null: never). */
  everyMs?: number | ((data: T) => number | null);
  /** No question while false. */
  enabled?: boolean;
};

type Held<T> = {
  key: string;
  data: T | undefined;
  error: SourceError | undefined;
  retryAtMs: number | null;
  slow: boolean;
};

const SLOW_MS = 300;

/**
 * Asks the source and keeps asking: after a failure with growing pauses, after an answer every `everyMs`.
 *
 * @param key all that the question depends on; a new key is a new question
 */
export function useAnswer<T>(
  key: string,
  ask: (source: Source, signal: AbortSignal) => Promise<T>,
  { everyMs, enabled = true }: AskOptions<T> = {},
): Answer<T> {
  const source = useSource();
  const [held, setHeld] = useState<Held<T>>({
    key,
    data: undefined,
    error: undefined,
    retryAtMs: null,
    slow: false,
  });
  const [round, setRound] = useState(0);
  const question = useRef(ask);
  question.current = ask;
  const every = useRef(everyMs);
  every.current = everyMs;
  const everyFixedMs = typeof everyMs === 'function' ? undefined : everyMs;

  // biome-ignore lint/correctness/useExhaustiveDependencies: round restarts the asking
  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;

    const later = (ms: number) => {
      timer = setTimeout(() => void once(), ms);
    };
    const once = async () => {
      const slow = setTimeout(() => setHeld((h) => (h.slow ? h : { ...h, slow: true })), SLOW_MS);
      try {
        const data = await question.current(source, abort.signal);
        if (abort.signal.aborted) return;
        failures = 0;
        setHeld((h) =>
          h.key === key && h.data === data && !h.error && !h.slow
            ? h
            : { key, data, error: undefined, retryAtMs: null, slow: false },
        );
        const pause = typeof every.current === 'function' ? every.current(data) : every.current;
        // A report answers the same for ever.
        if (pause !== undefined && pause !== null && source.kind === 'server') later(pause);
      } catch (cause) {
        if (abort.signal.aborted) return;
        const error = cause instanceof SourceError ? cause : new SourceError(0, String(cause));
        const pause = error.transient ? pauseMs(++failures) : null;
        setHeld((h) => ({ ...h, error, retryAtMs: pause === null ? null : Date.now() + pause, slow: false }));
        if (pause !== null) later(pause);
      } finally {
        clearTimeout(slow);
      }
    };
    void once();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [source, key, everyFixedMs, enabled, round]);

  return {
    data: held.data,
    stale: held.key !== key,
    error: held.error,
    retryAtMs: held.retryAtMs,
    slow: held.slow,
    retry: () => setRound((r) => r + 1),
  };
}
