import type { Evidence, Finding, Findings } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import type { MarkName } from '../../kit/StatusMark';
import type { Route } from '../../route/address';
import { formatSpan } from '../../route/values';
import { counted, percent } from '../../text/count';
import { value } from '../../text/value';

/** What happened, by kind. The list is closed (core/…/diagnosis/FindingKind.java). */
export const KINDS: Readonly<Record<string, string>> = {
  hung_call: 'One call has been open far longer than usual while its process lives, and others wait.',
  hung_worker: 'All open calls of one worker stopped moving at one instant, and others go on.',
  dead_process: 'A process ended or went silent with open work.',
  global_stall: 'Most open work stopped at one instant.',
  slow_worker: "A worker's calls take longer than those of the others for comparable work.",
  slow_service: 'A stage is slower for everybody than before.',
  failing_service: 'Errors of a stage rose.',
  retry_storm: 'Attempts per session rose.',
  long_tail: 'Few sessions generate far more than the rest, and none is slow per token.',
  giant_input: 'Inputs explain the slow sessions.',
  slow_sync: 'The weight sync takes longer than before, or dominates.',
  starved_trainer: 'The trainer waits for rollouts.',
  starved_rollout: 'Engines wait for the trainer.',
  saturated_engine: "Requests queue in an engine: a call's time is mostly queue.",
  unbalanced_load: 'Few workers get most of the work.',
  stale_data: 'Samples older than the allowed policy lag are used or dropped.',
  rejects_rising: 'A growing share is rejected or dropped.',
  clock_skew: "A host's clock disagrees with the others.",
  data_loss: 'Records are missing: what is shown may be wrong.',
};

export function isOpen(finding: Finding): boolean {
  return finding.state === 'open';
}

/** A process that died and has come back: it is over, and its sessions are not. */
export function isBack(finding: Finding): boolean {
  return !isOpen(finding) && finding.kind === 'dead_process';
}

const ERRORS: readonly string[] = ['failing_service', 'rejects_rising', 'data_loss'];

export function markOf(finding: Finding): MarkName {
  if (finding.kind === 'dead_process') return 'lost';
  if (!isOpen(finding)) return 'completed';
  return ERRORS.includes(finding.kind) ? 'error' : 'overdue';
}

/** Kinds by which sessions are hit, without waiting for anybody. */
const HITS: readonly string[] = [
  'failing_service',
  'retry_storm',
  'stale_data',
  'rejects_rising',
  'clock_skew',
];
const LOSES: readonly string[] = ['dead_process', 'data_loss'];

/** "5 sessions wait", "1 session is hit", "34 sessions are affected" */
export function victimWords({ kind, state, victims: { sessions } }: Finding): string {
  const one = sessions === 1;
  const who = counted(sessions, 'session');
  const past = state === 'closed';
  if (LOSES.includes(kind)) return `${who} ${past ? (one ? 'was' : 'were') : one ? 'is' : 'are'} affected`;
  if (HITS.includes(kind)) return `${who} ${past ? (one ? 'was' : 'were') : one ? 'is' : 'are'} hit`;
  return `${who} ${past ? 'waited' : one ? 'waits' : 'wait'}`;
}

/** Whether its victims wait for the one to blame. */
export function makesWait({ kind }: Finding): boolean {
  return !HITS.includes(kind) && !LOSES.includes(kind);
}

export function victimTitle({ kind }: Finding): string {
  return LOSES.includes(kind) ? 'Who is affected' : HITS.includes(kind) ? 'Who is hit' : 'Who waits';
}

