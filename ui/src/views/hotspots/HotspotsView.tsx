import { useState } from 'react';
import { filterKey, useFilter } from '../../data/filter';
import type { Hotspots } from '../../data/types';
import { type Answer, useAnswer } from '../../data/useAnswer';
import { useRun } from '../../data/useLive';
import { EmptyState } from '../../kit/EmptyState';
import { FilterBar } from '../../kit/FilterBar';
import { Headline } from '../../kit/Headline';
import { NothingInView } from '../../kit/NothingInView';
import { Failure } from '../../kit/Pane';
import { counted } from '../../text/count';
import { unbroken } from '../../text/duration';
import { ErrorsPane } from './ErrorsPane';
import css from './HotspotsView.module.css';
import { IciclePane } from './IciclePane';
import { StagePane } from './StagePane';
import { WorkersPane } from './WorkersPane';
import { hotspotWords } from './words';

const EVERY_MS = 10_000;
const DETAIL_EVERY_MS = 30_000;

/** Which stage costs what; what the slow ones share. */
export function HotspotsView() {
  const run = useRun();
  const filter = useFilter();
  const answer = useAnswer(
    `hotspots ${run} ${filterKey(filter)}`,
    (source, signal) => source.hotspots(run, filter, signal),
    { everyMs: EVERY_MS },
  );
  const { data } = answer;
  return (
    <>
      <FilterBar>
        {data && `${counted(data.session_count, 'session')} · ${counted(data.span_count, 'span')} of stages`}
      </FilterBar>
      {data ? <Found hotspots={data} answer={answer} /> : <Waiting answer={answer} />}
    </>
  );
}

function Waiting({ answer }: { answer: Answer<unknown> }) {
  if (answer.error) return <Failure answer={answer} />;
  return answer.slow ? <EmptyState title="Reading the spans of this run …" /> : null;
}

/** Nesting and workers: asked for apart, so that the table need not wait for them. */
function useDetail(): Answer<Hotspots> {
  const run = useRun();
  const filter = useFilter();
  return useAnswer(
    `detail ${run} ${filterKey(filter)}`,
    (source, signal) => source.hotspots(run, filter, signal, 'nesting,workers'),
    { everyMs: DETAIL_EVERY_MS },
  );
}

function Found({ hotspots, answer }: { hotspots: Hotspots; answer: Answer<Hotspots> }) {
  const detail = useDetail();
  const [pointed, setPointed] = useState<string | null>(null);
  const words = hotspotWords(hotspots);
  if (!words) {
    return (
      <NothingInView title="No work in view.">
        No session that these filters let through has a span.
      </NothingInView>
    );
  }
  const linked = { pointed, onPoint: setPointed };
  const inside = { detail: detail.data, answer: detail, ...linked };
  return (
    <>
      <Headline tone="calm" title={unbroken(words.title)}>
        {unbroken(words.text)}
      </Headline>
      <StagePane hotspots={hotspots} answer={answer} {...linked} />
      <div className={css.below}>
        <IciclePane {...inside} />
        <WorkersPane {...inside} />
        <ErrorsPane {...linked} />
      </div>
    </>
  );
}
