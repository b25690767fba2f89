import { useState } from 'react';
import type { DroppedBy, LiveProcess } from '../../data/types';
import { sameValues, useLive, useLiveContext } from '../../data/useLive';
import { Banner } from '../../kit/Banner';
import { Button } from '../../kit/Button';
import { RetryCountdown } from '../../kit/RetryCountdown';
import { setParams } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { clock, exactTime, isUndated } from '../../text/time';
import { capital } from '../../text/words';
import { droppedCounts, droppedTitle, droppedWords, dropper, place } from './droppedBy';
import css from './LiveBanners.module.css';
import { processTitle, processWords } from './processes';

const BEHIND_S = 5;
const NOBODY: readonly DroppedBy[] = [];
const NO_PROCESS: readonly LiveProcess[] = [];

/** When the page, the server or the senders have a problem of their own. */
export function LiveBanners() {
  return (
    <>
      <Disconnected />
      <Behind />
      <Past />
      <Processes />
      <Dropped />
      <Skipped />
    </>
  );
}

function Disconnected() {
  const { retry } = useLiveContext();
  const connection = useLive((b) => b.connection);
  const asOf = useLive((b) => b.report?.generated_at_s);
  if (connection.state !== 'away') return null;
  return (
    <Banner
      tone="bad"
      mark="lost"
      title={`Disconnected since ${clock(connection.sinceMs / 1000)}.`}
      action={
        <Button small onClick={retry}>
          Retry now
        </Button>
      }
    >
      {asOf !== undefined && `Showing the board as of ${clock(asOf)}. `}
      {capital(connection.reason)}. <RetryCountdown atMs={connection.retryAtMs} />
    </Banner>
  );
}

function Behind() {
  const behind = useLive((b) => Math.floor(b.behindS));
  if (behind < BEHIND_S) return null;
  return (
    <Banner tone="late" mark="overdue" title={`The page is ${behind} s behind.`}>
      The browser cannot draw as fast as events arrive, or the network is slow.
    </Banner>
  );
}

function Past() {
  const asOf = useLive((b) => (b.report?.past ? b.report.generated_at_s : undefined));
  if (asOf === undefined) return null;
  const when = isUndated(asOf) ? 'on a clock of its own' : exactTime(asOf);
  return (
    <Banner tone="neutral" title={`This is how the run stood at its last event, ${when}.`}>
      Nothing has come in while it happened: it was imported, or ended before the server started.
    </Banner>
  );
}

/** Processes that are gone stay listed for the run, also when others work in their place. */
function Processes() {
  const processes = useLive((b) => b.report?.processes ?? NO_PROCESS, sameJson);
  const [listed, setListed] = useState(false);
  const [first] = processes;
  if (!first) return null;
  const lost = processes.reduce((sum, p) => sum + (p.state === 'lost' ? p.sessions : 0), 0);
  return (
    <>
      <Banner
        tone={processes.some((p) => p.state === 'lost') ? 'bad' : 'late'}
        mark="lost"
        title={processTitle(first)}
        action={
          <>
            {lost > 0 && (
              <Button small onClick={() => setParams({ scope: 'all', status: 'lost' }, 'push')}>
                Show {count(lost)} lost
              </Button>
            )}
            {processes.length > 1 && (
              <Button small onClick={() => setListed(!listed)}>
                {listed ? 'Hide the others' : `Show all ${processes.length} processes`}
              </Button>
            )}
          </>
        }
      >
        {processWords(first)}
      </Banner>
      {listed && processes.length > 1 && (
        <ul className={css.droppers}>
          {processes.slice(1).map((p) => (
            <li key={`${p.host} ${p.pid} ${p.since_s}`}>
              <b>{processTitle(p)}</b> <span>{processWords(p)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Dropped() {
  const dropped = useLive((b) => b.report?.dropped ?? {}, sameValues);
  const by = useLive((b) => b.report?.dropped_by ?? NOBODY, sameJson);
  const [listed, setListed] = useState(false);
  const total = Object.values(dropped).reduce((sum, n) => sum + n, 0);
  if (total === 0) return null;
  return (
    <>
      <Banner
        tone="bad"
        mark="error"
        title={droppedTitle(total, by)}
        action={
          by.length > 1 && (
            <Button small onClick={() => setListed(!listed)}>
              {listed ? 'Hide the others' : `Show all ${by.length} that dropped`}
            </Button>
          )
        }
      >
        {by.length !== 1 && `In all ${droppedWords(dropped)}. `}Counts and durations below are too low by that
        much.
      </Banner>
      {listed && by.length > 1 && (
        <ul className={css.droppers}>
          {by.map((one) => (
            <li key={`${one.worker} ${place(one)}`}>
              <b>{dropper(one)}</b> {place(one)} <span>{droppedWords(droppedCounts(one))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function Skipped() {
  const skipped = useLive((b) => b.report?.skipped_lines.count ?? 0);
  const example = useLive((b) => {
    const first = b.report?.skipped_lines.examples[0];
    return first && `${first.file}:${first.line}: ${first.reason}`;
  });
  if (skipped === 0) return null;
  return (
    <Banner tone="late" mark="error" title={`${counted(skipped, 'line')} could not be read.`}>
      {example}
    </Banner>
  );
}
