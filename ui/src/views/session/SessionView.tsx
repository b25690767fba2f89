import { EmptyState } from '../../kit/EmptyState';

export function SessionView({ session }: { session: string }) {
  return <EmptyState title="This view is not written yet.">It will show session {session}.</EmptyState>;
}
