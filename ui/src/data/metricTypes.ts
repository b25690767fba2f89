// The answers of the HTTP API about metrics and targets (docs/api.md), as they arrive.

export type Metric = {
  name: string;
  /** gauge, sum, histogram, exponential_histogram, summary. */
  kind: string;
  /** Whether it only grows. */
  monotonic?: boolean;
  /** cumulative, delta. */
  temporality?: string | null;
  unit: string | null;
  series: number;
  /** The first values of each label. */
  labels: Record<string, string[]>;
  first_s: number;
  last_s: number;
  last_value: number | null;
  has_step: boolean;
  /** Where its steps are from: sent, scraped, batch, none. */
  step_source: string | null;
};

/** Something that was sent and could not be kept as it was sent. */
export type MetricProblem = { metric: string; problem: string; detail: string; count: number };

export type MetricList = { metrics: Metric[]; problems?: MetricProblem[]; left_out?: number };

export type MetricSeries = {
  name: string;
  labels: Record<string, string>;
  kind: string;
  /** One for each x; null where there is nothing: lines break there. */
  y: (number | null)[];
  min?: (number | null)[] | null;
  max?: (number | null)[] | null;
};

/** Of each x, how many observations lie up to each bound and above the one before; null is infinity. */
export type HeatMap = { bounds: (number | null)[]; counts: number[][] };

export type MetricData = {
  axis: 'time' | 'step';
  /** Steps, or when each stretch of time begins. */
  x: number[];
  /** How long such a stretch is; null for steps. */
  bucket_s?: number | null;
  series: MetricSeries[];
  heatmap?: HeatMap | null;
  /** Lines beyond the limit. */
  left_out?: number;
  truncated: boolean;
};

export type BatchMark = { batch: string; train_step: number | null; start_s: number; end_s: number | null };
/** `count`: how many lanes did it at the same time. */
export type SyncMark = { stage: string; start_s: number; end_s: number | null; count: number };
export type Annotations = { batches: BatchMark[]; weight_syncs: SyncMark[] };

export type Target = {
  target: string;
  job: string;
  labels: Record<string, string>;
  run: string | null;
  interval_s: number | null;
  timeout_s: number | null;
  /** api, file, rl-insight. */
  source: string;
  /** null before the first scrape. */
  up: boolean | null;
  /** Since when it has been up or down. */
  since_s?: number | null;
  last_scrape_s: number | null;
  last_duration_s: number | null;
  samples: number | null;
  error: string | null;
};

/** `problems`: what is wrong with the file of targets, in words. */
export type Targets = { targets: Target[]; problems?: string[] };
