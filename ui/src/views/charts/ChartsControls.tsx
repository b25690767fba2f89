import type { Metric } from '../../data/metricTypes';
import { useSource } from '../../data/source';
import { Button } from '../../kit/Button';
import { Chip } from '../../kit/Chip';
import { ControlBar } from '../../kit/ControlBar';
import { Segmented } from '../../kit/Segmented';
import { formatAddress, type Route, TARGETS } from '../../route/address';
import { setParams } from '../../route/useRoute';
import { formatNames } from '../../route/values';
import { counted } from '../../text/count';
import type { Board, BoardId } from './boards';
import { AGGREGATES, type Aggregate, type ChartsState, type Smoothing } from './chartsState';
import { labelNames, labelValues } from './labels';

const AGGREGATE_WORDS: Record<Aggregate, string> = {
  mean: 'mean',
  min: 'least',
  max: 'greatest',
  sum: 'sum',
  p50: 'p50',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  none: 'each series its own line',
};
/** What a report holds beside the usual. */
const WRITTEN: readonly Aggregate[] = ['none'];
const SMOOTHINGS: readonly (readonly [Smoothing, string])[] = [
  ['off', 'Off'],
  ['low', 'Low'],
  ['mid', 'Mid'],
  ['high', 'High'],
];

type Props = {
  boards: readonly Board[];
  board: BoardId;
  metrics: readonly Metric[];
  state: ChartsState;
  timeline: Route | null;
};

/** What is shown: board, metrics, labels. Below, how: axis, smoothing, scale. */
export function ChartsControls({ boards, board, metrics, state, timeline }: Props) {
  const names = labelNames(metrics);
  const points = useSource().monitoring?.points ?? null;
  const written = points !== null;
  return (
    <>
      <ControlBar
        right={
          <>
            {timeline && (
              <Button
                small
                keyName="T"
                href={formatAddress(timeline)}
                title="Open this window in the timeline"
              >
                Timeline
              </Button>
            )}
            {written ? (
              <span
                className="faint"
                title="A window shows no more than the whole; a server has all points and selects labels."
              >
                at most {points} points a line
              </span>
            ) : (
              <Button small href={formatAddress(TARGETS)} title="What the server reads metrics from">
                Targets
              </Button>
            )}
          </>
        }
      >
        <Segmented
          label="Board"
          value={board}
          options={boards.map((b) => [b.id, b.title] as const)}
          onChange={(v) => setParams({ board: v, chart: undefined }, 'push')}
        />
        <Chip
          label="Add"
          any="a metric"
          value={undefined}
          options={metrics
            .filter((m) => !state.pins.includes(m.name))
            .map((m) => ({ value: m.name, note: m.kind.replace('_', ' ') }))}
          onChange={(v) => v && setParams({ pin: formatNames([...state.pins, v]) })}
          none="All metrics are shown"
        />
        <Chip
          label="Over labels"
          any="mean, sum of rates"
          value={state.agg ?? undefined}
          options={(written ? WRITTEN : AGGREGATES).map((a) => ({ value: a, label: AGGREGATE_WORDS[a] }))}
          onChange={(v) => setParams({ agg: v })}
        />
        {!written && (
          <Chip
            label="A line per"
            any="metric"
            value={state.by ?? undefined}
            options={names.map(({ name, values }) => ({ value: name, note: counted(values, 'value') }))}
            onChange={(v) => setParams({ by: v })}
            none="These metrics have no labels"
          />
        )}
        {!written && (
          <Chip
            label="Where"
            any="all"
            value={state.where ?? undefined}
            options={labelValues(metrics).map((v) => ({ value: v }))}
            onChange={(v) => setParams({ where: v })}
            none="These metrics have no labels"
          />
        )}
        {state.hidden.size > 0 && (
          <Button small onClick={() => setParams({ hide: undefined })}>
            Show {state.hidden.size} hidden
          </Button>
        )}
      </ControlBar>
      <HowShown state={state} />
    </>
  );
}

function HowShown({ state }: { state: ChartsState }) {
  return (
    <ControlBar>
      <Segmented
        label="Axis"
        value={state.axis}
        options={[
          ['clock', 'Clock'],
          ['step', 'Step'],
        ]}
        onChange={(v) => setParams({ axis: v === 'clock' ? undefined : v }, 'push')}
      />
      <Segmented
        label="Smoothing"
        value={state.smooth}
        options={SMOOTHINGS}
        onChange={(v) => setParams({ smooth: v === 'off' ? undefined : v })}
      />
      <Segmented
        label="Scale"
        value={state.log ? 'log' : 'linear'}
        options={[
          ['linear', 'Linear'],
          ['log', 'Log'],
        ]}
        onChange={(v) => setParams({ scale: v === 'log' ? v : undefined })}
      />
      <Segmented
        label="Histograms"
        value={state.hist}
        options={[
          ['heat', 'Heat map'],
          ['bands', 'Percentiles'],
        ]}
        onChange={(v) => setParams({ hist: v === 'heat' ? undefined : v })}
      />
      <Segmented
        label="Size"
        value={state.tall ? 'tall' : 'small'}
        options={[
          ['small', 'Small'],
          ['tall', 'Tall'],
        ]}
        onChange={(v) => setParams({ size: v === 'tall' ? v : undefined })}
      />
    </ControlBar>
  );
}
