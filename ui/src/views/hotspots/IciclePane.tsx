import { useMemo } from 'react';
import type { Hotspots } from '../../data/types';
import type { Answer } from '../../data/useAnswer';
import { Button } from '../../kit/Button';
import { EmptyState } from '../../kit/EmptyState';
import { Pane } from '../../kit/Pane';
import { setParams, useParam } from '../../route/useRoute';
import { Icicle } from './Icicle';
import { icicleTree, nodeOfPath, pathOf } from './icicleLayout';

type Props = {
  detail: Hotspots | undefined;
  answer: Answer<Hotspots>;
  pointed: string | null;
  onPoint: (place: string | null) => void;
};

/** Which stage is inside which, and whose own time it is. */
export function IciclePane({ detail, answer, pointed, onPoint }: Props) {
  const nodes = useMemo(() => (detail ? icicleTree(detail) : []), [detail]);
  const path = useParam('inside');
  const zoom = nodeOfPath(nodes, path);
  const setZoom = (index: number) => setParams({ inside: pathOf(nodes, index) || undefined });
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
      answer={answer}
    >
      {detail?.nesting?.length === 0 && (
        <EmptyState title="No stages to nest.">These sessions have no spans.</EmptyState>
      )}
      {detail?.nesting && detail.nesting.length > 0 && (
        <Icicle nodes={nodes} zoom={zoom} onZoom={setZoom} pointed={pointed} onPoint={onPoint} />
      )}
    </Pane>
  );
}
