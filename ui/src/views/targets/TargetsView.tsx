import { useEffect, useState } from 'react';
import type { Target, Targets } from '../../data/metricTypes';
import { useSource } from '../../data/source';
import { type Answer, useAnswer } from '../../data/useAnswer';
import { Banner } from '../../kit/Banner';
import { CopyButton } from '../../kit/CopyButton';
import { DataTable } from '../../kit/DataTable';
import { EmptyState } from '../../kit/EmptyState';
import { Failure, Pane } from '../../kit/Pane';
import { nextSort, parseSort, sortRows } from '../../kit/sortRows';
import { formatAddress, HOME } from '../../route/address';
import { setParams, useParam } from '../../route/useRoute';
import css from './TargetsView.module.css';
import { SORTABLE, targetColumns } from './targetColumns';
import { sortValue, summary, targetKey } from './targets';

const EVERY_MS = 5000;
const DOWN_FIRST = { key: 'state', descending: false };
const ADD = 'rollscope targets add HOST:8000 --job vllm --run RUN --label replica=0';

/** What the server reads metrics from, and whether it can. */
export function TargetsView() {
  const { monitoring } = useSource();
  const answer = useAnswer<Targets>(
    'targets',
    async (_source, signal) => (monitoring ? monitoring.targets(signal) : { targets: [] }),
    { everyMs: EVERY_MS },
  );
  if (!answer.data) return answer.error ? <Failure answer={answer} /> : null;
  const { targets, problems = [] } = answer.data;
  return (
    <div className={css.view}>
      {problems.map((problem) => (
        <Banner key={problem} tone="late" mark="overdue" title="The list of targets has a problem.">
          {problem}
        </Banner>
      ))}
      {targets.length === 0 ? <NoTargets /> : <Found answer={answer} targets={targets} />}
    </div>
  );
}

function Found({ answer, targets }: { answer: Answer<Targets>; targets: readonly Target[] }) {
  const sort = parseSort(useParam('sort'), DOWN_FIRST);
  const [selected, setSelected] = useState<string>();
  const nowS = useSeconds();
  return (
    <>
      <Pane
        title="Targets"
        note={summary(targets)}
        answer={answer}
        className={css.pane}
        right={<a href={formatAddress(HOME)}>All runs</a>}
      >
        <DataTable
          label="Targets"
          unit="target"
          columns={targetColumns(nowS)}
          rows={sortRows(targets, sort, sortValue)}
          rowKey={targetKey}
          rowHeight={32}
          sort={sort}
          sortable={SORTABLE}
          onSort={(key) => setParams({ sort: nextSort(sort, key, !ASCENDING.includes(key)) })}
          selected={selected}
          onSelect={(t) => setSelected(targetKey(t))}
        />
      </Pane>
      <footer className={css.add}>
        <span>Add one</span>
        <code>{ADD}</code>
        <CopyButton text={ADD} />
      </footer>
    </>
  );
}

const ASCENDING = ['state', 'target', 'job', 'run', 'labels', 'source', 'error'];

function NoTargets() {
  return (
    <EmptyState
      title="The server reads metrics from nowhere yet."
      lines={[
        { what: 'vLLM, SGLang', line: ADD },
        { what: 'A list', line: 'rollscope server start --targets-file targets.json' },
        { what: 'RL-Insight', line: `export RL_INSIGHT_SERVER_URL=${location.origin}` },
      ]}
      footer="Anything with a page of metrics for Prometheus will do. Targets appear here by themselves."
    >
      Name the metrics pages of your engines and nodes, and their values become charts of the run:
    </EmptyState>
  );
}

function useSeconds(): number {
  const [nowS, setNowS] = useState(Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNowS(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  return nowS;
}
