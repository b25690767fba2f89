import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openBrowser, shoot } from './browser.mjs';
import { eventually, ROOT, sample, Server } from './server.mjs';

const execute = promisify(execFile);
const VIEWS = ['live', 'timeline', 'hotspots', 'sessions', 'steps'];
let browser;
let folder;

before(async () => {
  browser = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'rollscope-report-'));
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function rollscope(...words) {
  const { stdout } = await execute(join(ROOT, 'rollscope'), words, { maxBuffer: 1 << 28 });
  return stdout;
}

const json = async (...words) => JSON.parse(await rollscope(...words, '--format', 'json'));

async function report(source, ...options) {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.html`);
  await rollscope('report', source, '-o', file, '--quiet', ...options);
  return pathToFileURL(file).href;
}

/** A page that is cut off from everything; whatever it asks for but itself is a fault, as is any complaint. */
async function open(url, address = '') {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true });
  const page = await context.newPage();
  page.faults = [];
  page.on('console', (message) => page.faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.faults.push(`exception: ${error.stack}`));
  page.on('dialog', (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const own = request.url().startsWith('data:font/') || request.url().split('#')[0] === url;
    if (!own) page.faults.push(`request: ${request.url()}`);
  });
  await page.goto(url + address);
  await page.locator('header').first().waitFor();
  return page;
}

const goTo = (page, run, place) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${encodeURIComponent(run)}/${place}`);

const number = (n) => n.toLocaleString('en-US');

/** The page says these, all of them. */
async function says(page, ...texts) {
  await eventually(async () => {
    const text = await page.locator('main').innerText();
    for (const t of texts) assert.ok(text.includes(t), `“${t}” in ${text}`);
  });
}

for (const [name, scope] of [
  ['xtuner/run1', 'latest'],
  ['xtuner/main-otlp', 'all'],
  ['areal/current', 'all'],
  ['areal/old', 'all'],
]) {
  test(`a report of ${name} opens from a disk, in every view, and says what the command line says`, async () => {
    const source = sample(name);
    const url = await report(source);
    const hotspots = await json('hotspots', source, '--scope', scope);
    const sessions = await json('sessions', source, '--scope', scope);
    const page = await open(url);
    await says(page, number(hotspots.session_count));
    for (const stage of hotspots.stage_stats.filter((s) => s.kind === 'phase')) {
      const row = page.getByRole('row').filter({ hasText: stage.stage }).first();
      await eventually(async () => {
        const text = await row.innerText();
        for (const n of [stage.count, stage.open_count, stage.error_count]) {
          assert.ok(text.split(/\s+/).includes(number(n)), `${stage.stage}: ${n} in ${text}`);
        }
      });
    }
    // A report holds no metrics.
    assert.equal(await page.getByRole('link', { name: 'Charts' }).count(), 0);
    await page.getByRole('link', { name: 'Open at the end' }).click();
    await says(page, number(sessions.statuses.running ?? 0));
    for (const view of VIEWS) {
      await goTo(page, hotspots.run, view);
      await page.locator('main').waitFor();
      await shoot(page, `report-${name.replace('/', '-')}-${view}`);
    }
    await goTo(page, hotspots.run, 'sessions');
    await says(page, ...Object.values(sessions.statuses).map(number));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test('every session opens, with and without details, and its time is that of the command line', async () => {
  const source = sample('xtuner/run1');
  const page = await open(await report(source, '--scope', 'all'));
  const { rows } = await json('live', source, '--scope', 'all', '--once', '--now', '1781000880');
  // The slowest have details; of 576 sessions some have none.
  for (const { session } of [rows[0], ...rows.slice(-40).filter((_, i) => i % 13 === 0)]) {
    const told = await json('session', source, session);
    await goTo(page, 'run1', `session/${encodeURIComponent(session)}`);
    await says(page, told.status, ...told.stages.slice(0, 2).map((s) => s.stage));
  }
  await shoot(page, 'report-session');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('filters are applied in the browser, and the address restores them', async () => {
  const source = sample('xtuner/run1');
  const url = await report(source, '--scope', 'all');
  const { batches } = await json('sessions', source, '--scope', 'all');
  const { batch, sessions } = batches[1];
  const page = await open(url, `#/run1/hotspots?batch=${encodeURIComponent(batch)}`);
  await says(page, number(sessions));
  const byBatch = await json('hotspots', source, '--batch', batch);
  for (const stage of byBatch.stage_stats.slice(0, 3)) await says(page, stage.stage, number(stage.count));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('text of a trace stays text, in the page and in its title', async () => {
  const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- "\' \u2028';
  const run = join(folder, `<b onclick=alert(3)> & ' run`);
  await mkdir(run);
  const event = (stage, at, more) =>
    JSON.stringify({ trace_id: evil, stage, timestamp_s: 1781000000.5 + at, task_name: evil, train_step: 1, ...more });
  const lines = [
    event('xtuner.judger.judge.start', 0, { status: 'generating' }),
    event('xtuner.judger.judge.error', 5, { status: 'failed', error_msg: evil }),
    event(`${evil}.start`, 6, { status: 'generating' }),
  ];
  await writeFile(join(run, 'producer_trace_1.jsonl'), `${lines.join('\n')}\n`);
  const page = await open(await report(run));
  const name = `<b onclick=alert(3)> & ' run`;
  assert.ok((await page.title()).startsWith(name), await page.title());
  for (const place of [...VIEWS, `session/${encodeURIComponent(evil)}`]) {
    await goTo(page, name, place);
    await says(page, 'script');
  }
  assert.equal(await page.locator('main img, main script, main b[onclick]').count(), 0);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a report that was cut off on its way says so', async () => {
  const file = join(folder, 'cut.html');
  const whole = await rollscope('report', sample('xtuner/run1'), '-o', '-', '--quiet');
  await writeFile(file, whole.replace(/(id="rollscope-report">.{2000})[^<]*/, '$1'));
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.getByText('This report cannot be read.').waitFor();
  await page.close();
});

test('a report of a server says what the server says', async () => {
  const server = await Server.start();
  try {
    await server.import(sample('xtuner/run1'));
    const hotspots = await server.get('runs/run1/hotspots', { scope: 'all' });
    const page = await open(await report(server.url, '--run', 'run1'));
    await says(page, number(hotspots.session_count), number(hotspots.span_count));
    for (const view of VIEWS) {
      await goTo(page, 'run1', view);
      await page.locator('main').waitFor();
    }
    await goTo(page, 'run1', 'timeline');
    await says(page, number(hotspots.span_count));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  } finally {
    await server.close();
  }
});
