// What is wrong with a run (docs/api.md; core/…/diagnosis/FindingsReport.java), as it arrives.

export type SubjectType = 'session' | 'worker' | 'process' | 'stage' | 'task' | 'step' | 'run' | 'host';

/** Who is to blame. Workers and processes are named `role:rank`. */
export type Subject = { type: SubjectType; id: string };

/** What would be saved without it; null where it cannot be told. */
export type Cost = {
  wall_s: number | null;
  slot_s: number | null;
  /** By what part re-playing the untouched steps misses their real time. */
  model_error: number | null;
};

export type Evidence = {
  what: string;
  value: number;
  /** What it is elsewhere, or was before. */
  usual: number | null;
  unit: string | null;
  /** A session or a stage to look at. */
  link: string | null;
};

/** Who suffers from it and is not to blame. */
export type Victims = { sessions: number; tasks: number; examples: string[] };

export type Finding = {
  id: string;
  kind: string;
  state: 'open' | 'closed';
  subject: Subject;
  stage: string | null;
  steps: number[];
  since_s: number;
  until_s: number | null;
  cost: Cost;
  /** From 0 to 1. */
  confidence: number;
  sentence: string;
  evidence: Evidence[];
  victims: Victims;
  advice: string;
  /** Ids of findings that are part of this one. */
  replaces: string[];
};

/** What the data allows to judge. */
export type Coverage = {
  groups: boolean;
  parents: boolean;
  beats: boolean;
  tokens: boolean;
  engine_metrics: boolean;
  steps: number;
};

export type NotJudged = { kind: string; why: string };

/** Findings are in order: the most important first. */
export type Findings = {
  source: string;
  run: string;
  scope: string;
  as_of_s: number;
  healthy: boolean;
  sentence: string;
  coverage: Coverage;
  findings: Finding[];
  not_judged: NotJudged[];
};
