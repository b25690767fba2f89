import type { Session } from '../../data/types';

/** What attributes tell of a session beside reward and tokens (contracts.md 3.16), over all its spans. */
export type Facts = {
  policy: { first: string; last: string } | null;
  turns: string | null;
  counters: readonly (readonly [string, string])[];
};

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
    policy: policyOf(bags),
    turns: counters.find(([name]) => name === 'turns')?.[1] ?? null,
    counters,
  };
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
