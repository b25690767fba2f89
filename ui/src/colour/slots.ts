// Which colour a stage has. The same stage has the same colour in every run, filter, order and theme.

/** Slot 1 to 8, and whether it is the second shade of its family. */
export type Slot = { slot: number; second: boolean };

const SLOT_COUNT = 8;

/** (a) Known stages. */
const KNOWN: Record<string, readonly [slot: number, second?: 'second']> = {
  'engine.generate': [1],
  generate: [1],
  'rollout.worker.generate': [1],
  'engine.decode': [1, 'second'],
  'rollout.generate': [2],
  'engine.prefill': [2],
  'sandbox.start': [2],
  'rollout.controller.generate': [2],
  'rollout_worker.generate': [2, 'second'],
  'engine.queue': [2, 'second'],
  judger: [3],
  'judger.run': [3],
  judge: [3],
  reward: [3, 'second'],
  'judge.llm': [3, 'second'],
  toolcall: [4],
  'sandbox.exec': [4, 'second'],
  'producer.generate': [5],
  sampler: [5, 'second'],
  update_weights: [6],
  weight_sync: [6],
  train: [6, 'second'],
  'agent_loop.generate_group': [7],
  'agent.run': [7],
  'single_turn_agent_loop.run': [7],
  'agent_loop.generate_sample': [7, 'second'],
  'producer.put': [8],
  transfer: [8],
};

/** (b) Families by keyword, first match. */
const KEYWORDS: readonly (readonly [RegExp, number])[] = [
  [/tool|sandbox|env/i, 4],
  [/judge|reward|verif|score/i, 3],
  [/weight|sync|train|logp|optim/i, 6],
  [/put|buffer|transfer|filter|replay/i, 8],
  [/agent|turn|workflow|episode|loop/i, 7],
  [/sampl|produc|data|prompt/i, 5],
  [/prefill|queue|dispatch|schedul|submit/i, 2],
  [/generat|decod|infer|rollout/i, 1],
];

/** Colours of the stages of one run; remembers those that only order of appearance decides. */
export class StageSlots {
  private readonly seen = new Map<string, Slot>();

  of(stage: string): Slot {
    let slot = this.seen.get(stage);
    if (!slot) {
      slot = known(stage) ?? this.free(stage);
      this.seen.set(stage, slot);
    }
    return slot;
  }

  /** (c) By the stage's name, over the slots this run does not use yet. */
  private free(stage: string): Slot {
    const used = new Set([...this.seen.values()].map((s) => s.slot));
    let open = Array.from({ length: SLOT_COUNT }, (_, i) => i + 1).filter((s) => !used.has(s));
    const second = open.length === 0;
    if (second) open = Array.from({ length: SLOT_COUNT }, (_, i) => i + 1);
    return { slot: open[fnv1a(stage) % open.length]!, second };
  }
}

function known(stage: string): Slot | undefined {
  const entry = Object.hasOwn(KNOWN, stage) ? KNOWN[stage] : undefined;
  if (entry) return { slot: entry[0], second: entry[1] === 'second' };
  const family = KEYWORDS.find(([pattern]) => pattern.test(stage));
  // Stages of one family, such as the many of a trainer, take both shades.
  return family && { slot: family[1], second: fnv1a(stage) % 2 === 1 };
}

/** 32-bit FNV-1a over UTF-8. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

const RUNS_REMEMBERED = 100;
const runs = new Map<string, StageSlots>();

export function slotsOfRun(run: string): StageSlots {
  let slots = runs.get(run);
  if (!slots) {
    if (runs.size >= RUNS_REMEMBERED) runs.delete(runs.keys().next().value!);
    slots = new StageSlots();
    runs.set(run, slots);
  }
  return slots;
}
