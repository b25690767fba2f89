import { afterEach, expect, test, vi } from 'vitest';
import { pauseMs } from '../backoff';
import { SourceError } from '../source';
import { Http, withParameters } from './http';

const signal = new AbortController().signal;

function answers(...responses: (Response | Error)[]) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => {
    const next = responses.shift()!;
    if (next instanceof Error) throw next;
    return next;
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

test('an unchanged answer is the same object, so that nothing re-renders', async () => {
  const fetched = answers(
    new Response('{"a":1}', { headers: { ETag: '"x"' } }),
    new Response(null, { status: 304 }),
  );
  const http = new Http(() => {});
  const first = await http.get('/p', { q: 'b c' }, signal);
  expect(await http.get('/p', { q: 'b c' }, signal)).toBe(first);
  expect(fetched.mock.calls[1]![1].headers).toEqual({ 'If-None-Match': '"x"' });
});

test("a refusal carries the server's words", async () => {
  answers(
    new Response('{"error":{"code":"bad_request","message":"limit: 0 (expected: 1 to 1000)"}}', {
      status: 400,
    }),
  );
  const refused = new Http(() => {}).get('/p', {}, signal);
  await expect(refused).rejects.toThrow('limit: 0 (expected: 1 to 1000)');
  await expect(refused).rejects.toMatchObject({ status: 400, transient: false });
});

test('a proxy that answers with a page is understood too', async () => {
  answers(new Response('<html>502</html>', { status: 502 }));
  await expect(new Http(() => {}).get('/p', {}, signal)).rejects.toMatchObject({
    status: 502,
    transient: true,
  });
});

test('no answer at all says so', async () => {
  answers(new TypeError('Failed to fetch'));
  const failed = new Http(() => {}).get('/p', {}, signal);
  await expect(failed).rejects.toThrow('the server does not answer');
  await expect(failed).rejects.toBeInstanceOf(SourceError);
});

test('401 asks for the token', async () => {
  answers(new Response('{}', { status: 401 }));
  const locked = vi.fn();
  await expect(new Http(locked).get('/p', {}, signal)).rejects.toMatchObject({ status: 401 });
  expect(locked).toHaveBeenCalledOnce();
});

test('parameters that are not set are not sent', () => {
  expect(withParameters('/p', { q: '', scope: undefined, batch: 'train_step=1/x', limit: 5 })).toBe(
    '/p?batch=train_step%3D1%2Fx&limit=5',
  );
});

test('a list is a parameter that is repeated', () => {
  expect(withParameters('/p', { name: ['a b', 'c&d'], by: [], axis: 'step' })).toBe(
    '/p?name=a+b&name=c%26d&axis=step',
  );
});

test('pauses grow and end at 15 s', () => {
  expect([1, 2, 3, 4, 5, 50].map(pauseMs)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
});
