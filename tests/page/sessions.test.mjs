import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { endedSpans, newSpanId, newTraceId, nowS, stackOf, startedSpans } from './otlp.mjs';
import { eventually, sample, Server } from './server.mjs';

let server;
let browser;
const RUN = 'math/run 1';
const AREAL = 'search';
const address = (run, rest) => `${server.url}/#/${encodeURIComponent(run)}/${rest}`;
const ask = (run, path, parameters) => server.get(`runs/${encodeURIComponent(run)}/${path}`, parameters);
const table = (page) => page.getByRole('table', { name: 'Sessions' });
const rowCount = async (page) => Number(await table(page).getAttribute('aria-rowcount'));
const UNFINISHED = ['queued', 'running', 'lost'];

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  await server.import(sample('xtuner/run1'), '--run', RUN);
  await server.import(sample('areal/current'), '--run', AREAL);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('the page shows the numbers that the API gives', async () => {
  const { statuses, metrics, total } = await ask(RUN, 'sessions', { scope: 'all', limit: 1 });
  const page = await openPage(browser, address(RUN, 'sessions?scope=all'));
  await table(page).waitFor();
  assert.equal(await rowCount(page), total);
  const breakdown = page.getByRole('region', { name: 'Status and reason' });
  for (const [status, n] of Object.entries(statuses)) {
    assert.match(await breakdown.getByRole('button', { name: status }).innerText(), new RegExp(`\\b${n}\\b`));
  }
  await shoot(page, 'sessions');
  await page.getByRole('button', { name: 'Numbers' }).click();
  for (const [name, m] of [['work', metrics.work_s], ['to verdict', metrics.total_s]]) {
    const line = page.getByRole('row').filter({ hasText: new RegExp(`^${name}`) });
    const exact = await line.locator('[title]').evaluateAll((all) => all.map((e) => Number.parseFloat(e.title)));
    [m.mean, m.min, m.p25, m.p50, m.p75, m.p90, m.p95, m.p99, m.max].forEach((value, i) => {
      assert.ok(Math.abs(exact[i] - value) < 1e-6, `${name}: ${exact[i]} is not ${value}`);
    });
  }
  await page.getByRole('cell', { name: 'engine.generate' }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('without a scope the newest step and all unfinished sessions are listed, as in every view', async () => {
  const page = await openPage(browser, address(RUN, 'sessions'));
  await table(page).waitFor();
  const { total } = await ask(RUN, 'sessions', { scope: 'active', limit: 1 });
  await eventually(async () => assert.equal(await rowCount(page), total));
  assert.deepEqual(page.faults, []);
});

test('a click on a status filters the table, and the address restores it', async () => {
  const page = await openPage(browser, address(RUN, 'sessions?scope=all'));
  const { statuses } = await ask(RUN, 'sessions', { scope: 'all', limit: 1 });
  await page.getByRole('button', { name: 'failed' }).first().click();
  await eventually(async () => assert.equal(await rowCount(page), statuses.failed));
  // The other statuses are still there to choose.
  await page.getByRole('button', { name: 'rejected' }).first().waitFor();
  await table(page).getByRole('button', { name: 'Session' }).click();
  await eventually(() => assert.match(page.url(), /status=failed.*sort=session/));
  const again = await openPage(browser, page.url());
  await eventually(async () => assert.equal(await rowCount(again), statuses.failed));
  const { rows } = await ask(RUN, 'sessions', { scope: 'all', status: 'failed', limit: 1000 });
  const order = new Intl.Collator('en', { numeric: true });
  const first = rows.map((r) => r.session).sort(order.compare)[0];
  await table(again).getByRole('row').nth(1).locator(`[title="${first}"]`).waitFor();
  assert.deepEqual([...page.faults, ...again.faults], []);
});

test('a drag in the scatter selects what lies inside, and the other parts follow', async () => {
  const page = await openPage(browser, address(RUN, 'sessions?scope=all'));
  await table(page).waitFor();
  const box = await page.getByLabel(/^Work by finish\./).boundingBox();
  await page.mouse.move(box.x + 60, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.55, { steps: 4 });
  await page.mouse.up();
  await eventually(() => assert.match(page.url(), /[?&]t=.*&total=/));
  const range = (key) => new URLSearchParams(page.url().split('?')[1]).get(key).split('..').map(Number);
  const c = await ask(RUN, 'sessions', { scope: 'all', as: 'columns' });
  const [from, to] = range('t');
  const [low, high] = range('total');
  const inside = c.session.filter((_, i) => {
    const end = c.start_s[i] + c.work_s[i];
    const ended = !UNFINISHED.includes(c.statuses[c.status[i]]);
    return ended && end >= from && end <= to && c.work_s[i] >= low && c.work_s[i] <= high;
  });
  assert.ok(inside.length > 0 && inside.length < c.session.length, `${inside.length}`);
  await eventually(async () => assert.equal(await rowCount(page), inside.length));
  const note = await page.getByRole('region', { name: 'Status and reason' }).innerText();
  assert.match(note, new RegExp(`\\b${inside.length} session`));
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await eventually(async () => assert.equal(await rowCount(page), c.session.length));
  assert.deepEqual(page.faults, []);
});

test('a batch size finds the steps of AReaL’s rule; lifecycle and distributions are there', async () => {
  const { steps } = await ask(AREAL, 'sessions', { scope: 'all', limit: 1, batch_size: 64 });
  const page = await openPage(browser, address(AREAL, 'sessions?scope=all&show=distributions'));
  await page.getByText('These sessions name no step.').waitFor();
  await page.getByLabel('Batch size').fill('64');
  const boxes = page.getByRole('region', { name: 'work by step' });
  for (const { step } of steps) await boxes.getByText(`step ${step}`, { exact: true }).waitFor();
  await boxes.getByText('step 0', { exact: true }).click();
  await eventually(() => assert.match(page.url(), /step=0/));
  await page.getByText(`${steps[0].sessions} of `).waitFor();
  await shoot(page, 'sessions-distributions');
  await page.getByRole('button', { name: 'Lifecycle' }).click();
  await page.getByLabel(/sessions as bars/).waitFor();
  await shoot(page, 'sessions-lifecycle');
  assert.deepEqual(page.faults, []);
});

test('J chooses, Enter opens; in the session J chooses spans, Esc goes back', async () => {
  const page = await openPage(browser, address(RUN, 'sessions?scope=all'));
  const { session, work_s } = await ask(RUN, 'sessions', { scope: 'all', as: 'columns' });
  const longest = session[work_s.indexOf(Math.max(...work_s))];
  await table(page).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await eventually(() => assert.ok(page.url().includes(`/session/${longest}`), page.url()));
  await page.getByRole('tree', { name: 'Spans' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('.');
  await page.locator('[role=treeitem][aria-selected=true]').nth(0).waitFor();
  assert.match(page.url(), /[?&]span=/);
  await page.keyboard.press('Escape');
  await eventually(() => assert.doesNotMatch(page.url(), /[?&]span=/));
  await page.keyboard.press('Escape');
  await eventually(() => assert.match(page.url(), /\/sessions/));
  assert.deepEqual(page.faults, []);
});

test('one session is explained: sentence, accounts, spans, samples of its task', async () => {
  const { rows } = await ask(AREAL, 'sessions', { scope: 'all', status: 'accepted', sort: '-wall', limit: 1 });
  const session = await ask(AREAL, `sessions/${encodeURIComponent(rows[0].session)}`);
  const page = await openPage(browser, address(AREAL, `session/${encodeURIComponent(session.session)}`));
  await page.getByRole('heading', { level: 1 }).getByText('was accepted after').waitFor();
  assert.equal(await page.getByRole('treeitem').count(), session.spans.length);
  for (const { stage } of session.stages) await page.getByRole('listitem').filter({ hasText: stage }).waitFor();
  await page.getByText('sum', { exact: false }).getByText('100.0 %').waitFor();
  for (const sibling of session.siblings) await page.locator(`a[title="${sibling.session}"]`).waitFor();
  await shoot(page, 'session');
  await page.getByRole('button', { name: 'Raw JSON' }).click();
  assert.equal(JSON.parse(await page.locator('pre').innerText()).session, session.session);
  const chrome = await page.getByRole('link', { name: 'Chrome trace' }).getAttribute('href');
  const trace = await (await fetch(new URL(chrome, server.url))).json();
  assert.ok(trace.traceEvents.some((e) => e.name === 'generate'), 'the trace has its spans');
  assert.deepEqual(page.faults, []);
});

test('a session that hangs says so first', async () => {
  const page = await openPage(browser, address(RUN, 'session/dapo_math:125'));
  await page.getByRole('heading', { level: 1 }).getByText('is stuck in engine.generate').waitFor();
  await shoot(page, 'session-stuck');
  assert.deepEqual(page.faults, []);
});

test('text from traces is text, and long ids are shortened but whole', async () => {
  const run = 'hostile';
  const evil = '<img src=x onerror=alert(1)></script><!--"\'';
  const id = `gsm8k:${'128359023220305088203938867296456589360'}`;
  const traceId = newTraceId();
  const common = { traceId, 'rl.run.id': run, 'rl.session.id': id, 'rl.task.id': evil, 'rl.reason': evil, 'rl.status': 'failed' };
  const startS = nowS() - 60;
  await server.send(
    'traces',
    endedSpans([
      { ...common, name: 'session', 'rl.kind': 'session', spanId: newSpanId(), startS, endS: startS + 9, [evil]: evil },
      { ...common, name: evil, 'rl.stage': evil, spanId: newSpanId(), startS, endS: startS + 5 },
    ]),
  );
  const page = await openPage(browser, address(run, 'sessions'));
  await table(page).locator(`a[title="${id}"]`).getByText('gsm8k:1283…9360').click();
  await page.getByRole('tree', { name: 'Spans' }).waitFor();
  await page.getByRole('treeitem').last().click();
  await page.getByText(evil).first().waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(page.faults, []);
});

test('a session that is not there says so', async () => {
  const page = await openPage(browser, address(RUN, 'session/nobody'), { expected: /404/ });
  await page.getByText('This run has no session “nobody”.').waitFor();
  await page.getByRole('link', { name: 'See all sessions' }).click();
  await table(page).waitFor();
});

test('a stuck span says where it waits, with all frames behind one click', async () => {
  const run = 'stuck';
  const resource = { 'rl.run.id': run, 'service.instance.id': 'i-1', 'rl.worker.role': 'rollout', 'rl.worker.rank': 3 };
  const traceId = newTraceId();
  const [root, tool] = [newSpanId(), newSpanId()];
  const identity = { traceId, 'rl.session.id': 's-1' };
  await server.send(
    'logs',
    startedSpans(
      [
        { ...identity, spanId: root, name: 'session', startS: nowS() - 90, 'rl.kind': 'session' },
        { ...identity, spanId: tool, parentId: root, name: 'tool', startS: nowS() - 80 },
      ],
      resource,
    ),
  );
  const frames = [
    'SSLSocket.read /usr/lib/python3.11/ssl.py:1166',
    'post /opt/venv/lib/python3.11/site-packages/requests/api.py:115',
    '<img/src=x/onerror=document.title="hacked"> /home/u/tool.py:88',
  ];
  await server.send('logs', stackOf({ traceId, spanId: tool, atS: nowS() - 40, frames }, resource));
  const says = 'waiting in requests.post → ssl.SSLSocket.read, tool.py:88';
  await eventually(async () => {
    const { spans } = await ask(run, 'sessions/s-1');
    assert.deepEqual(spans.map((s) => s.stack?.summary ?? null), [null, says]);
    assert.deepEqual(spans[1].stack.frames, frames);
  });
  const page = await openPage(browser, address(run, 'session/s-1'));
  const row = page.getByRole('treeitem').filter({ hasText: 'tool' });
  await row.getByText(says).waitFor();
  assert.match(await row.innerText(), /stack of .+ ago/);
  assert.equal(await page.getByRole('treeitem').filter({ hasText: 'stack of' }).count(), 1);
  const [upper, lower] = await Promise.all([0, 1].map((i) => page.getByRole('treeitem').nth(i).boundingBox()));
  assert.ok(lower.y >= upper.y + upper.height - 1, 'rows do not overlap');
  assert.ok(lower.height > 1.5 * upper.height, 'the row has a second line');
  await row.click();
  const all = page.locator('details').filter({ hasText: 'requests.post' });
  await all.getByText('post /opt/venv/lib/python3.11/site-packages/requests/api.py:115').waitFor();
  await shoot(page, 'session-stack');
  await all.locator('summary').click();
  await all.locator('pre').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.notEqual(await page.title(), 'hacked');
  assert.deepEqual(page.faults, []);
});
