import { describe, expect, test } from 'vitest';
import type { Finding, Findings } from '../../data/findingTypes';
import type { Batch } from '../../data/types';
import { formatAddress } from '../../route/address';
import {
  chosenOf,
  evidenceValue,
  headAndRest,
  isOutOfLine,
  judgedWords,
  linkOf,
  markOf,
  partsOf,
  stagesOf,
  stretchOf,
  subjectRoute,
  timelineRoute,
  unjudgedOf,
  valuesOf,
  victimWords,
} from './findings';
import { placed, stepMarks, tickMarks } from './historyAxis';

function finding(id: string, change: Partial<Finding> = {}): Finding {
  return {
    id,
    kind: 'hung_call',
    state: 'open',
    subject: { type: 'session', id: 's-1' },
    stage: 'judge',
    steps: [4],
    since_s: 1000,
    until_s: null,
    cost: { wall_s: 190, slot_s: 11_400, model_error: 0.005 },
    confidence: 0.97,
    sentence: 's-1 hangs in judge for 3 m 48 s. The judge answers others.',
    evidence: [],
    victims: { sessions: 0, tasks: 0, examples: [] },
    advice: '',
    replaces: [],
    ...change,
  };
}

const CLOSED: Partial<Finding> = { state: 'closed', until_s: 1500 };

describe('the list', () => {
  const all = [
    finding('hung', { since_s: 2284 }),
    finding('back', { ...CLOSED, kind: 'dead_process', since_s: 770, steps: [1, 2, 3] }),
    finding('slow', { kind: 'slow_worker', since_s: 1450, steps: [3, 4] }),
    finding('failing', { kind: 'failing_service', since_s: 1680 }),
  ];
  const ids = (findings: Finding[]) => findings.map((f) => f.id);

  test('open ones come first, in the order they are told in', () => {
    expect(ids(chosenOf(all, { sort: 'cost' }))).toEqual(['hung', 'slow', 'failing', 'back']);
  });

  test('or the newest first, the open ones still before the closed', () => {
    expect(ids(chosenOf(all, { sort: 'newest' }))).toEqual(['hung', 'failing', 'slow', 'back']);
  });

  test('step, kind and state choose', () => {
    expect(ids(chosenOf(all, { sort: 'cost', step: '3' }))).toEqual(['slow', 'back']);
    expect(ids(chosenOf(all, { sort: 'cost', kind: 'dead_process' }))).toEqual(['back']);
    expect(ids(chosenOf(all, { sort: 'cost', state: 'closed', step: '4' }))).toEqual([]);
  });

  test('what can be chosen is counted, steps as numbers', () => {
    const more = [...all, finding('late', { steps: [10] })];
    expect(valuesOf(more, (f) => f.steps)).toEqual([
      { value: '1', note: '1 finding' },
      { value: '2', note: '1 finding' },
      { value: '3', note: '2 findings' },
      { value: '4', note: '3 findings' },
      { value: '10', note: '1 finding' },
    ]);
  });
});

