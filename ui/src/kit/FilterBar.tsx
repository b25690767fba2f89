import type { ReactNode } from 'react';
import { type Filter, type FilterKey, useFilter } from '../data/filter';
import { useSource } from '../data/source';
import { STATUSES } from '../data/types';
import { useBatches } from '../data/useBatches';
import { useLiveContext } from '../data/useLive';
import { setParams } from '../route/useRoute';
import { counted } from '../text/count';
import { naturalKey } from '../text/natural';
import { Chip } from './Chip';
import { ControlBar } from './ControlBar';
import type { MenuOption } from './Menu';
import { StageName } from './Swatch';

/** The same in every view, in this order. */
const FILTERS: readonly FilterKey[] = ['scope', 'batch', 'task', 'stage', 'status', 'worker', 'q'];

type Props = {
  /** Values to choose from where the view knows more than the live board. */
  options?: Partial<Record<FilterKey, readonly MenuOption[]>> | undefined;
  children?: ReactNode;
};

/** The same filters in every view on the left, the view's own controls on the right. */
export function FilterBar({ options, children }: Props) {
  const filter = useFilter();
  return (
    <ControlBar right={children}>
      {FILTERS.map((key) => (
        <FilterChip key={key} name={key} filter={filter} options={options?.[key]} />
      ))}
    </ControlBar>
  );
}

const LABELS: Partial<Record<FilterKey, string>> = { task: 'Task', worker: 'Worker', stage: 'Stage' };

/** What every view shows while none is chosen. */
const USUAL_SCOPE = 'active';

const SCOPES: MenuOption[] = [
  { value: 'active', label: 'newest step and all unfinished' },
  { value: 'latest', label: 'newest step' },
  { value: 'all', label: 'whole run' },
];

/** What a report says it is about, in words; a batch is named by itself. */
export function scopeName(scope: string): ReactNode {
  return SCOPES.find((s) => s.value === scope)?.label ?? scope;
}

type FilterChipProps = {
  name: FilterKey;
  filter: Filter;
  options: readonly MenuOption[] | undefined;
};

function FilterChip({ name, filter, options }: FilterChipProps) {
  const { kind } = useSource();
  const value = filter[name];
  const onChange = (next: string | undefined) => setParams({ [name]: next }, 'push');
  if (options) return <Chip label={LABELS[name] ?? name} {...{ value, onChange, options }} />;
  switch (name) {
    case 'scope':
      // A batch goes before the scope; that of a report was chosen when it was written.
      if (filter.batch || kind === 'report') return null;
      return (
        <Chip
          label="Show"
          any={String(SCOPES.find((s) => s.value === USUAL_SCOPE)?.label)}
          {...{ value, onChange }}
          options={SCOPES}
        />
      );
    case 'batch':
      return <BatchChip {...{ value, onChange }} />;
    case 'status':
      return <Chip label="Status" {...{ value, onChange }} options={STATUSES.map((s) => ({ value: s }))} />;
    case 'stage':
      return <StageChip {...{ value, onChange }} />;
    case 'worker':
      return <RowChip label="Worker" column="worker" {...{ value, onChange }} />;
    case 'task':
      return <RowChip label="Task" column="task" {...{ value, onChange }} />;
    case 'q':
      // Set with the find field above; here it can be seen and taken off.
      return value ? <Chip label="Text" {...{ value, onChange }} options={[]} /> : null;
  }
}

type ChipProps = { value: string | undefined; onChange: (value: string | undefined) => void };

function BatchChip(props: ChipProps) {
  const batches = useBatches().data?.batches ?? [];
  const options = batches.map((b) => ({ value: b.batch, note: counted(b.sessions, 'session') }));
  return <Chip label="Step" options={options} none="This run names no steps" {...props} />;
}

function StageChip(props: ChipProps) {
  const { board } = useLiveContext();
  const options = () => {
    const open = board.get().report?.open_span_summaries ?? [];
    const stages = [...new Set(open.map((s) => s.stage))].sort();
    return stages.map((s) => ({ value: s, label: <StageName place={s} /> }));
  };
  return <Chip label="Stage" options={options} none="Nothing is open" {...props} />;
}

function RowChip({ label, column, ...props }: ChipProps & { label: string; column: 'worker' | 'task' }) {
  const { board } = useLiveContext();
  const options = () => {
    const counts = new Map<string, number>();
    for (const row of board.get().rows.values()) {
      const value = row[column];
      if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts]
      .map(([value, n]) => ({ value, key: naturalKey(value), note: counted(n, 'session') }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ value, note }) => ({ value, note }));
  };
  const none = column === 'task' ? 'These sessions name no task' : 'These sessions name no worker';
  return <Chip label={label} options={options} none={none} {...props} />;
}