/** The first sentence is the headline, the others stand below it. */
export function headAndRest(sentence: string): { head: string; rest: string } {
  const end = /[.!?](?=\s+[\p{Lu}\d[])/u.exec(sentence);
  const head = end ? sentence.slice(0, end.index + 1) : sentence;
  const rest = sentence.slice(head.length).trim();
  return { head: head.replace(/\.$/, ''), rest };
}

export type FindingSort = 'cost' | 'newest';
export type Choice = { kind?: string; state?: string; step?: string; sort: FindingSort };

/** Those that are chosen, open ones first. By cost they are as told: the most important first. */
export function chosenOf(findings: readonly Finding[], { kind, state, step, sort }: Choice): Finding[] {
  const chosen = findings.filter(
    (f) =>
      (kind === undefined || f.kind === kind) &&
      (state === undefined || f.state === state) &&
      (step === undefined || f.steps.includes(Number(step))),
  );
  if (sort === 'newest') chosen.sort((a, b) => b.since_s - a.since_s);
  return [...chosen.filter(isOpen), ...chosen.filter((f) => !isOpen(f))];
}

/** How often each value is there, in natural order. */
export function valuesOf(findings: readonly Finding[], values: (f: Finding) => readonly (string | number)[]) {
  const counts = new Map<string, number>();
  for (const f of findings)
    for (const v of values(f)) counts.set(String(v), (counts.get(String(v)) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([value, n]) => ({ value, note: counted(n, 'finding') }));
}

/** A session or a stage: of a link only the name is told. */
export function linkOf(
  run: string,
  finding: Finding,
  link: string,
  stages: ReadonlySet<string>,
): Route | null {
  if (link === finding.subject.id) return subjectRoute(run, finding);
  return stages.has(link) ? stageRoute(run, link) : sessionRoute(run, link);
}

/** What is known to be a stage: findings and steps name them. */
export function stagesOf({ findings }: Findings, batches: readonly Batch[]): ReadonlySet<string> {
  return new Set([
    ...findings.flatMap((f) => (f.stage === null ? [] : [f.stage])),
    ...batches.flatMap((b) => Object.keys(b.stages)),
  ]);
}

/** Where the one to blame is shown; null where no view shows such a thing. */
export function subjectRoute(run: string, finding: Finding): Route | null {
  const { type, id } = finding.subject;
  switch (type) {
    case 'session':
      return sessionRoute(run, id);
    case 'stage':
      return stageRoute(run, id);
    case 'worker':
    case 'process':
      return { view: 'sessions', run, session: null, params: { scope: 'all', worker: id } };
    case 'task':
      // An id or a name of tasks: both are found as text.
      return { view: 'sessions', run, session: null, params: { scope: 'all', q: id } };
    case 'step':
      return { view: 'steps', run, session: null, params: {} };
    case 'run':
    case 'host':
      return null;
  }
}

function sessionRoute(run: string, session: string): Route {
  return { view: 'session', run, session, params: {} };
}

function stageRoute(run: string, stage: string): Route {
  return { view: 'hotspots', run, session: null, params: { scope: 'all', stage } };
}

/** So much of its length is shown before and after. */
const AROUND = 0.1;

/** The timeline of when it was, of the one to blame where the timeline has lanes of such things. */
export function timelineRoute(run: string, finding: Finding, nowS: number): Route {
  const { subject, since_s } = finding;
  const end = finding.until_s ?? nowS;
  const around = Math.max(1, (end - since_s) * AROUND);
  const t = formatSpan({ from: since_s - around, to: end + around });
  const params: Record<string, string> = { scope: 'all', t };
  if (subject.type === 'worker' || subject.type === 'process') {
    params.worker = subject.id;
    params.lanes = 'worker';
  }
  if (subject.type === 'session' || subject.type === 'task') params.q = subject.id;
  return { view: 'timeline', run, session: null, params };
}

/** The batches of a step that findings name by its number. */
export function batchOf(batches: readonly Batch[], step: number): string | undefined {
  return batches.find((b) => b.train_step === step)?.batch;
}

/** How long its steps took together, some of which may have run side by side; null if not all are known. */
export function stretchOf({ steps }: Finding, batches: readonly Batch[]): number | null {
  const of = batches.filter((b) => b.train_step !== null && steps.includes(b.train_step));
  if (steps.length === 0 || new Set(of.map((b) => b.train_step)).size < steps.length) return null;
  return Math.max(...of.map((b) => b.end_s)) - Math.min(...of.map((b) => b.start_s));
}

/** A value of evidence in the form of its unit. */
export function evidenceValue(v: number, unit: string | null): string {
  if (unit === 'share') return percent(v);
  // Seconds per token are thousandths; "25.1 ms per token" is what people say.
  const per = /^s\/(\w+)$/.exec(unit ?? '');
  if (per) return `${value(v, 's')} per ${per[1]}`;
  // Things that are counted: calls, sessions, records.
  if (unit?.endsWith('s') && unit !== 's' && unit !== 'ms') return counted(v, unit.slice(0, -1));
  return value(v, unit ?? '');
}

/** Whether it is out of line: above its usual, or below half of it, such as calls that no longer end. */
export function isOutOfLine({ value: v, usual }: Evidence): boolean {
  return usual !== null && (v > usual || v < usual / 2);
}

/** How a session is part of a finding. */
export type Part = { finding: Finding; as: 'cause' | 'victim' };

/**
 * The findings that a session is part of, open ones first, those that it is to blame for before those it suffers from.
 *
 * @param waitsFor the samples of its group, if it has done its own work and waits for them: examples do not name all
 */
export function partsOf(
  findings: readonly Finding[],
  session: string,
  waitsFor: readonly string[] = [],
): Part[] {
  const parts = findings.flatMap((finding): Part[] => {
    const { subject, victims } = finding;
    const blames = (id: string) => subject.type === 'session' && subject.id === id;
    if (blames(session)) return [{ finding, as: 'cause' }];
    const suffers = victims.examples.includes(session) || (isOpen(finding) && waitsFor.some(blames));
    return suffers ? [{ finding, as: 'victim' }] : [];
  });
  const rank = (p: Part) => (isOpen(p.finding) ? 0 : 2) + (p.as === 'cause' ? 0 : 1);
  return parts.sort((a, b) => rank(a) - rank(b));
}

const DATA: readonly (readonly [
  'groups' | 'parents' | 'beats' | 'tokens' | 'engine_metrics',
  string,
  string,
])[] = [
  ['groups', 'which sessions are samples of one task', 'who waits for whom'],
  ['parents', 'which span caused which', 'where time is lost'],
  ['beats', 'whether processes are alive', 'hung from dead'],
  ['tokens', 'what calls read and wrote', 'slow calls from long ones'],
  ['engine_metrics', 'how engines queue', 'queueing from computing'],
];

/** What the data covers, and what that allows to tell. */
export function coverageLines({ coverage }: Findings): { known: boolean; what: string; tells: string }[] {
  return DATA.map(([key, what, tells]) => ({ known: coverage[key], what, tells }));
}

/** Of every kind: nothing could be judged. */
const ALL = 'all';

/** Why kinds could not be judged, by kind: one may be judged of some stages and not of others. */
export function unjudgedOf({ not_judged }: Findings): [kind: string, whys: string[]][] {
  const kinds = new Map<string, string[]>();
  for (const { kind, why } of not_judged) kinds.set(kind, [...(kinds.get(kind) ?? []), why]);
  return [...kinds];
}

/** "All 19 kinds of findings were judged.", "2 of 19 kinds of findings could not be judged in full." */
export function judgedWords(report: Findings): string {
  const kinds = counted(Object.keys(KINDS).length, 'kind');
  const unjudged = unjudgedOf(report);
  if (unjudged.some(([kind]) => kind === ALL)) return `None of ${kinds} of findings could be judged in full.`;
  if (unjudged.length === 0) return `All ${kinds} of findings were judged.`;
  return `${unjudged.length} of ${kinds} of findings could not be judged in full.`;
}
