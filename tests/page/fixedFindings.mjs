// FIXED ANSWERS. What `GET /api/v1/runs/{run}/findings` would answer, for states that no detector produces yet. Each test
// that uses them says so; what real detectors find in real spans is tested end to end elsewhere.

const ROUTE = /\/api\/v1\/runs\/[^/]+\/findings(\?|$)/;

/** Answers with this report, or with what the function says each time. */
export const withFindings = (report) => (page) =>
  page.route(ROUTE, (route) => {
    const answer = typeof report === 'function' ? report() : report;
    return answer.status === undefined ? route.fulfill({ json: answer }) : route.fulfill(answer);
  });

const REFUSED = { code: 'not_found', message: 'path: findings (expected: one of this server)' };

/** As a server from before there were findings. */
export const withoutFindings = withFindings({ status: 404, json: { error: REFUSED } });

/** A server that cannot tell at the moment. */
export const FAILED = { status: 500, json: { error: { code: 'internal', message: 'the findings broke' } } };

const COVERAGE = { groups: true, parents: true, beats: true, tokens: false, engine_metrics: false, steps: 3 };
const NOT_JUDGED = [
  { kind: 'stale_data', why: 'the run gives no limit for the policy lag' },
  { kind: 'saturated_engine', why: 'no metrics of engines are scraped' },
];

const OVER = (n) => `Nothing needs attention now. ${n} findings are over.`;

function report(run, asOfS, findings, change = {}) {
  const open = findings.filter((f) => f.state === 'open');
  return {
    source: 'server',
    run,
    scope: 'all',
    as_of_s: asOfS,
    healthy: open.length === 0,
    sentence: open[0]?.sentence ?? (findings.length === 0 ? 'Nothing needs attention.' : OVER(findings.length)),
    coverage: COVERAGE,
    findings,
    not_judged: NOT_JUDGED,
    other_runs: [],
    skipped_lines: { count: 0, examples: [] },
    ...change,
  };
}

/** A hung call, a slow worker, a failing judge; before them a process died and came back, and a sync stalled. */
export function incident({ run, asOfS, cause, victims, stage = 'engine.generate' }) {
  const at = (minutesAgo) => asOfS - 60 * minutesAgo;
  const hung = {
    id: `hung_call/${cause}/1`,
    kind: 'hung_call',
    state: 'open',
    subject: { type: 'session', id: cause },
    stage,
    steps: [3],
    since_s: at(3.8),
    until_s: null,
    cost: { wall_s: 190, slot_s: 11_400, model_error: 0.005 },
    confidence: 0.97,
    sentence: `${cause} hangs in ${stage} for 3 m 48 s. The engine answers others and its process is alive, so this call hangs.`,
    evidence: [
      { what: 'Age of the call', value: 228, usual: 38, unit: 's', link: cause },
      { what: 'Other calls answered per minute', value: 61, usual: 64, unit: 'calls', link: stage },
      { what: 'Last beat of its process', value: 0.9, usual: 1, unit: 's', link: null },
    ],
    victims: { sessions: victims.length + 2, tasks: 1, examples: victims },
    advice: 'Cancel or retry the call: the engine is well. A time-out of 60 s on these calls would have ended it.',
    replaces: [],
  };
  const slow = {
    id: 'slow_worker/rollout:5/1',
    kind: 'slow_worker',
    state: 'open',
    subject: { type: 'worker', id: 'rollout:5' },
    stage,
    steps: [2, 3],
    since_s: at(7),
    until_s: null,
    cost: { wall_s: 126, slot_s: 8340, model_error: 0.005 },
    confidence: 0.94,
    sentence: 'Worker rollout:5 takes 2.8 × as long per token as the others.',
    evidence: [{ what: 'Time per token', value: 0.0704, usual: 0.0251, unit: 's/token', link: 'rollout:5' }],
    victims: { sessions: 9, tasks: 9, examples: [] },
    advice: 'Look at the clocks and the neighbours of its GPU.',
    replaces: [`hung_call/${cause}/0`],
  };
  const failing = {
    id: 'failing_service/judger/1',
    kind: 'failing_service',
    state: 'open',
    subject: { type: 'stage', id: 'judger' },
    stage: 'judger',
    steps: [3],
    since_s: at(4.5),
    until_s: null,
    cost: { wall_s: null, slot_s: null, model_error: null },
    confidence: 0.91,
    sentence: '19 % of judger calls time out, usually 0.6 %.',
    evidence: [{ what: 'Share of calls that fail', value: 0.19, usual: 0.006, unit: 'share', link: 'judger' }],
    victims: { sessions: 68, tasks: 20, examples: [] },
    advice: 'Look at the judge from then on.',
    replaces: [],
  };
  const back = {
    ...slow,
    id: 'dead_process/agent:3/1',
    kind: 'dead_process',
    state: 'closed',
    subject: { type: 'process', id: 'agent:3' },
    stage: null,
    steps: [1, 2],
    since_s: at(9),
    until_s: at(8.5),
    cost: { wall_s: 44, slot_s: 600, model_error: 0.005 },
    sentence: 'Process agent:3 died and came back after 30 s; 34 sessions of steps 1 and 2 are lost.',
    evidence: [],
    victims: { sessions: 34, tasks: 12, examples: victims.slice(0, 1) },
    replaces: [],
  };
  const stall = {
    ...slow,
    id: 'global_stall/run/1',
    kind: 'global_stall',
    state: 'closed',
    subject: { type: 'run', id: run },
    stage: null,
    steps: [2],
    since_s: at(6),
    until_s: at(5.3),
    cost: { wall_s: 34, slot_s: 500, model_error: 0.005 },
    sentence: 'Everything stood still for 43 s while the trainer was in update_weights, usually 9 s.',
    evidence: [{ what: 'Weight sync', value: 43, usual: 9, unit: 's', link: null }],
    victims: { sessions: 24, tasks: 6, examples: [] },
    replaces: [],
  };
  return report(run, asOfS, [hung, slow, failing, back, stall]);
}

/** The same run once all of it is over. */
export function recovered(before) {
  const over = before.findings.map((f) => ({ ...f, state: 'closed', until_s: f.until_s ?? before.as_of_s - 30 }));
  return report(before.run, before.as_of_s, over);
}

export const healthy = (run, asOfS) => report(run, asOfS, []);
