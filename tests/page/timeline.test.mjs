import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { eventually, sample, Server } from './server.mjs';

let server;
let browser;
const RUN = 'math/run 1';
const api = (rest) => `runs/${encodeURIComponent(RUN)}/${rest}`;
const address = (rest = '') => `${server.url}/#/${encodeURIComponent(RUN)}/timeline?scope=all${rest}`;
const lanes = (page) => page.getByRole('img', { name: /.+/ }).and(page.locator('canvas'));
/** Parameters of the address, once the page has stopped moving. */
const parameters = (page) => new URLSearchParams(new URL(page.url()).hash.split('?')[1] ?? '');

async function open(rest = '') {
  const page = await openPage(browser, address(rest));
  await page.getByText('Everything in scope').waitFor();
  return page;
}

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  await server.import(sample('xtuner/run1'), '--run', RUN);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('spans, lanes and stages are those of the API', async () => {
  const page = await open();
  const timeline = await server.get(api('timeline'), { scope: 'all', budget: 200000 });
  const spans = timeline.lane.length.toLocaleString('en-US');
  await page.getByText(`${spans} spans`, { exact: true }).waitFor();
  await page.getByText(`${timeline.lanes.length} sessions`, { exact: true }).waitFor();
  const table = page.getByRole('region', { name: 'In sight' }).getByRole('table');
  for (const [place, stage] of timeline.stages.entries()) {
    const count = timeline.stage.filter((s) => s === place).length.toLocaleString('en-US');
    const numbers = table.locator('tbody', { hasText: stage }).first().getByRole('row').nth(1).getByRole('cell');
    await eventually(async () => assert.equal(await numbers.nth(1).innerText(), count));
  }
  await shoot(page, 'timeline');
  assert.deepEqual(page.faults, []);
});

test('the keyboard zooms, fits, goes from lane to lane, pins and opens', async () => {
  const page = await open();
  await lanes(page).hover();
  await page.keyboard.press('w');
  await eventually(async () => assert.match(parameters(page).get('t') ?? '', /^[\d.]+\.\.[\d.]+$/));
  await page.keyboard.press('f');
  await eventually(async () => assert.equal(parameters(page).get('t'), null));
  await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.ok(parameters(page).get('span')));
  const first = parameters(page).get('span');
  await page.keyboard.press('.');
  await eventually(async () => assert.notEqual(parameters(page).get('span'), first));
  // What is selected is said in words, too.
  await eventually(async () => assert.match(await lanes(page).getAttribute('aria-label'), / of .+ (ok|error|open for) /));
  await page.keyboard.press('p');
  await eventually(async () => assert.ok(parameters(page).get('pin')));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(page.url(), /\/session\//));
  assert.deepEqual(page.faults, []);
});

test('the search dims the others and jumps from match to match', async () => {
  const page = await open();
  const timeline = await server.get(api('timeline'), { scope: 'all', budget: 200000 });
  const place = timeline.stages.indexOf('judger');
  const judged = timeline.stage.filter((s) => s === place).length;
  await page.keyboard.press('/');
  await page.keyboard.type('judger');
  await page.getByText(judged.toLocaleString('en-US'), { exact: true }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Selected span' }).getByText('judger', { exact: true }).first().waitFor();
  assert.equal(parameters(page).get('find'), 'judger');
  assert.deepEqual(page.faults, []);
});

test('an area is selected on the axis, zoomed to, and restored by its link', async () => {
  const page = await open();
  const box = await lanes(page).boundingBox();
  const axis = box.y - 12;
  await page.mouse.move(box.x + 400, axis);
  await page.mouse.down();
  await page.mouse.move(box.x + 600, axis, { steps: 4 });
  await page.mouse.up();
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.waitFor();
  await page.keyboard.press('z');
  await eventually(async () => assert.ok(parameters(page).get('t')));
  const link = page.url();
  const sentence = await selection.locator('p').first().innerText();
  const other = await openPage(browser, link);
  const restored = other.getByRole('region', { name: 'Selection' });
  await eventually(async () => assert.equal(await restored.locator('p').first().innerText(), sentence));
  await other.keyboard.press('Escape');
  await other.getByRole('region', { name: 'In sight' }).waitFor();
  assert.deepEqual([...page.faults, ...other.faults], []);
});

test('workers are lanes, too; what a run does not have is said', async () => {
  const page = await open('&lanes=worker');
  const workers = await server.get(api('timeline'), { scope: 'all', by: 'worker', budget: 200000 });
  await page.getByText(`${workers.lanes.length} workers`, { exact: true }).waitFor();
  await shoot(page, 'timeline-workers');
  await page.getByRole('button', { name: 'State', exact: true }).click();
  await page.getByText('This run reports no state lanes.').waitFor();
  await page.goto(address('&axis=start&depth=all'));
  await page.getByText('Everything in scope').waitFor();
  await shoot(page, 'timeline-from-start');
  assert.deepEqual(page.faults, []);
});
