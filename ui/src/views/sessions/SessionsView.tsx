import { EmptyState } from '../../kit/EmptyState';

export function SessionsView() {
  return <EmptyState title="Sessions is not written yet." />;
}
