import type { Session, SpanLine } from '../../data/types';

/** A span as the waterfall draws it. Times are seconds from the start of the session. */
export type SpanRow = {
  index: number;
  span: SpanLine;
  /** Place in the address; the id where there is one. */
  key: string;
  from: number;
  to: number;
  /** When it was not inside a child: [from, to] pairs in order. */
  own: readonly (readonly [number, number])[];
  critical: boolean;
  container: boolean;
};

const CONTAINERS = new Set(['session', 'task', 'batch']);

export function spanRows({ start_s, spans }: Pick<Session, 'start_s' | 'spans'>): SpanRow[] {
  const parents = parentsOf(spans);
  const from = (i: number) => spans[i]!.start_s - start_s;
  const to = (i: number) => from(i) + Math.max(0, spans[i]!.duration_s);
  const children = spans.map((): number[] => []);
  parents.forEach((parent, i) => {
    if (parent >= 0) children[parent]!.push(i);
  });
  const critical = criticalSpans(spans, parents);
  return spans.map((span, i) => ({
    index: i,
    span,
    key: span.span_id ?? String(i),
    from: from(i),
    to: to(i),
    own: without(
      from(i),
      to(i),
      children[i]!.map((c) => [from(c), to(c)] as const),
    ),
    critical: critical[i]!,
    container: isContainer(span),
  }));
}

export function isContainer(span: SpanLine): boolean {
  return CONTAINERS.has(span.kind ?? span.stage);
}

/** Spans come in drawing order, children below their parent and one deeper. */
export function parentsOf(spans: readonly { depth: number }[]): number[] {
  const path: number[] = [];
  return spans.map(({ depth }, i) => {
    path.length = Math.min(path.length, depth);
    const parent = path.length > 0 ? path[path.length - 1]! : -1;
    path[depth] = i;
    return parent;
  });
}

/** Told by the source; else a span that had time of its own, and everything above it. */
function criticalSpans(spans: readonly SpanLine[], parents: readonly number[]): boolean[] {
  const critical = spans.map((s) => s.critical ?? s.self_s > 0);
  for (let i = spans.length - 1; i >= 0; i--)
    if (critical[i] && parents[i]! >= 0) critical[parents[i]!] = true;
  return critical;
}

/** What is left of an interval without others that may overlap. */
export function without(
  from: number,
  to: number,
  taken: readonly (readonly [number, number])[],
): [number, number][] {
  const left: [number, number][] = [];
  let at = from;
  for (const [a, b] of [...taken].sort((x, y) => x[0] - y[0])) {
    if (a > at) left.push([at, Math.min(a, to)]);
    at = Math.max(at, b);
    if (at >= to) break;
  }
  if (at < to) left.push([at, to]);
  return left;
}
