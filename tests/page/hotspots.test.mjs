import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { eventually, sample, Server } from './server.mjs';

const RUN = 'math/run 1';
// The only step of the sample in which nothing is open: its numbers stand still.
const BATCH = 'train_step=1/model_step=0/producer_future_step=2';
let server;
let browser;
const api = (path, more = {}) => server.get(`runs/${encodeURIComponent(RUN)}/${path}`, { batch: BATCH, ...more });
const address = (more = '') => `${server.url}/#/${encodeURIComponent(RUN)}/hotspots?batch=${BATCH}${more}`;
const stages = (page) => page.getByRole('table', { name: 'Stages' });
const shown = async (page) => {
  const rows = stages(page).locator('[data-key]');
  return rows.evaluateAll((all) => all.map((row) => ({ key: row.dataset.key, text: row.innerText })));
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

test('stages and waits show the numbers that the API gives and add up to 100 %', async () => {
  const page = await openPage(browser, address());
  const { stage_stats, session_count, waits } = await api('hotspots');
  await stages(page).locator('[data-key=sum]').waitFor();
  const rows = new Map((await shown(page)).map((r) => [r.key, r.text.split('\n').join(' ')]));
  assert.equal(rows.size, stage_stats.length + 4 + 1 + 1); // waits, sum, barrier
  for (const s of stage_stats) {
    const text = rows.get(`${s.kind} ${s.stage}`);
    for (const value of [s.stage, s.count, s.open_count, s.error_count]) {
      assert.match(text, new RegExp(`(^|\\s)${value}(\\s|$)`), `${s.stage}: ${value} in ${text}`);
    }
    if (s.share >= 0.001) assert.ok(text.includes(`${(s.share * 100).toFixed(1)} %`), text);
  }
  for (const wait of ['queue', 'gap', 'siblings', 'unaccounted', 'barrier']) assert.ok(rows.has(`wait ${wait}`), wait);
  assert.deepEqual([...rows.keys()].slice(-2), ['sum', 'wait barrier']);
  assert.match(rows.get('sum'), /100\.0 %/);
  await page.getByText(`in ${session_count} sessions; self times and waits add up to 100.0 %, the barrier comes after`).waitFor();
  const costliest = stage_stats.reduce((a, b) => (b.self_s > a.self_s ? b : a));
  const title =
    waits.siblings_s > costliest.self_s ? 'Sessions mostly wait for siblings' : `${costliest.stage} costs most`;
  assert.ok((await page.locator('h1').innerText()).startsWith(title));
  await shoot(page, 'hotspots');
  assert.deepEqual(page.faults, []);
});

test('the order is in the address and a link brings it back; a click filters by the stage', async () => {
  const page = await openPage(browser, address());
  await stages(page).getByRole('button', { name: 'p95' }).click();
  await eventually(() => assert.match(page.url(), /sort=-p95/));
  const again = await openPage(browser, page.url());
  const { stage_stats } = await api('hotspots');
  const byP95 = [...stage_stats].sort((a, b) => b.p95_s - a.p95_s).map((s) => `${s.kind} ${s.stage}`);
  await eventually(async () => {
    const keys = (await shown(again)).map((r) => r.key).filter((k) => k.startsWith('phase '));
    assert.deepEqual(keys, byP95);
  });
  await again.locator('[data-key="phase judger"]').click();
  await eventually(() => assert.match(again.url(), /stage=judger/));
  await again.locator('[data-key="phase judger"][aria-selected=true]').waitFor();
  assert.deepEqual([...page.faults, ...again.faults], []);
});

test('the icicle goes into stages and out of them with the keyboard', async () => {
  const page = await openPage(browser, address());
  const { nesting } = await api('hotspots', { detail: 'nesting,workers' });
  const inside = nesting.find((n) => n.parent === 0);
  const icicle = page.locator('canvas[aria-label^="Stages by nesting"]');
  await icicle.focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await eventually(async () => {
    assert.ok((await icicle.getAttribute('aria-label')).includes(`${inside.stage}, own time`));
  });
  await page.locator('[data-key="phase agent_loop.generate_group"][class*=marked]').waitFor();
  await page.keyboard.press('Enter');
  await eventually(() => assert.match(decodeURIComponent(page.url()), /inside=producer\.generate > agent_loop\.generate_group/));
  await page.getByText('inside agent_loop.generate_group').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => assert.match(page.url(), /inside=producer\.generate$/));
  assert.deepEqual(page.faults, []);
});

test('a slow worker is out of line, and comes first', async () => {
  const page = await openPage(browser, address());
  const { workers, stage_stats } = await api('hotspots', { detail: 'nesting,workers' });
  const ratio = (w) => w.p50_s / stage_stats.find((s) => s.stage === w.stage).p50_s;
  const slow = workers.filter((w) => w.count >= 20 && ratio(w) >= 1.5);
  const first = page.getByRole('table', { name: 'Workers against the fleet' }).locator('[data-key]').first();
  await first.waitFor();
  const text = await first.innerText();
  assert.ok(slow.length > 0, 'the sample has a slow worker');
  assert.ok(slow.some((w) => text.includes(w.worker)), text);
  await first.getByRole('img', { name: 'slow median' }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('errors are grouped by cause and lead to their sessions', async () => {
  const page = await openPage(browser, address());
  const { errors } = await api('errors', { limit: 100 });
  const causes = page.getByRole('region', { name: 'Errors by cause' }).getByRole('listitem');
  await eventually(async () => assert.equal(await causes.count(), errors.length));
  const [worst] = errors;
  const text = await causes.first().innerText();
  for (const value of [String(worst.count), worst.stage, worst.error]) assert.ok(text.includes(value), text);
  await causes.first().locator(`a[title="${worst.examples[1]}"]`).click();
  await eventually(() => assert.ok(page.url().includes(`/session/${encodeURIComponent(worst.examples[1]).replaceAll('%3A', ':')}`), page.url()));
  assert.deepEqual(page.faults, []);
});

test('filters that let nothing through say so and lead back', async () => {
  const page = await openPage(browser, address('&status=dropped'));
  await page.getByText('No work in view.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await stages(page).waitFor();
  assert.match(page.url(), /\/hotspots$/);
  assert.deepEqual(page.faults, []);
});
