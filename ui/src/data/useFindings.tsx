import { createContext, type ReactNode, useContext, useRef } from 'react';
import type { Findings } from './findingTypes';
import { type Answer, useAnswer } from './useAnswer';
import { useLive } from './useLive';

/** As often as the steps are asked for: causes open and close within tens of seconds. */
const EVERY_MS = 5000;
/** Of a run to which nothing comes any more. */
const PAST_EVERY_MS = 60_000;

/** An answer looks at the whole run, which may take seconds: a page keeps its server busy for at most a tenth of the time. */
const PAUSES = 9;

export type FindingsOfRun = {
  /** Whether findings are to be had: not from an older server. */
  told: boolean;
  /** undefined until they are known. */
  report: Findings | undefined;
  answer: Answer<Findings> | undefined;
};

const NONE: FindingsOfRun = { told: false, report: undefined, answer: undefined };

const FindingsContext = createContext<FindingsOfRun>(NONE);

/** Asks for the findings of the whole run once for all who show them, whatever is filtered. */
export function FindingsProvider({ run, children }: { run: string; children: ReactNode }) {
  const past = useLive((b) => b.report?.past ?? false);
  const missing = useLive((b) => b.connection.state === 'missing');
  const tookMs = useRef(0);
  const answer = useAnswer(
    `findings ${run}`,
    async (source, signal) => {
      const startMs = performance.now();
      const findings = await source.findings(run, signal);
      tookMs.current = performance.now() - startMs;
      return findings;
    },
    {
      everyMs: () => Math.max(past ? PAST_EVERY_MS : EVERY_MS, tookMs.current * PAUSES),
      // A run that is not there yet is asked for again once it is.
      enabled: !missing,
    },
  );
  const found = {
    told: answer.error?.status !== 404,
    report: answer.stale ? undefined : answer.data,
    answer,
  };
  return <FindingsContext value={found}>{children}</FindingsContext>;
}

export function useFindings(): FindingsOfRun {
  return useContext(FindingsContext);
}
