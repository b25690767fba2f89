import { expect, test } from 'vitest';
import { formatAddress, HOME, parseAddress, type Route } from './address';

test.each([
  { view: 'live', run: 'run1', session: null, params: {} },
  {
    view: 'timeline',
    run: 'gsm8k/trial 1',
    session: null,
    params: { batch: 'train_step=3/model_step=2', t: '312..600' },
  },
  { view: 'session', run: 'größe 数学', session: 'a/b c?d#e&f=g%h', params: { span: 'x' } },
  { view: 'hotspots', run: '..', session: null, params: { q: 'a=b&c', over: '25s', odd: '100%' } },
  { view: 'session', run: 'run1', session: '<img src=x onerror=alert(1)>', params: {} },
  { view: 'runs', run: null, session: null, params: { q: 'gsm' } },
  { view: 'targets', run: null, session: null, params: { sort: '-job' } },
  { view: 'live', run: 'targets', session: null, params: {} },
] as Route[])('an address restores what it was made of: %o', (route) => {
  expect(parseAddress(formatAddress(route))).toEqual(route);
});

test('links stay readable', () => {
  const address = formatAddress({
    view: 'timeline',
    run: 'run1',
    session: null,
    params: { batch: 'train_step=3', t: '312..600', pin: 'dapo_math:124', q: '' },
  });
  expect(address).toBe('#/run1/timeline?batch=train_step=3&t=312..600&pin=dapo_math:124');
});

test('an address that says nothing is the list of runs, an unknown view is the live board', () => {
  expect(parseAddress('')).toEqual(HOME);
  expect(parseAddress('#/')).toEqual(HOME);
  expect(parseAddress('#/run1')).toMatchObject({ run: 'run1', view: 'live' });
  expect(parseAddress('#/run1/nonsense')).toMatchObject({ run: 'run1', view: 'live' });
  expect(parseAddress('#/run1/session')).toMatchObject({ run: 'run1', view: 'live', session: null });
});

test('a link cut in the middle of an escape still opens', () => {
  expect(parseAddress('#/run%2')).toMatchObject({ run: 'run%2', view: 'live' });
});

test('a lone surrogate does not break the address', () => {
  expect(formatAddress({ ...HOME, view: 'live', run: 'a\ud800' })).toContain('#/a');
});
