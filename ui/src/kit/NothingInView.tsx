import type { ReactNode } from 'react';
import { useFilter } from '../data/filter';
import { choosesRows } from '../data/inView';
import { useSource } from '../data/source';
import { clearFilters, setParams } from '../route/useRoute';
import { Button } from './Button';
import { EmptyState } from './EmptyState';

/** Filters or the scope leave nothing to show: says so, and offers to widen them. */
export function NothingInView({ title, children }: { title: string; children?: ReactNode }) {
  const filter = useFilter();
  const { kind } = useSource();
  const filtered = choosesRows(filter) || filter.batch !== undefined;
  const narrow = kind === 'server' && !filter.batch && filter.scope !== 'all';
  return (
    <EmptyState
      title={title}
      footer={
        (filtered || narrow) && (
          <>
            {filtered && (
              <Button small onClick={clearFilters}>
                Clear filters
              </Button>
            )}{' '}
            {narrow && (
              <Button small onClick={() => setParams({ scope: 'all' }, 'push')}>
                Show the whole run
              </Button>
            )}
          </>
        )
      }
    >
      {children}
    </EmptyState>
  );
}
