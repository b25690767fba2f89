import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { eventually, sample, Server } from './server.mjs';

const RUN = 'math/run 1';
let server;
let browser;
const address = (rest = '', run = RUN) => `${server.url}/#/${encodeURIComponent(run)}/steps${rest}`;
const rows = (page) => page.getByRole('table', { name: 'Steps' }).locator('[data-key]');
const keys = (page) => rows(page).evaluateAll((all) => all.map((row) => row.dataset.key));

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  await server.import(sample('xtuner/run1'), '--run', RUN);
  await server.import(sample('areal/current'), '--run', 'search');
  await server.import(sample('areal/old'), '--run', 'old');
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const batches = async () => (await server.get(`runs/${encodeURIComponent(RUN)}/batches`)).batches;

test('there is a row for each batch, with the numbers that the API gives', async () => {
  const page = await openPage(browser, address());
  await rows(page).first().waitFor();
  const all = await batches();
  const newestFirst = [...all].sort((a, b) => b.start_s - a.start_s);
  assert.deepEqual(await keys(page), newestFirst.map((b) => b.batch));
  for (const b of all) {
    const text = await rows(page).filter({ has: page.locator(`[title="${b.batch}"]`) }).innerText();
    const { completed = 0, accepted = 0, rejected = 0, failed = 0, running = 0, queued = 0 } = b.statuses;
    for (const n of [b.train_step, b.sessions, completed + accepted, rejected, failed, running + queued]) {
      assert.match(text.replaceAll('\n', ' '), new RegExp(`(^|\\s)${n}(\\s|$)`), `${b.batch}: ${n} in ${text}`);
    }
  }
  assert.deepEqual(page.faults, []);
});

test('a step is explained in words and names its stragglers', async () => {
  const first = (await batches()).find((b) => b.train_step === 1);
  const page = await openPage(browser, address(`?step=${first.batch}`));
  const pane = page.getByRole('complementary', { name: 'Step 1' });
  await pane.getByText(/^Step 1 took 5.m.09.s; there is no other finished step/).waitFor();
  await pane.getByText(`of ${first.slots} slots were idle`).waitFor();
  for (const s of first.stragglers) await pane.locator(`a[title="${s.session}"]`).waitFor();
  await pane.getByText(/spent .* of its .* in /).waitFor();
  await pane.getByRole('img', { name: /by stage over its time, at most \d+ at once/ }).waitFor();
  await shoot(page, 'steps');
  assert.deepEqual(page.faults, []);
});

test('J and K go from step to step, Enter opens the timeline of one', async () => {
  const [newest, before_] = (await batches()).sort((a, b) => b.start_s - a.start_s);
  const page = await openPage(browser, address(`?step=${newest.batch}`));
  await rows(page).first().waitFor();
  await page.keyboard.press('j');
  await eventually(() => assert.ok(decodeURIComponent(page.url()).endsWith(`step=${before_.batch}`), page.url()));
  await page.getByRole('complementary', { name: `Step ${before_.train_step}` }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('complementary', { name: `Step ${newest.train_step}` }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(() => assert.ok(page.url().endsWith(`/timeline?batch=${newest.batch}`), page.url()));
  assert.deepEqual(page.faults, []);
});

test('the order is in the address; a click selects and does not leave', async () => {
  const page = await openPage(browser, address('?sort=step'));
  await rows(page).first().waitFor();
  const oldestFirst = (await batches()).sort((a, b) => a.start_s - b.start_s).map((b) => b.batch);
  assert.deepEqual(await keys(page), oldestFirst);
  await page.getByRole('button', { name: 'Wall' }).click();
  await eventually(() => assert.match(page.url(), /sort=-wall/));
  await rows(page).last().click();
  await eventually(() => assert.match(page.url(), /steps\?sort=-wall&step=/));
  assert.deepEqual(page.faults, []);
});

test("the steps of AReaL's trainer, which sessions do not name, are rows as in the terminal", async () => {
  const page = await openPage(browser, address('', 'search'));
  await rows(page).first().waitFor();
  assert.deepEqual(await keys(page), ['train_step=2', 'train_step=1', 'train_step=0']);
  const sessions = { 'train_step=0': 252, 'train_step=1': 288, 'train_step=2': 260 };
  for (const [batch, count] of Object.entries(sessions)) {
    const text = await rows(page).filter({ has: page.locator(`[title="${batch}"]`) }).innerText();
    assert.match(text.replaceAll('\n', ' '), new RegExp(`(^|\\s)${count}(\\s|$)`), text);
  }
  assert.deepEqual(page.faults, []);
});

test('a run without steps says how to name them', async () => {
  const page = await openPage(browser, address('', 'old'));
  await page.getByText('This run names no steps.').waitFor();
  await page.getByText('rl.train_step').waitFor();
  assert.deepEqual(page.faults, []);
});
