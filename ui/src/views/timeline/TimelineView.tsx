import { EmptyState } from '../../kit/EmptyState';

export function TimelineView() {
  return <EmptyState title="Timeline is not written yet." />;
}
