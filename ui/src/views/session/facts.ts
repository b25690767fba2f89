import type { Session } from '../../data/types';

/** What attributes tell of a session (names: contracts.md 3.16), over all its spans. */
export type Facts = {
  tokensIn: number | null;
  tokensOut: number | null;
  reward: string | null;
  policy: { first: string; last: string } | null;
  turns: string | null;
  counters: readonly (readonly [string, string])[];
};

const TOKENS_IN = ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'];
const TOKENS_OUT = ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'];
const COUNTER = /^(?:areal|rl)\.counters?\.(.+)$/;

/** What the samples of a session's group have in common, in words: some sources name no task. */
export function groupName(task: string | null): string {
  return task === null ? 'its group' : `task ${task}`;
}

export function factsOf(session: Session): Facts {
  const bags = [session.attributes, ...session.spans.map((s) => s.attributes ?? {})];
  const counters = Object.entries(session.attributes).flatMap(([key, value]) => {
    const match = COUNTER.exec(key);
    return match ? [[match[1]!, value] as const] : [];
  });
  return {
    tokensIn: tokens(session, TOKENS_IN),
    tokensOut: tokens(session, TOKENS_OUT),
    reward: first(bags, 'rl.reward.score'),
    policy: policyOf(bags),
    turns: counters.find(([name]) => name === 'turns')?.[1] ?? null,
    counters,
  };
}

/** The sum over its spans. A span whose parent tells tokens too is part of the parent's count. */
function tokens(session: Session, names: readonly string[]): number | null {
  const of = (attributes: Record<string, string> | undefined) => {
    const value = names.map((n) => attributes?.[n]).find((v) => v !== undefined);
    return value === undefined || Number.isNaN(Number(value)) ? null : Number(value);
  };
  let sum: number | null = null;
  let counted = Number.POSITIVE_INFINITY;
  for (const span of session.spans) {
    if (span.depth <= counted) counted = Number.POSITIVE_INFINITY;
    const n = of(span.attributes);
    if (n === null || span.depth > counted) continue;
    sum = (sum ?? 0) + n;
    counted = span.depth;
  }
  return sum ?? of(session.attributes);
}

function first(bags: readonly Record<string, string>[], key: string): string | null {
  return bags.find((bag) => bag[key] !== undefined)?.[key] ?? null;
}

function policyOf(bags: readonly Record<string, string>[]): Facts['policy'] {
  const all = (key: string) => bags.map((b) => b[key]).filter((v) => v !== undefined);
  const firsts = all('rl.policy.version.first');
  const lasts = all('rl.policy.version.last');
  if (firsts.length === 0 && lasts.length === 0) return null;
  const order = (values: readonly string[]) => [...values].sort((a, b) => Number(a) - Number(b));
  return {
    first: order(firsts.length > 0 ? firsts : lasts)[0]!,
    last: order(lasts.length > 0 ? lasts : firsts).at(-1)!,
  };
}
