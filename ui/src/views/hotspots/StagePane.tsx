import { useMemo, useRef, useState } from 'react';
import type { Hotspots } from '../../data/types';
import type { Answer } from '../../data/useAnswer';
import { useLive } from '../../data/useLive';
import { DataTable } from '../../kit/DataTable';
import { Pane } from '../../kit/Pane';
import { Segmented } from '../../kit/Segmented';
import { nextSort, parseSort, sortRows } from '../../kit/sortRows';
import { useSize } from '../../kit/useCanvas';
import { setParams, useParam } from '../../route/useRoute';
import { counted, percent } from '../../text/count';
import { duration } from '../../text/duration';
import { axisOf } from './distribution';
import { openAges } from './openAges';
import css from './StageTable.module.css';
import { stageColumns } from './stageColumns';
import { barrierRow, type StageRow, stageRows, stagesOf, stageValue, sumRow, type Work } from './stageRows';
import { outsideWords } from './words';

const ROW = 26;
const HEADS = 36 + 26 + 2;
const MOST_ROWS = 18;
const NARROW = 1340;
const SORTABLE = 'stage self share total count open errors avg p50 p95 p99 max'.split(' ');
const BY_SELF = { key: 'self', descending: true };
const NONE: never[] = [];

type Props = {
  hotspots: Hotspots;
  answer: Answer<Hotspots>;
  pointed: string | null;
  onPoint: (place: string | null) => void;
};

/** Stages and waits with their times; together they are all of the sessions' time until their work was done. */
export function StagePane({ hotspots, answer, pointed, onPoint }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host);
  const hasOther = stagesOf(hotspots, 'other').length > 0;
  const wanted = useParam('work');
  const work: Work = hasOther && wanted === 'other' ? 'other' : 'sessions';
  const sort = parseSort(useParam('sort'), BY_SELF);
  const chosen = useParam('stage');
  const [current, setCurrent] = useState<string>();
  const summaries = useLive((b) => b.report?.open_span_summaries ?? NONE);
  const rows = useMemo(() => stageRows(hotspots, work), [hotspots, work]);
  const sum = useMemo(() => sumRow(rows), [rows]);
  const below = work === 'sessions' ? [barrierRow(hotspots)] : NONE;
  const shown = [...sortRows(rows, sort, stageValue), sum, ...below];
  const columns = useMemo(() => {
    const open = openAges(summaries);
    const axis = axisOf(
      hotspots,
      [...open.values()].map((o) => o.oldest_s),
    );
    return stageColumns({
      bounds: hotspots.buckets_s ?? [],
      axis,
      open,
      most: Math.max(...rows.map((r) => r.share)),
      narrow: width > 0 && width < NARROW,
    });
  }, [hotspots, rows, summaries, width]);

  return (
    <div ref={host} style={{ height: HEADS + ROW * Math.min(MOST_ROWS, shown.length), flex: 'none' }}>
      <Pane
        title="Stages"
        className={css.pane}
        note={
          work === 'other'
            ? 'work outside of sessions; shares are of the threads’ time'
            : noteOf(hotspots, sum)
        }
        right={
          hasOther && (
            <Segmented
              label="Work of"
              value={work}
              options={[
                ['sessions', 'Sessions'],
                ['other', 'Other threads'],
              ]}
              onChange={(v) => setParams({ work: v === 'sessions' ? undefined : v })}
            />
          )
        }
        answer={answer}
      >
        <DataTable
          label="Stages"
          unit="stage"
          columns={columns}
          rows={shown}
          rowKey={(r) => r.key}
          rowHeight={ROW}
          sortable={SORTABLE}
          sort={sort}
          onSort={(key) => setParams({ sort: nextSort(sort, key, key !== 'stage') })}
          selected={current ?? shown.find((r) => r.kind === 'stage' && r.place === chosen)?.key}
          onSelect={(r) => {
            setCurrent(r.key);
            onPoint(r.kind === 'sum' ? null : r.place);
          }}
          onHover={(r) => onPoint(r === null || r.kind === 'sum' ? null : r.place)}
          marked={(r) => r.kind !== 'sum' && r.place === pointed}
          onOpen={(r) => {
            setCurrent(undefined);
            choose(r, chosen);
          }}
        />
      </Pane>
    </div>
  );
}

/** A click filters by the stage, another takes it off. */
function choose(row: StageRow, chosen: string | undefined): void {
  if (row.kind === 'stage') setParams({ stage: row.place === chosen ? undefined : row.place }, 'push');
}

function noteOf(hotspots: Hotspots, sum: StageRow): string {
  const parts = [
    `${duration(sum.self_s)} of session time in ${counted(hotspots.session_count, 'session')}; self times and waits add up to ${percent(sum.share)}, the barrier comes after`,
  ];
  if (hotspots.waits.outside_s > 0) parts.push(outsideWords(hotspots));
  if (hotspots.clock_disagrees > 0)
    parts.push(`clocks disagree in ${counted(hotspots.clock_disagrees, 'span')}`);
  return parts.join(' · ');
}
