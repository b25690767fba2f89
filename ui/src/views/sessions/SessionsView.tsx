import { useMemo } from 'react';
import type { SessionSet } from '../../data/SessionSet';
import { Banner } from '../../kit/Banner';
import { Button } from '../../kit/Button';
import { Chip } from '../../kit/Chip';
import { FilterBar } from '../../kit/FilterBar';
import { NothingInView } from '../../kit/NothingInView';
import { Failure } from '../../kit/Pane';
import { setParams, useParam } from '../../route/useRoute';
import { count, counted } from '../../text/count';
import { duration } from '../../text/duration';
import { BreakdownPane } from './BreakdownPane';
import { DetailPane } from './DetailPane';
import { ScatterPane } from './ScatterPane';
import css from './SessionsView.module.css';
import type { Range } from './selection';
import { type Page, useColumns, usePage, useSummary } from './usePage';
import { WorkersPane } from './WorkersPane';

/** Outliers, how sessions ended, who was slow: one page whose parts choose for each other. */
export function SessionsView() {
  const columns = useColumns();
  const summary = useSummary();
  const page = usePage(columns.data, summary.data);
  return (
    <>
      <FilterBar options={useOptions(page?.set)}>
        {page && <ChosenChips page={page} />}
        {page && page.set.batches.length === 0 && <BatchSize />}
      </FilterBar>
      {!page && columns.error && <Failure answer={columns} />}
      {!page && !columns.error && columns.slow && <p className={css.reading}>Reading sessions …</p>}
      {page && page.set.leftOut > 0 && <Sampled set={page.set} />}
      {page &&
        (page.set.size === 0 ? (
          <NothingInView title="No session is in view.">
            A run without sessions has only lanes: see its timeline.
          </NothingInView>
        ) : (
          <div className={css.grid}>
            <ScatterPane page={page} answer={columns} />
            <div className={css.side}>
              <BreakdownPane page={page} />
              <WorkersPane page={page} />
            </div>
            <div className={css.detail}>
              <DetailPane page={page} summary={summary} />
            </div>
          </div>
        ))}
    </>
  );
}

/** The filter bar offers what these sessions name, not only what the live board knows. */
function useOptions(set: SessionSet | undefined) {
  return useMemo(() => {
    if (!set) return undefined;
    const options = (names: readonly string[]) => names.map((value) => ({ value }));
    return {
      ...(set.workers.length > 0 ? { worker: options(set.workers) } : {}),
      ...(set.tasks.length > 0 ? { task: options(set.tasks) } : {}),
    };
  }, [set]);
}

/** What was chosen in the charts, to see and to take off. */
function ChosenChips({ page: { selection, set, steps } }: { page: Page }) {
  const { finish, total, reason } = selection;
  const take = (key: string) => () => setParams({ [key]: undefined }, 'push');
  return (
    <>
      {reason && <Chip label="Reason" value={reason} options={[]} onChange={take('reason')} />}
      {steps.param === 'step' && selection.step && (
        <Chip label="Step" value={selection.step} options={[]} onChange={take('step')} />
      )}
      {finish && (
        <Chip
          label="Ended"
          value={rangeText(finish, (s) => `+${duration(Math.max(0, s - set.firstS))}`, 'unfinished')}
          options={[]}
          onChange={take('t')}
        />
      )}
      {total && (
        <Chip label="Work" value={rangeText(total, duration, 'any')} options={[]} onChange={take('total')} />
      )}
      {(finish || total) && (
        <Button small onClick={() => setParams({ t: undefined, total: undefined }, 'push')}>
          Clear selection
        </Button>
      )}
    </>
  );
}

function rangeText({ from, to }: Range, text: (s: number) => string, open: string): string {
  return `${Number.isFinite(from) ? text(from) : '0'} to ${Number.isFinite(to) ? text(to) : open}`;
}

/** Where records name no step, AReaL finds them from the number of sessions that one step takes. */
function BatchSize() {
  const size = useParam('B') ?? '';
  return (
    <label className={css.batchSize} title="Sessions that one training step takes, as -B of AReaL's tool">
      Batch size
      <input
        inputMode="numeric"
        value={size}
        placeholder="none"
        onChange={(e) =>
          setParams({ B: e.target.value.replace(/\D/g, '').slice(0, 7) || undefined, step: undefined })
        }
      />
    </label>
  );
}

function Sampled({ set }: { set: SessionSet }) {
  return (
    <Banner tone="neutral" mark="queued" title={`${count(set.size)} of ${counted(set.total, 'session')}`}>
      The slowest, the failed, the unfinished and a fair sample of the others. A filter above asks for what it
      names in full.
    </Banner>
  );
}
