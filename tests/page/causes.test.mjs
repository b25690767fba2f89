import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { endedSpans, newSpanId, newTraceId, nowS, startedSpans } from './otlp.mjs';
import { ROOT, Server } from './server.mjs';

// Findings as the server makes them; what the page does with each form of them is tested with fixed ones (findings.test.mjs).
const RUN = 'grpo-math';
const SAMPLES = 4;
const TASKS_OF_A_STEP = 10;
const STEPS = 3;
const STEP_S = 60;
/** The first sample of the last task of the last step: its call began two minutes ago. */
const CAUSE = 'step3-task9-0';
const VICTIMS = [1, 2, 3].map((n) => `step3-task9-${n}`);
const HANGS_S = 120;
let server;
let browser;
let folder;

const address = (rest) => `${server.url}/#/${RUN}/${rest}`;
const open = (rest) => openPage(browser, address(rest));
const items = (page) => page.getByRole('list', { name: 'Open findings' }).getByRole('button');
const tab = (page) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Findings/ });
/** Units stand close to their figures. */
const plain = (text) => text.replaceAll(/\s+/g, ' ');
const WORDS = new RegExp(`^engine\\.generate of ${CAUSE} has been open for \\d+ min \\d\\d s on rollout:1; 79 others took`);

/** Steps of groups of samples, each of which generates and is judged; one call of the last group does not end. */
async function sendRun() {
  const beginS = nowS() - HANGS_S - (STEPS - 1) * STEP_S;
  const workers = Array.from({ length: SAMPLES }, () => ({ started: [], ended: [] }));
  for (let step = 1; step <= STEPS; step++) {
    for (let task = 0; task < TASKS_OF_A_STEP; task++) {
      for (let n = 0; n < SAMPLES; n++) {
        const session = `step${step}-task${task}-${n}`;
        const waits = VICTIMS.includes(session);
        const startS = beginS + (step - 1) * STEP_S;
        const base = {
          traceId: newTraceId(),
          'rl.run.id': RUN,
          'rl.session.id': session,
          'rl.task.id': `step${step}-task${task}`,
          'rl.train_step': step,
        };
        const whole = { ...base, name: 'rollout', 'rl.kind': 'session', spanId: newSpanId(), startS };
        const call = { ...base, name: 'engine.generate', parentId: whole.spanId, startS };
        const endS = startS + 3 + ((task * SAMPLES + n) % 9) / 4;
        const { started, ended } = workers[(n + 1) % SAMPLES];
        if (session === CAUSE || waits) started.push(whole);
        else ended.push({ ...whole, endS: endS + 0.5, 'rl.status': 'accepted' });
        if (session === CAUSE) started.push({ ...call, spanId: newSpanId() });
        else ended.push({ ...call, endS }, { ...call, name: 'judge', startS: endS, endS: endS + 0.5 });
      }
    }
  }
  for (const [rank, { started, ended }] of workers.entries()) {
    const resource = { 'service.name': 'trainer', 'rl.worker.role': 'rollout', 'rl.worker.rank': rank };
    if (started.length > 0) await server.send('logs', startedSpans(started, resource));
    await server.send('traces', endedSpans(ended, resource));
  }
}

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'rollscope-causes-'));
  await sendRun();
});
after(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test('Live begins with the call that hangs and says who waits; its siblings are no causes', async () => {
  const page = await open('live?scope=all');
  const heading = page.getByRole('heading', { level: 1 });
  await heading.locator(`[title="${CAUSE}"]`).waitFor();
  assert.match(plain(await heading.innerText()), WORDS);
  assert.match(plain(await page.locator('main dl').first().innerText()), /sessions wait 3$/);
  const rows = page.getByRole('table', { name: 'Causes' }).locator('[data-key]');
  assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.dataset.key)), [`hung_call/${CAUSE}/1`]);
  await shoot(page, 'causes-live');
  assert.deepEqual(page.faults, []);
});

test('the view lists it alone, with those who wait for it, and the badge counts it', async () => {
  const page = await open('findings');
  await items(page).first().waitFor();
  assert.deepEqual(await items(page).evaluateAll((all) => all.map((item) => item.dataset.key)), [`hung_call/${CAUSE}/1`]);
  assert.equal(plain(await tab(page).innerText()), 'Findings 1');
  const waits = page.getByRole('region', { name: 'Who waits' });
  await waits.getByText('3 sessions wait, of 1 task').waitFor();
  for (const session of VICTIMS) await waits.locator(`a[title="${session}"]`).waitFor();
  await shoot(page, 'causes');
  assert.deepEqual(page.faults, []);
});

test('one that waits says for whom and is not called stuck; the one to blame is named as the cause', async () => {
  const page = await open(`session/${VICTIMS[0]}`);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.locator(`a[title="${CAUSE}"]`).waitFor();
  assert.match(plain(await heading.innerText()), /waits for/);
  await page.getByText('Not to blame').waitFor();
  // A call of 3.25 s and its judge of 0.5 s; since then it waits.
  await page.locator('h1 + p').getByText('Its own work took 3.75 s.').waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /stuck/);
  await shoot(page, 'causes-victim');
  await page.goto(address(`session/${CAUSE}`));
  await page.getByText('Cause of a finding').waitFor();
  assert.deepEqual(page.faults, []);
});

test('a report of it has the same finding, as of when it was written', async () => {
  const file = join(folder, 'report.html');
  await promisify(execFile)(join(ROOT, 'rollscope'), ['report', server.url, '--run', RUN, '-o', file, '--quiet']);
  const page = await openPage(browser, `${pathToFileURL(file).href}#/${RUN}/findings`);
  await items(page).first().waitFor();
  assert.deepEqual(await items(page).evaluateAll((all) => all.map((item) => item.dataset.key)), [`hung_call/${CAUSE}/1`]);
  assert.equal(plain(await tab(page).innerText()), 'Findings 1');
  assert.deepEqual(page.faults, []);
});
