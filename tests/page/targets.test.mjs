import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { eventually, Server } from './server.mjs';

let server;
let browser;
let engine;
const EVIL = `<img src=x onerror=alert(1)>`;
const rows = (page) => page.getByRole('table', { name: 'Targets' }).locator('[data-key]');
const row = (page, target) => rows(page).filter({ hasText: target });

/** A metrics page as vLLM has one; what it counts goes up with every reading. */
function openEngine() {
  let reads = 0;
  const page = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(`# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{model_name="m"} ${++reads}\n`);
  });
  return new Promise((done) => page.listen(0, '127.0.0.1', () => done(page)));
}

async function add(target) {
  const answer = await fetch(`${server.url}/api/v1/targets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(target),
  });
  assert.equal(answer.status, 200, await answer.text());
}

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  engine = await openEngine();
});
after(async () => {
  engine?.closeAllConnections();
  engine?.close();
  await browser?.close();
  await server?.close();
});

test('without targets the page says how to add one, then they appear: down ones first, with the reason', async () => {
  const page = await openPage(browser, `${server.url}/#targets`);
  await page.getByText('The server reads metrics from nowhere yet.').waitFor();
  await page.getByText('rollscope targets add HOST:8000').first().waitFor();
  await shoot(page, 'targets-empty');
  const good = `127.0.0.1:${engine.address().port}`;
  await add({ target: good, job: 'vllm', run: 'engines', labels: { replica: '0' }, interval_s: 1, timeout_s: 1 });
  // Nothing listens there.
  await add({ target: '127.0.0.1:1', job: 'sglang', labels: { note: EVIL }, interval_s: 1, timeout_s: 1 });
  await row(page, good).getByText('up', { exact: true }).waitFor();
  await row(page, '127.0.0.1:1').getByText('down', { exact: true }).waitFor();
  await eventually(async () => assert.match(await rows(page).first().innerText(), /127\.0\.0\.1:1\b/));
  const { targets } = await server.get('targets');
  const down = targets.find((t) => t.up === false);
  await row(page, '127.0.0.1:1').getByText(down.error).waitFor();
  await row(page, '127.0.0.1:1').getByText(`note=${EVIL}`).waitFor();
  await page.getByText('1 of 2 targets is down').waitFor();
  const text = await row(page, good).innerText();
  for (const value of ['vllm', 'engines', 'replica=0', '1']) assert.ok(text.includes(value), text);
  await shoot(page, 'targets');
  assert.equal(await page.locator('main img').count(), 0);
  assert.deepEqual(page.faults, []);
});

test('runs lead to the targets, a target to the charts of its run, and those back', async () => {
  await eventually(async () => assert.ok((await server.get('runs')).runs.some((r) => r.run === 'engines')));
  const page = await openPage(browser, server.url);
  await page.getByRole('link', { name: 'Targets' }).click();
  await eventually(() => assert.ok(page.url().endsWith('#targets'), page.url()));
  await page.getByRole('link', { name: 'engines' }).click();
  await page.getByRole('region', { name: 'vllm:num_requests_running' }).waitFor();
  await page.getByRole('link', { name: 'Targets' }).click();
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Job' }).click();
  await eventually(() => assert.match(page.url(), /#targets\?sort=job$/));
  await eventually(async () => assert.match(await rows(page).first().innerText(), /sglang/));
  await page.keyboard.press('Escape');
  await page.getByRole('table', { name: 'Runs' }).waitFor();
  assert.deepEqual(page.faults, []);
});
