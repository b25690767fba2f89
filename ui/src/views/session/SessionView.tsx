import { useMemo, useState } from 'react';
import { openWork } from '../../data/openWork';
import { isOverdue } from '../../data/overdue';
import { isUnfinished } from '../../data/SessionSet';
import { useSource } from '../../data/source';
import type { Session } from '../../data/types';
import { useAnswer } from '../../data/useAnswer';
import { useLive, useRun } from '../../data/useLive';
import { Button } from '../../kit/Button';
import { CopyButton } from '../../kit/CopyButton';
import { EmptyState } from '../../kit/EmptyState';
import { useKeys } from '../../kit/keys';
import { Failure } from '../../kit/Pane';
import { formatAddress } from '../../route/address';
import { push, routeTo, setParams, useParam } from '../../route/useRoute';
import { shortId } from '../../text/id';
import { isOpen } from '../findings/findings';
import { AccountingBar } from './AccountingBar';
import { FactStrip } from './FactStrip';
import { RawJson } from './RawJson';
import { SessionFindings } from './SessionFindings';
import { SessionHeadline } from './SessionHeadline';
import css from './SessionView.module.css';
import { Siblings } from './Siblings';
import { SidePanel } from './SidePanel';
import { spanRows } from './spanTree';
import { useParts } from './useParts';
import { useUsual } from './useUsual';
import { Waterfall } from './Waterfall';

const OFTEN_MS = 2000;
const SELDOM_MS = 15_000;

/** One session, explained to 100 %. */
export function SessionView({ session: id }: { session: string }) {
  const run = useRun();
  const [open, setOpen] = useState(true);
  const answer = useAnswer(
    `session ${run} ${id}`,
    async (source, signal) => {
      const session = await source.session(run, id, signal);
      setOpen(isUnfinished(session.status));
      return session;
    },
    { everyMs: open ? OFTEN_MS : SELDOM_MS },
  );
  if (answer.data) {
    return (
      <>
        <Crumbs session={answer.data} />
        {answer.error && <Failure answer={answer} />}
        <Details session={answer.data} />
      </>
    );
  }
  if (answer.error?.status === 404) {
    return (
      <EmptyState title={`This run has no session “${shortId(id)}”.`}>
        It may have been deleted, belong to another run, or be a thread outside of sessions.{' '}
        <a href={formatAddress(routeTo('sessions', run))}>See all sessions</a>, or{' '}
        <a
          href={formatAddress({
            ...routeTo('timeline', run),
            params: { lanes: 'lane', scope: 'all', find: id },
          })}
        >
          look for it among the state lanes
        </a>
      </EmptyState>
    );
  }
  if (answer.error) return <Failure answer={answer} />;
  return answer.slow ? <p className={css.reading}>Reading the session …</p> : null;
}

function Details({ session }: { session: Session }) {
  const [only, setOnly] = useState<string>();
  const rows = useMemo(() => spanRows(session), [session]);
  const usual = useUsual();
  // One that suffers is late because of another: nothing of it is orange.
  const victim = useParts(session).some((p) => isOpen(p.finding) && p.as === 'victim');
  const chosen = useParam('span');
  const raw = useParam('raw') !== undefined;
  const selected = useMemo(() => rows.findIndex((r) => r.key === chosen), [rows, chosen]);
  const go = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, selected + step))];
    setParams({ span: next?.key });
  };
  useKeys([
    { key: 'j', does: 'Next span', run: () => go(1) },
    { key: 'k', does: 'Previous span', run: () => go(-1) },
    { key: '.', does: 'Next span', run: () => go(1) },
    { key: ',', does: 'Previous span', run: () => go(-1) },
    { key: 'ArrowDown', does: 'Next span', run: () => go(1) },
    { key: 'ArrowUp', does: 'Previous span', run: () => go(-1) },
    {
      key: 'Escape',
      does: 'Close, clear, go up',
      run: () => (chosen === undefined ? false : setParams({ span: undefined })),
    },
  ]);
  return (
    <>
      <SessionFindings session={session} />
      <SessionHeadline session={session} />
      <FactStrip session={session} />
      {raw && <RawJson session={session} />}
      <div className={css.grid}>
        <div className={css.left}>
          <AccountingBar session={session} only={only} onOnly={setOnly} />
          <Waterfall
            session={session}
            rows={rows}
            selected={selected}
            only={only}
            usual={victim ? NO_USUAL : usual}
          />
          <Siblings session={session} only={only} />
        </div>
        <SidePanel session={session} rows={rows} selected={rows[selected]} />
      </div>
    </>
  );
}

const NO_USUAL: ReadonlyMap<string, number> = new Map();

/** Where it belongs, and what can be done with it. */
function Crumbs({ session }: { session: Session }) {
  const { run, batch, train_step, task } = session;
  const source = useSource();
  const list = (params: Record<string, string>) => formatAddress({ ...routeTo('sessions', run), params });
  const timeline = { ...routeTo('timeline', run), params: { scope: 'all', q: session.session } };
  const chrome = source.chromeTraceUrl(run, session.session);
  const next = useNextOverdue(session.session);
  const toNext = () => (next === undefined ? (false as const) : push(routeTo('session', run, next)));
  useKeys([
    { key: 't', does: 'Timeline of this session', run: () => push(timeline) },
    { key: 'n', does: 'Next overdue session', run: toNext },
  ]);
  return (
    <nav className={css.crumbs} aria-label="Place">
      <a href={list({})}>Sessions</a>
      {batch && (
        <>
          <i>/</i>
          <a href={list({ batch })}>{train_step === null ? shortId(batch) : `step ${train_step}`}</a>
        </>
      )}
      {task && (
        <>
          <i>/</i>
          <a href={list({ task })}>task {shortId(task)}</a>
        </>
      )}
      <i>/</i>
      <b className="mono" title={session.session}>
        {shortId(session.session)}
      </b>
      <span className={css.actions}>
        {next !== undefined && (
          <Button small keyName="N" onClick={toNext}>
            Next overdue
          </Button>
        )}
        <Button small keyName="T" href={formatAddress(timeline)}>
          Timeline
        </Button>
        {chrome !== null && (
          <Button small href={chrome} title="For Perfetto or chrome://tracing" download>
            Chrome trace
          </Button>
        )}
        <Button small onClick={() => setParams({ raw: '1' })}>
          Raw JSON
        </Button>
        <CopyButton text={location.href} label="Copy link" keyName="Y" />
      </span>
    </nav>
  );
}

/** The overdue session after this one, the worst after the last. */
function useNextOverdue(session: string): string | undefined {
  return useLive((b) => {
    const late = openWork(b)
      .filter(isOverdue)
      .map((w) => w.row.session);
    const next = late[(late.indexOf(session) + 1) % Math.max(1, late.length)];
    return next === session ? undefined : next;
  });
}
