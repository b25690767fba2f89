import type { Sessions } from '../../data/types';
import type { Answer } from '../../data/useAnswer';
import { Pane } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { setParams, useParam } from '../../route/useRoute';
import { count } from '../../text/count';
import { Distributions } from './Distributions';
import { Lifecycle } from './Lifecycle';
import { SessionTable } from './SessionTable';
import { Summary } from './Summary';
import type { Page } from './usePage';

const SHOWS = [
  ['table', 'Table'],
  ['lifecycle', 'Lifecycle'],
  ['distributions', 'Distributions'],
  ['numbers', 'Numbers'],
] as const;
type Show = (typeof SHOWS)[number][0];

/** What is selected, in one of four forms. */
export function DetailPane({ page, summary }: { page: Page; summary: Answer<Sessions> }) {
  const asked = useParam('show');
  const show: Show = SHOWS.find(([name]) => name === asked)?.[0] ?? 'table';
  const { rows, set } = page;
  const note =
    rows.length === set.size
      ? `${count(set.size)} sessions`
      : `${count(rows.length)} of ${count(set.size)} selected`;
  return (
    <Pane
      title="Sessions"
      note={note}
      right={
        <Segmented
          label="As"
          value={show}
          options={SHOWS}
          onChange={(v) => setParams({ show: v === 'table' ? undefined : v })}
        />
      }
    >
      {show === 'table' && <SessionTable page={page} />}
      {show === 'lifecycle' && <Lifecycle page={page} />}
      {show === 'distributions' && <Distributions page={page} />}
      {show === 'numbers' && <Summary page={page} answer={summary} />}
    </Pane>
  );
}
