import { EmptyState } from '../../kit/EmptyState';

export function StepsView() {
  return <EmptyState title="Steps is not written yet." />;
}
