import { EmptyState } from '../../kit/EmptyState';

export function LiveView() {
  return <EmptyState title="Live is being written." />;
}
