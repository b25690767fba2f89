import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { healthy, withFindings, withoutFindings } from './fixedFindings.mjs';
import { LiveRun, SLOTS } from './liveRun.mjs';
import { endedSpans, nowS, spanStart } from './otlp.mjs';
import { eventually, sample, Server } from './server.mjs';

let server;
let browser;
const RUN = 'math/run 1';
const address = (run, rest = 'live') => `${server.url}/#/${encodeURIComponent(run)}/${rest}`;
/** Where no findings are to be had the board says itself what is overdue. */
const OLDER_SERVER = { prepare: withoutFindings, expected: /404/ };
const number = async (page, name) => {
  const text = await page.getByRole('group', { name, exact: true }).locator('[data-value]').innerText();
  return Number(text.replaceAll(',', ''));
};

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  await server.import(sample('xtuner/run1'), '--run', RUN);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('the board shows the numbers that the API gives', async () => {
  const page = await openPage(browser, address(RUN), OLDER_SERVER);
  const live = await server.get(`runs/${encodeURIComponent(RUN)}/live`, { limit: 1000 });
  const s = live.session_summary;
  await page.getByText('Open at the end').waitFor();
  assert.equal(await number(page, 'Running'), s.running);
  assert.equal(await number(page, 'Finished'), s.completed + s.accepted + s.rejected);
  assert.equal(await number(page, 'Failed'), s.failed);
  assert.equal(await number(page, 'Lost'), s.lost);
  // Rows in the order of the API, the worst in the headline.
  const first = live.rows[0];
  await page.locator(`h1 [title="${first.session}"]`).waitFor();
  await page.getByRole('table', { name: 'Open now' }).getByRole('row').nth(1).locator(`[title="${first.session}"]`).waitFor();
  for (const [stage, n] of Object.entries(live.task_summary.current_stage_counts)) {
    const entry = page.getByRole('listitem').filter({ hasText: stage }).first();
    assert.match(await entry.innerText(), new RegExp(`${n.toLocaleString('en-US')}$`));
  }
  await page.getByText('Past run', { exact: true }).waitFor();
  await shoot(page, 'live-import');
  assert.deepEqual(page.faults, []);
});

test('a span that starts is there within two seconds, and floats to the top when it hangs', async () => {
  const run = 'fresh';
  const usual = Array.from({ length: 30 }, (_, i) => ({
    name: 'engine.generate',
    startS: nowS() - 100 + i,
    endS: nowS() - 99 + i,
    'rl.run.id': run,
    'rl.session.id': `done-${i}`,
  }));
  await server.send('traces', endedSpans(usual));
  const page = await openPage(browser, address(run), OLDER_SERVER);
  await page.getByText('Nothing is running.').waitFor();
  await server.send('logs', spanStart({ name: 'engine.generate', 'rl.run.id': run, 'rl.session.id': 'late-comer' }));
  await page.getByRole('table', { name: 'Open now' }).getByText('late-comer').waitFor();
  await page.getByRole('heading', { name: /late-comer is stuck in engine.generate/ }).waitFor();
  await page.getByRole('link', { name: /^Live 1$/ }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('hundreds of sessions at once are all on the board, also when others take their place', async () => {
  const run = new LiveRun(server, 'busy');
  const going = run.go();
  try {
    const page = await openPage(browser, address('busy'));
    await eventually(async () => assert.ok((await number(page, 'Finished')) >= SLOTS / 10));
    await eventually(async () => assert.equal(await number(page, 'Running'), SLOTS));
    await shoot(page, 'live');
    assert.deepEqual(page.faults, []);
  } finally {
    run.stop();
    await going;
  }
});

test('text of traces stays text', async () => {
  const evil = `<img src=x onerror=alert(1)></script><script>alert(2)</script>`;
  const run = `evil ${evil}`;
  await server.send('logs', spanStart({
    name: evil,
    'rl.run.id': run,
    'rl.session.id': `"'${evil}`,
    'rl.task.id': evil,
    'rl.batch.id': evil,
    resource: { 'rl.worker.role': evil },
  }));
  const page = await openPage(browser, server.url);
  await page.getByText(run).first().click();
  await page.getByRole('table', { name: 'Open now' }).getByText('<img').first().waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  await page.getByRole('table', { name: 'Open now' }).getByRole('row').nth(1).click();
  await eventually(() => assert.ok(page.url().includes('/session/'), page.url()));
  await page.reload();
  await eventually(async () => assert.match(await page.locator('main').innerText(), /<img src=x/));
  assert.deepEqual(page.faults, []);
});

test('keys go from view to view, links restore what was seen', async () => {
  const calm = withFindings(healthy(RUN, nowS()));
  const page = await openPage(browser, address(RUN, 'live?by=span&status=running'), { prepare: calm });
  await page.getByRole('table', { name: 'Open spans' }).waitFor();
  await page.getByRole('button', { name: 'Status running' }).waitFor();
  await page.keyboard.press('4');
  await eventually(() => assert.match(page.url(), /\/hotspots\?status=running$/));
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('table', { name: 'Open spans' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('table', { name: 'Open now' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await eventually(() => assert.match(page.url(), /\/session\//));
  assert.deepEqual(page.faults, []);
});

test('filters that nothing matches never read as a calm run', async () => {
  const page = await openPage(browser, `${address(RUN)}?worker=nobody`, OLDER_SERVER);
  await page.getByRole('heading', { name: 'No session matches these filters.' }).waitFor();
  await page.getByText(/some work among them is overdue/).waitFor();
  assert.equal(await number(page, 'Running'), 0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('heading', { name: /is stuck in/ }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('a run that the server does not know is said to be missing, in every view', async () => {
  for (const view of ['live', 'sessions']) {
    const missing = `${server.url}/#/nobodys-run/${view}`;
    const page = await openPage(browser, missing, { expected: /404/ });
    await page.getByText('This server has no run “nobodys-run”.').waitFor();
    assert.equal(await page.getByText('Disconnected').count(), 0);
    await page.getByRole('link', { name: 'See all runs' }).click();
    await page.getByRole('row').filter({ hasText: RUN }).waitFor();
    assert.deepEqual(page.faults, []);
  }
});

/** What is open, and once findings are there what is late by cause. */
const BOARD = /^(Open at the end|Late, by cause)$/;

test('the page survives a restart of the server and says so meanwhile', async () => {
  const page = await openPage(browser, address(RUN), { expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|503/ });
  await page.getByText(BOARD).waitFor();
  await server.restart(async () => {
    await page.getByText(/^Disconnected since/).waitFor();
    await page.getByText(/Showing the board as of/).waitFor();
    await shoot(page, 'disconnected');
  });
  await page.getByText(/^Disconnected since/).waitFor({ state: 'detached' });
  await page.getByText(BOARD).waitFor();
  assert.deepEqual(page.faults, []);
});
