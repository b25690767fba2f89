import type { Metric } from '../../data/metricTypes';
import { naturalKey } from '../../text/natural';
import { isHistogram, nameKey, shortName } from './metricNames';

export type BoardId = 'training' | 'rollout' | 'engine' | 'all';

/** One picture: a metric, or some that are read together. */
export type Chart = {
  /** As it stands in the address: the metric's name, or what its metrics have in common and a star. */
  id: string;
  title: string;
  metrics: readonly Metric[];
  /** How the line of each metric is called; '' if there is only one. */
  names: readonly string[];
  /** `spread`: the mean as a line, least and greatest as a band around it. */
  kind: 'lines' | 'spread' | 'histogram';
};

export type Group = { title: string; charts: Chart[] };
export type Board = { id: BoardId; title: string; groups: Group[] };

type GroupRule = { title: string; takes: RegExp; together?: readonly Together[] };
/** Metrics for one chart; the first place of the list is drawn first. */
type Together = { title: string; keys: readonly RegExp[] };

const BOARDS: readonly { id: BoardId; title: string; groups: readonly GroupRule[] }[] = [
  {
    id: 'training',
    title: 'Training',
    groups: [
      { title: 'Reward', takes: /^(critic_(score|rewards?)_|rewards?(_|$)|val_|accuracy|acc_)/ },
      { title: 'Policy', takes: /^(actor_|policy_|kl(_|$)|entropy|grad_norm|loss|lr$|learning_rate)/ },
      { title: 'Critic', takes: /^critic_/ },
      {
        title: 'Time per step',
        takes: /^timing_/,
        together: [
          { title: 'timing_s', keys: [/^timing_s_/] },
          { title: 'timing_per_token_ms', keys: [/^timing_per_token_ms_/] },
        ],
      },
      { title: 'Speed', takes: /^perf_/ },
      { title: 'Training', takes: /^(training_|train_|global_seqlen_|epoch$)/ },
    ],
  },
  {
    id: 'rollout',
    title: 'Rollout',
    groups: [
      { title: 'Length', takes: /^(response|prompt|completion)_/ },
      { title: 'Turns and tools', takes: /^(num_turns|turns|tool_|agent_loop_|env_)/ },
      {
        title: 'Rollout',
        takes: /^(rollout_|staleness|off_policy|trajector(y|ies)|samples?_|sessions?_|generation_)/,
      },
    ],
  },
  {
    id: 'engine',
    title: 'Engine',
    groups: [
      {
        title: 'vLLM',
        takes: /^vllm[:_]/,
        together: [
          { title: 'vllm: requests', keys: [/num_requests_running$/, /num_requests_waiting$/] },
          { title: 'vllm: KV cache in use', keys: [/kv_cache_usage_perc$/, /gpu_cache_usage_perc$/] },
          { title: 'vllm: tokens', keys: [/:prompt_tokens$/, /:generation_tokens$/] },
          { title: 'vllm:prefix_cache', keys: [/prefix_cache_queries$/, /prefix_cache_hits$/] },
        ],
      },
      {
        title: 'SGLang',
        takes: /^sglang[:_]/,
        together: [
          { title: 'sglang: requests', keys: [/num_running_reqs$/, /num_queue_reqs$/] },
          { title: 'sglang:token_usage', keys: [/:token_usage$/] },
          { title: 'sglang:gen_throughput', keys: [/:gen_throughput$/] },
          { title: 'sglang: tokens', keys: [/:prompt_tokens$/, /:generation_tokens$/] },
        ],
      },
    ],
  },
];

/** The boards that this run has metrics for; “All metrics” is always the last. */
export function boardsOf(metrics: readonly Metric[]): Board[] {
  const sorted = [...metrics].sort((a, b) => compare(nameKey(a.name), nameKey(b.name)));
  const boards: Board[] = BOARDS.map(({ id, title, groups }) => ({
    id,
    title,
    groups: groupsOf(groups, sorted),
  }));
  const all: Board = {
    id: 'all',
    title: 'All metrics',
    groups: sorted.length === 0 ? [] : [{ title: '', charts: sorted.map(chartOf) }],
  };
  return [...boards.filter((b) => b.groups.length > 0), all];
}

