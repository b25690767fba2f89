// A run that goes on for as long as it is watched: as many sessions at once as there are slots, from step to step.
import { setTimeout as pause } from 'node:timers/promises';
import { endedSpans, newSpanId, newTraceId, nowS, startedSpans } from './otlp.mjs';

export const SLOTS = 300;
const WORKERS = 4;
const STEP_S = 15;
const TICK_MS = 1000;
const STAGES = ['env.reset', 'engine.generate', 'tool.call', 'engine.generate', 'judge'];
/** Every so many sessions one is slow at everything, so that work is overdue at any time. */
const SLOW_EVERY = 60;
const SLOW_S = 15;

export class LiveRun {
  #begun = 0;
  #startS = nowS();
  #slots = [];
  #stopped = new AbortController();

  constructor(server, name) {
    this.server = server;
    this.name = name;
  }

  get step() {
    return 1 + Math.floor((nowS() - this.#startS) / STEP_S);
  }

  /** The session that began last. */
  get newest() {
    return sessionName(this.#begun - 1);
  }

  /** Sends what happens, once a second, until it is stopped. */
  async go() {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.#tick();
      await pause(TICK_MS - (Date.now() % TICK_MS), undefined, { signal }).catch(() => {});
    }
  }

  stop() {
    this.#stopped.abort();
  }

  async #tick() {
    const news = Array.from({ length: WORKERS }, () => ({ started: [], ended: [] }));
    for (let slot = 0; slot < SLOTS; slot++) this.#advance(slot, news[slot % WORKERS]);
    await Promise.all(news.map((sent, rank) => this.#send(sent, rank)));
  }

  async #send({ started, ended }, rank) {
    const resource = { 'service.name': 'soak', 'rl.worker.role': 'rollout', 'rl.worker.rank': rank };
    if (started.length > 0) await this.server.send('logs', startedSpans(started, resource));
    if (ended.length > 0) await this.server.send('traces', endedSpans(ended, resource));
  }

  #advance(slot, { started, ended }) {
    const now = nowS();
    const session = this.#slots[slot];
    if (session && now < session.untilS) return;
    if (session) {
      ended.push({ ...session.phase, endS: now });
      if (session.stages.length === 0) ended.push({ ...session.whole, endS: now, 'rl.status': session.verdict });
    }
    const going = session?.stages.length > 0 ? session : this.#begin(now, started);
    going.phase = { ...going.base, name: going.stages.shift(), parentId: going.whole.spanId, spanId: newSpanId(), startS: now };
    going.untilS = now + going.phaseS;
    started.push(going.phase);
    this.#slots[slot] = going;
  }

  #begin(now, started) {
    const n = this.#begun++;
    const base = {
      traceId: newTraceId(),
      'rl.run.id': this.name,
      'rl.session.id': sessionName(n),
      'rl.task.id': `task-${Math.floor(n / 8)}`,
      'rl.train_step': this.step,
    };
    const whole = { ...base, name: 'rollout', 'rl.kind': 'session', spanId: newSpanId(), startS: now };
    started.push(whole);
    return {
      base,
      whole,
      stages: [...STAGES],
      phaseS: n % SLOW_EVERY === 0 ? SLOW_S : 1 + (n % 5),
      verdict: n % 20 === 7 ? 'failed' : n % 3 === 0 ? 'rejected' : 'accepted',
    };
  }
}

const sessionName = (n) => `sample-${n}`;