describe('words', () => {
  test('the first sentence is the headline; a decimal point or a rank ends none', () => {
    expect(headAndRest('s-1 hangs in judge for 3.8 s. The judge answers others. It is alive.')).toEqual({
      head: 's-1 hangs in judge for 3.8 s',
      rest: 'The judge answers others. It is alive.',
    });
    expect(headAndRest('Engine rank 5 is 2.8 × slower per token')).toEqual({
      head: 'Engine rank 5 is 2.8 × slower per token',
      rest: '',
    });
    expect(headAndRest('judge of s-1 took 5 m, at most 38 s. 3 siblings wait for it.')).toEqual({
      head: 'judge of s-1 took 5 m, at most 38 s',
      rest: '3 siblings wait for it.',
    });
    expect(headAndRest('')).toEqual({ head: '', rest: '' });
  });

  test('victims wait, are hit or are affected, by what happened; one and many agree', () => {
    const of = (sessions: number, kind: string, more: Partial<Finding> = {}) =>
      victimWords(finding('f', { kind, victims: { sessions, tasks: 1, examples: [] }, ...more }));
    expect(of(5, 'hung_call')).toBe('5 sessions wait');
    expect(of(1, 'hung_call')).toBe('1 session waits');
    expect(of(68, 'failing_service')).toBe('68 sessions are hit');
    expect(of(34, 'dead_process', CLOSED)).toBe('34 sessions were affected');
    expect(of(1, 'slow_sync', CLOSED)).toBe('1 session waited');
  });

  test('a death stays a dashed ring when its process is back, other closed ones are over', () => {
    const marks = [
      finding('a'),
      finding('b', { kind: 'failing_service' }),
      finding('c', { kind: 'dead_process' }),
      finding('d', { kind: 'dead_process', ...CLOSED }),
      finding('e', CLOSED),
    ].map(markOf);
    expect(marks).toEqual(['overdue', 'error', 'lost', 'lost', 'completed']);
  });

  test('what could not be judged is told by kind, with each reason', () => {
    const of = (...not_judged: Findings['not_judged']) => ({ not_judged }) as Findings;
    const some = of(
      { kind: 'hung_call', why: 'a' },
      { kind: 'data_loss', why: 'b' },
      { kind: 'hung_call', why: 'c' },
    );
    expect(unjudgedOf(some)).toEqual([
      ['hung_call', ['a', 'c']],
      ['data_loss', ['b']],
    ]);
    expect(judgedWords(some)).toBe('2 of 19 kinds of findings could not be judged in full.');
    expect(judgedWords(of())).toBe('All 19 kinds of findings were judged.');
    expect(judgedWords(of({ kind: 'all', why: 'x' }))).toBe(
      'None of 19 kinds of findings could be judged in full.',
    );
  });

  test('evidence is out of line above its usual, and far below it', () => {
    const of = (value: number, usual: number | null) =>
      isOutOfLine({ what: '', value, usual, unit: null, link: null });
    expect([of(2, 1), of(0, 61), of(61, 64), of(1, 1), of(5, null)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('values of evidence have the form of their unit', () => {
    expect(evidenceValue(228, 's')).toBe('3 m 48 s');
    expect(evidenceValue(0.0704, 's/token')).toBe('70.4 ms per token');
    expect(evidenceValue(0.19, 'share')).toBe('19.0 %');
    expect(evidenceValue(6, 'calls')).toBe('6 calls');
    expect(evidenceValue(1, 'sessions')).toBe('1 session');
    expect(evidenceValue(12_500, 'records')).toBe('12,500 records');
    expect(evidenceValue(61, null)).toBe('61');
  });
});

describe('links', () => {
  const address = (route: ReturnType<typeof subjectRoute>) => route && formatAddress(route);

  test('the one to blame opens where such things are shown', () => {
    const to = (type: Finding['subject']['type'], id: string) =>
      address(subjectRoute('r', finding('f', { subject: { type, id } })));
    expect(to('session', 'lcb:1043')).toBe('#/r/session/lcb:1043');
    expect(to('worker', 'engine:5')).toBe('#/r/sessions?scope=all&worker=engine:5');
    expect(to('process', 'agent:3')).toBe('#/r/sessions?scope=all&worker=agent:3');
    expect(to('stage', 'judge')).toBe('#/r/hotspots?scope=all&stage=judge');
    expect(to('task', 'gsm8k')).toBe('#/r/sessions?scope=all&q=gsm8k');
    expect(to('step', '4')).toBe('#/r/steps');
    expect(to('host', 'gpu-1')).toBeNull();
    expect(to('run', 'r')).toBeNull();
  });

  test('evidence leads to a stage when it names one, to the one to blame, or to a session', () => {
    const worker = finding('f', { subject: { type: 'worker', id: 'engine:5' } });
    const report = { findings: [worker] } as Findings;
    const stages = stagesOf(report, [{ stages: { generate: 1 } } as unknown as Batch]);
    const to = (link: string) => address(linkOf('r', worker, link, stages));
    expect(to('judge')).toBe('#/r/hotspots?scope=all&stage=judge');
    expect(to('generate')).toBe('#/r/hotspots?scope=all&stage=generate');
    expect(to('engine:5')).toBe('#/r/sessions?scope=all&worker=engine:5');
    expect(to('lcb:1044')).toBe('#/r/session/lcb:1044');
  });

  test('the timeline shows when it was, with room around; an open one up to now', () => {
    const session = finding('f', { since_s: 1000 });
    expect(timelineRoute('r', session, 1200).params).toEqual({ scope: 'all', t: '980..1220', q: 's-1' });
    const worker = finding('f', { ...CLOSED, subject: { type: 'worker', id: 'engine:5' } });
    expect(timelineRoute('r', worker, 9000).params).toEqual({
      scope: 'all',
      t: '950..1550',
      worker: 'engine:5',
      lanes: 'worker',
    });
  });
});

test('the stretch of its steps is known when all of them are; they may run side by side', () => {
  const batch = (train_step: number, start_s: number, end_s: number) =>
    ({ train_step, start_s, end_s }) as Batch;
  const batches = [batch(2, 100, 400), batch(3, 300, 900), batch(4, 900, 1000)];
  expect(stretchOf(finding('f', { steps: [2, 3] }), batches)).toBe(800);
  expect(stretchOf(finding('f', { steps: [1, 2] }), batches)).toBeNull();
  expect(stretchOf(finding('f', { steps: [] }), batches)).toBeNull();
});

describe('a session and its findings', () => {
  const hung = finding('hung', { victims: { sessions: 5, tasks: 1, examples: ['s-2'] } });
  const before = finding('before', {
    ...CLOSED,
    victims: { sessions: 1, tasks: 1, examples: ['s-2', 's-1'] },
  });
  const parts = (session: string, waitsFor: string[] = []) =>
    partsOf([before, hung], session, waitsFor).map((p) => `${p.as} ${p.finding.id}`);

  test('the cause is a cause, the examples are victims, open ones first', () => {
    expect(parts('s-1')).toEqual(['cause hung', 'cause before']);
    expect(parts('s-2')).toEqual(['victim hung', 'victim before']);
    expect(parts('s-9')).toEqual([]);
  });

  test('one that waits for its group is a victim of the cause in it, also when it is no example', () => {
    expect(parts('s-3', ['s-1', 's-2'])).toEqual(['victim hung']);
    expect(parts('s-3', ['s-2'])).toEqual([]);
  });
});

describe('the history', () => {
  const rows = [finding('a', { since_s: 1_794_725_000 })];

  test('begins a little before the first finding and ends now', () => {
    const window = placed(rows, 1_794_726_000);
    expect([window.from, window.to]).toEqual([1_794_724_920, 1_794_726_000]);
    expect(window.share(1_794_725_460)).toBeCloseTo(0.5);
    expect(window.share(0)).toBe(0);
  });

  test('steps that began in it are marked, those without a number are not', () => {
    const batch = (train_step: number | null, start_s: number) => ({ train_step, start_s }) as Batch;
    const window = placed(rows, 1_794_726_000);
    const batches = [batch(5, 1_794_725_460), batch(1, 1_794_724_000), batch(null, 1_794_725_500)];
    expect(stepMarks(batches, window)).toEqual([{ label: 'step 5', left: '50.000%' }]);
  });

  test('ticks are round, and on a clock without a date they are distances', () => {
    const window = placed([finding('a', { since_s: 1000 })], 1500);
    expect(tickMarks(window).map((t) => t.label)[0]).toMatch(/^\+/);
    const seconds = tickMarks(placed(rows, 1_794_725_300)).map((t) => t.label);
    expect(seconds.length).toBeGreaterThan(2);
    for (const label of seconds) expect(label).toMatch(/^\d\d:\d\d:[0-5]0$/);
  });
});
