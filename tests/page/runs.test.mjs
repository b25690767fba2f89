import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { eventually, sample, Server } from './server.mjs';

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('a first visit shows how to send data, then the first run appears by itself', async () => {
  const page = await openPage(browser, server.url);
  await page.getByText('No runs yet.').waitFor();
  for (const text of [`OTEL_EXPORTER_OTLP_ENDPOINT=${server.url}`, 'rollscope watch', 'rollscope demo']) {
    await page.getByText(text).first().waitFor();
  }
  await shoot(page, 'first-visit');
  await server.import(sample('xtuner/run1'), '--run', 'math/run 1');
  await page.getByRole('row', { name: /math\/run 1/ }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('the list says what the API says, and finds by name', async () => {
  await server.import(sample('areal/current'), '--run', 'search');
  const { runs } = await server.get('runs');
  const page = await openPage(browser, server.url);
  for (const run of runs) {
    const row = page.getByRole('row', { name: new RegExp(run.run) });
    await row.waitFor();
    const text = await row.innerText();
    for (const value of [run.state, run.sessions, run.batches]) {
      assert.ok(text.includes(value.toLocaleString('en-US')), `${run.run}: ${value} in ${text}`);
    }
  }
  await shoot(page, 'runs');
  await page.keyboard.press('/');
  await page.keyboard.type('sear');
  await eventually(async () => assert.equal(await page.getByRole('row').count(), 2)); // and the head
  assert.ok(page.url().endsWith('#/?q=sear'), page.url());
  await page.getByRole('row', { name: /search/ }).click();
  await eventually(() => assert.ok(page.url().includes('#/search/live'), page.url()));
  assert.deepEqual(page.faults, []);
});
