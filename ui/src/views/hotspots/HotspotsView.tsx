import { EmptyState } from '../../kit/EmptyState';

export function HotspotsView() {
  return <EmptyState title="Hotspots is not written yet." />;
}
