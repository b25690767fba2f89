import { endOf, type Scene } from '../../lanes/scene';
import { INFERRED, LOST, OPEN } from '../../lanes/spans';
import { times } from '../../text/count';
import { duration } from '../../text/duration';

/** Everything the tooltip, the drawer and a screen reader say of a span. */
export type SpanFacts = {
  stage: string;
  name: string;
  session: string | null;
  lane: string;
  task: string | null;
  worker: string | null;
  startS: number;
  endS: number;
  durationS: number;
  open: boolean;
  inferred: boolean;
  outcome: string;
  error: string | null;
  /** The other state that was open on its lane when it began. */
  overlaps: string | null;
  /** Duration ÷ usual p95; null while there is no usual. */
  ratio: number | null;
  usualS: number | null;
};

export function spanFacts(scene: Scene, span: number): SpanFacts {
  const { table } = scene;
  const lane = table.lane[span]!;
  const info = table.info[lane];
  const durationS = endOf(scene, span) - table.start[span]!;
  const usual = scene.usualS[table.name[span]!]!;
  const flags = table.flags[span]!;
  return {
    stage: table.stages[table.stage[span]!] ?? '',
    name: table.names[table.name[span]!] ?? '',
    session: table.sessions[table.session[span]!] ?? null,
    lane: table.lanes[lane]!,
    task: info?.task ?? null,
    worker: info?.worker ?? null,
    startS: table.originS + table.start[span]!,
    endS: table.originS + endOf(scene, span),
    durationS,
    open: (flags & OPEN) !== 0,
    inferred: (flags & INFERRED) !== 0,
    outcome: flags & LOST ? 'lost' : (table.outcomes[table.outcome[span]!] ?? ''),
    error: table.errors[table.error[span]!] ?? null,
    overlaps: table.overlapped[table.overlaps[span]!] ?? null,
    ratio: usual > 0 ? durationS / usual : null,
    usualS: usual > 0 ? usual : null,
  };
}

/** One line that says what the tooltip shows. */
export function readOut(facts: SpanFacts): string {
  const parts = [
    `${facts.stage || facts.name} of ${facts.session ?? facts.lane}`,
    `${facts.open ? 'open for' : facts.outcome} ${duration(facts.durationS)}`,
  ];
  if (facts.ratio !== null && facts.ratio > 1) parts.push(`${times(facts.ratio)} usual p95`);
  if (facts.worker) parts.push(`on ${facts.worker}`);
  if (facts.overlaps) parts.push(`began while ${facts.overlaps} was open on this lane`);
  if (facts.error) parts.push(facts.error);
  return parts.join(', ');
}
