import { useCallback, useState } from 'react';
import type { Span } from '../../lanes/axis';
import { united } from './window';

/** What part of the axis the data cover, as far as they have been seen. Another key begins anew. */
export function useExtents(key: string) {
  const [known, setKnown] = useState<{ key: string; all: Span | null }>({ key, all: null });
  const add = useCallback(
    (from: number, to: number) =>
      setKnown((before) => {
        const all = united([before.key === key ? before.all : null, { from, to }])!;
        const same = before.key === key && before.all?.from === all.from && before.all.to === all.to;
        return same ? before : { key, all };
      }),
    [key],
  );
  return { all: known.key === key ? known.all : null, add };
}
