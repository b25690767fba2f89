import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useRoute } from '../route/useRoute';
import { filterKey, useFilter } from './filter';
import { choosesRows } from './inView';
import { type BoardState, LiveBoard } from './LiveBoard';
import { type LiveSubscription, useSource } from './source';

type Live = { board: LiveBoard; retry: () => void };

const LiveContext = createContext<Live | null>(null);

/** Follows the run in the address with the filters in the address. */
export function LiveProvider({ run, children }: { run: string; children: ReactNode }) {
  const source = useSource();
  const filter = useFilter();
  const [board, setBoard] = useState(() => new LiveBoard());
  const boardRun = useRef(run);
  const subscription = useRef<LiveSubscription | null>(null);
  const key = filterKey(filter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all that the filter says
  useEffect(() => {
    let target = board;
    if (boardRun.current !== run) {
      // Another run starts empty; another filter keeps what is there until its snapshot comes.
      boardRun.current = run;
      target = new LiveBoard();
      setBoard(target);
    }
    target.expect(choosesRows(filter));
    subscription.current = source.live(run, filter, target);
    return () => subscription.current?.close();
  }, [source, run, key]);

  const [live, setLive] = useState<Live>(() => ({ board, retry: () => subscription.current?.retry() }));
  if (live.board !== board) setLive({ ...live, board });
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('useLive: outside of LiveProvider');
  return live;
}

/**
 * A part of the live board. The component re-renders when `select` gives another value.
 *
 * @param same tells equal values of new objects apart from changed ones
 */
export function useLive<T>(select: (state: BoardState) => T, same: (a: T, b: T) => boolean = Object.is): T {
  const { board } = useLiveContext();
  const last = useRef<{ state: BoardState; select: typeof select; value: T } | null>(null);
  return useSyncExternalStore(board.subscribe, () => {
    const state = board.get();
    const before = last.current;
    if (before?.state === state && before.select === select) return before.value;
    const value = select(state);
    const kept = before && same(before.value, value) ? before.value : value;
    last.current = { state, select, value: kept };
    return kept;
  });
}

/** For plain records: all own values equal. */
export function sameValues(a: object | null | undefined, b: object | null | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(x);
  return keys.length === Object.keys(y).length && keys.every((k) => Object.is(x[k], y[k]));
}

/** The server's time, told again every second: for ages. */
export function useNowS(): number {
  const { board } = useLiveContext();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return board.nowS();
}

/** Whether time stands still at the run's last event: in a report, and of a run that is past. */
export function useStandsStill(): boolean {
  return useLive((b) => b.connection.state === 'report' || (b.report?.past ?? false));
}

/** The run that the live board is about. */
export function useRun(): string {
  return useRoute().run ?? '';
}