function groupsOf(rules: readonly GroupRule[], sorted: readonly Metric[]): Group[] {
  const taken = new Map<GroupRule, Metric[]>();
  for (const metric of sorted) {
    const rule = rules.find((r) => r.takes.test(nameKey(metric.name)));
    if (rule) taken.set(rule, [...(taken.get(rule) ?? []), metric]);
  }
  return rules
    .filter((rule) => taken.has(rule))
    .map((rule) => ({ title: rule.title, charts: chartsOf(taken.get(rule)!, rule.together ?? []) }));
}

/** Most that the API takes in one question. */
const MOST_TOGETHER = 20;

/** Known ones in their order first, then the others by name; mean, least and greatest of one thing are one chart. */
function chartsOf(metrics: readonly Metric[], together: readonly Together[]): Chart[] {
  const rest = new Set(metrics);
  const first: Chart[] = [];
  for (const { title, keys } of together) {
    const found = keys
      .flatMap((key) => metrics.filter((m) => rest.has(m) && key.test(nameKey(m.name))))
      .filter((m) => !isHistogram(m));
    if (found.length === 0) continue;
    const fit = found.slice(0, MOST_TOGETHER);
    for (const metric of fit) rest.delete(metric);
    first.push(fit.length === 1 ? chartOf(fit[0]!) : chartOfMany(title, fit));
  }
  return [...first, ...withSpreads([...rest])];
}

const SPREAD = /^(.+)[_/.](mean|avg|min|max)$/;

function withSpreads(metrics: readonly Metric[]): Chart[] {
  const families = new Map<string, Metric[]>();
  for (const metric of metrics) {
    const base = isHistogram(metric) ? undefined : SPREAD.exec(metric.name)?.[1];
    const key = base ?? metric.name;
    families.set(key, [...(families.get(key) ?? []), metric]);
  }
  return [...families].flatMap(([base, members]) => {
    const mean = members.find((m) => /(mean|avg)$/.test(m.name));
    if (members.length < 2 || !mean) return members.map(chartOf);
    const ordered = [mean, ...members.filter((m) => m !== mean)];
    return {
      id: `${base}*`,
      title: shortName(base),
      metrics: ordered,
      names: ordered.map((m) => m.name.slice(base.length + 1)),
      kind: 'spread' as const,
    };
  });
}

export function chartOf(metric: Metric): Chart {
  return {
    id: metric.name,
    title: shortName(metric.name),
    metrics: [metric],
    names: [''],
    kind: isHistogram(metric) ? 'histogram' : 'lines',
  };
}

function chartOfMany(title: string, metrics: readonly Metric[]): Chart {
  const common = commonStart(metrics.map((m) => m.name));
  return {
    id: `${common}*${metrics.map((m) => m.name.slice(common.length)).join('+')}`,
    title,
    metrics,
    names: metrics.map((m) => m.name.slice(common.length) || m.name),
    kind: 'lines',
  };
}

/** What all names begin with, up to the end of a word. */
function commonStart(names: readonly string[]): string {
  let common = names[0] ?? '';
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  return /^.*[_/.:]/.exec(common)?.[0] ?? '';
}

function compare(a: string, b: string): number {
  const [x, y] = [naturalKey(a), naturalKey(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The chart that an address names: of a board, or of one metric. */
export function findChart(boards: readonly Board[], id: string): Chart | undefined {
  for (const board of boards) {
    for (const group of board.groups) {
      const chart = group.charts.find((c) => c.id === id);
      if (chart) return chart;
    }
  }
  return undefined;
}

/** Charts whose name, or that of a metric in them, has the text. */
export function searched(groups: readonly Group[], text: string): Group[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...groups];
  const has = (chart: Chart) =>
    [chart.title, ...chart.metrics.map((m) => m.name)].some((name) => name.toLowerCase().includes(wanted));
  return groups
    .map((group) => ({ ...group, charts: group.charts.filter(has) }))
    .filter((group) => group.charts.length > 0);
}
