import { useMemo } from 'react';
import type { Hotspots } from '../../data/types';
import { Button } from '../../kit/Button';
import { EmptyState } from '../../kit/EmptyState';
import { Pane } from '../../kit/Pane';
import { setParams, useParam } from '../../route/useRoute';
import { Icicle } from './Icicle';
import { icicleTree, nodeOfPath, pathOf } from './icicleLayout';

type Props = { hotspots: Hotspots; pointed: string | null; onPoint: (place: string | null) => void };

/** Which stage is inside which, and whose own time it is. */
export function IciclePane({ hotspots, pointed, onPoint }: Props) {
  const nodes = useMemo(() => icicleTree(hotspots), [hotspots]);
  const zoom = nodeOfPath(nodes, useParam('inside'));
  const setZoom = (index: number) => setParams({ inside: pathOf(nodes, index) || undefined });
  const empty = (hotspots.nesting ?? []).length === 0;
  return (
    <Pane
      title="Where the time nests"
      note={zoom > 0 ? `inside ${nodes[zoom]!.place}` : 'full colour = own time, tint = passed on'}
      right={
        zoom > 0 && (
          <Button small onClick={() => setZoom(nodes[zoom]!.parent)}>
            Zoom out
          </Button>
        )
      }
    >
      {empty ? (
        <EmptyState title="No stages to nest.">These sessions have no spans.</EmptyState>
      ) : (
        <Icicle nodes={nodes} zoom={zoom} onZoom={setZoom} pointed={pointed} onPoint={onPoint} />
      )}
    </Pane>
  );
}
