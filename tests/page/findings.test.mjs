import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { FAILED, healthy, incident, recovered, withFindings, withoutFindings } from './fixedFindings.mjs';
import { eventually, ROOT, sample, Server } from './server.mjs';

// Answers of the server about findings are FIXED ones (fixedFindings.mjs); sessions, steps, stages and the report are real.
const RUN = 'math/run 1';
let server;
let browser;
let fixed;
let cause;
let victims;

const address = (rest = 'findings') => `${server.url}/#/${encodeURIComponent(RUN)}/${rest}`;
const open = (rest, answers, options = {}) => openPage(browser, address(rest), { prepare: withFindings(answers), ...options });
const items = (page, state) => page.getByRole('list', { name: `${state} findings` }).getByRole('button');
const keys = (page, state) => items(page, state).evaluateAll((all) => all.map((item) => item.dataset.key));
const tab = (page) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Findings/ });
const detail = (page) => page.getByRole('region', { name: 'Finding', exact: true });
const number = (page, name) => page.getByRole('group', { name, exact: true }).locator('[data-value]').innerText();
/** Units stand close to their figures. */
const plain = (text) => text.replaceAll(/\s+/g, ' ').replaceAll(/(?<=\d)(?=[smh]\b)/g, ' ');

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  await server.import(sample('xtuner/run1'), '--run', RUN);
  const run = encodeURIComponent(RUN);
  const live = await server.get(`runs/${run}/live`, { scope: 'all', limit: 1000 });
  const waiting = live.rows.filter((r) => r.waits_for === 'siblings');
  for (const row of live.rows.filter((r) => r.suspect)) {
    const { siblings } = await server.get(`runs/${run}/sessions/${encodeURIComponent(row.session)}`);
    const group = new Set(siblings.map((s) => s.session));
    const waits = waiting.filter((r) => group.has(r.session)).map((r) => r.session);
    if (waits.length > (victims?.length ?? 0)) [cause, victims] = [row.session, waits];
  }
  assert.ok(victims?.length > 1, 'the sample has a session that two others wait for');
  fixed = incident({ run: RUN, asOfS: live.generated_at_s, cause, victims: victims.slice(0, -1) });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('causes are listed, open ones first in the order they are told in; the badge counts these, whatever is filtered', async () => {
  const page = await open('findings', fixed);
  await items(page, 'Open').first().waitFor();
  const ids = (state) => fixed.findings.filter((f) => f.state === state).map((f) => f.id);
  assert.deepEqual(await keys(page, 'Open'), ids('open'));
  assert.deepEqual(await keys(page, 'Closed'), ids('closed'));
  assert.equal(await tab(page).innerText().then(plain), 'Findings 3');
  const second = plain(await items(page, 'Open').nth(1).innerText());
  for (const text of ['2', '2.8 × as long', 'open', 'slow_worker', 'since ', '9 sessions wait', '2 m 06 s']) {
    assert.ok(second.includes(text), `${text} in ${second}`);
  }
  const died = plain(await items(page, 'Closed').first().innerText());
  for (const text of ['back', 'dead_process', ' to ', '44.0 s']) assert.ok(died.includes(text), `${text} in ${died}`);
  await shoot(page, 'findings');
  await page.goto(address('findings?state=closed&worker=nobody'));
  await items(page, 'Closed').first().waitFor();
  assert.equal(await items(page, 'Open').count(), 0);
  assert.equal(await tab(page).innerText().then(plain), 'Findings 3');
  assert.deepEqual(page.faults, []);
});

test('the first is explained: sentence, cost, evidence against its usual, who waits, advice, steps', async () => {
  const page = await open('findings', fixed);
  const heading = detail(page).getByRole('heading', { level: 1 });
  await heading.waitFor();
  assert.match(await heading.innerText(), /hangs in engine\.generate for 3\s?m\s?48\s?s$/);
  await heading.locator(`[title="${cause}"]`).waitFor();
  await detail(page).getByText('so this call hangs.').waitFor();
  assert.equal(plain(await number(page, 'Would save')), '3 m 10 s');
  assert.equal(plain(await number(page, 'Slot time')), '3 h 10 m');
  assert.equal(plain(await number(page, 'Model error')), '0.5 %');
  assert.equal(plain(await number(page, 'Confidence')), '97 %');
  const evidence = page.getByRole('region', { name: 'What shows it' });
  const tiles = (await evidence.getByRole('listitem').allInnerTexts()).map(plain);
  assert.equal(tiles.length, 3);
  assert.ok(tiles[0].startsWith('Age of the call 3 m 48 s usual 38.0 s'), tiles[0]);
  assert.ok(tiles[1].startsWith('Other calls answered per minute 61 calls usual 64 calls'), tiles[1]);
  assert.equal(tiles[2], 'Last beat of its process 900 ms usual 1.00 s');
  const links = await evidence.getByRole('link').evaluateAll((all) => all.map((a) => decodeURIComponent(a.hash)));
  assert.deepEqual(links, [
    `#/${RUN}/session/${cause}`,
    `#/${RUN}/hotspots?scope=all&stage=engine.generate`,
  ]);
  const waits = page.getByRole('region', { name: 'Who waits' });
  const { sessions, examples } = fixed.findings[0].victims;
  await waits.getByText(`${sessions} sessions wait, of 1 task`).waitFor();
  for (const session of examples) await waits.locator(`a[title="${session}"]`).waitFor();
  // Nothing that suffers is in a warm colour.
  const colours = await waits.locator('a, i').evaluateAll((all) => all.map((e) => getComputedStyle(e).backgroundColor));
  assert.equal(new Set(colours).size, 1, String(colours));
  const todo = page.getByRole('region', { name: 'What to do' });
  await todo.getByText('Cancel or retry the call').waitFor();
  const step = await todo.getByRole('link', { name: '3', exact: true }).getAttribute('href');
  assert.match(decodeURIComponent(step), /\/steps\?step=train_step=3/);
  assert.deepEqual(page.faults, []);
});

test('what cannot be told is a dash and says so; the kinds that could not be judged and the data are at the end', async () => {
  const page = await open('findings?finding=failing_service/judger/1', fixed);
  await detail(page).getByRole('heading', { name: /19.% of judger calls time out/ }).waitFor();
  assert.equal(await number(page, 'Would save'), '–');
  await page.getByRole('group', { name: 'Would save' }).getByText('cannot be told').waitFor();
  await page.getByRole('region', { name: 'Who is hit' }).getByText('68 sessions are hit').waitFor();
  const missing = page.getByRole('region', { name: 'Not judged' });
  await missing.getByText('2 of 19 kinds of findings could not be judged in full.').waitFor();
  await missing.getByText('the run gives no limit for the policy lag').waitFor();
  const data = page.getByRole('region', { name: 'What the data covers' });
  await data.getByText('3 steps').waitFor();
  const lines = (await data.getByRole('listitem').allInnerTexts()).map(plain);
  assert.deepEqual(lines.map((l) => /^(not known|known)/.exec(l)[1]), ['known', 'known', 'known', 'not known', 'not known']);
  await shoot(page, 'findings-failing');
  assert.deepEqual(page.faults, []);
});

test('keys: 2 opens the view, J and K choose, Enter opens what is to blame, T its timeline, Esc clears', async () => {
  const page = await open('live', fixed);
  await tab(page).waitFor();
  await page.keyboard.press('2');
  await items(page, 'Open').first().waitFor();
  await page.keyboard.press('j');
  await eventually(() => assert.ok(page.url().endsWith('finding=slow_worker/rollout:5/1'), page.url()));
  await detail(page).getByRole('heading', { name: /rollout:5 takes/ }).waitFor();
  await page.keyboard.press('Enter');
  await eventually(() => assert.match(page.url(), /\/sessions\?scope=all&worker=rollout:5$/));
  await page.goBack();
  await page.keyboard.press('k');
  await eventually(() => assert.ok(decodeURIComponent(page.url()).endsWith(`hung_call/${cause}/1`), page.url()));
  await page.keyboard.press('t');
  await eventually(() => assert.match(page.url(), /\/timeline\?scope=all&t=\d.*&q=/));
  await page.goBack();
  await items(page, 'Open').first().waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => assert.match(page.url(), /\/findings$/));
  await page.keyboard.press('Enter');
  await eventually(() => assert.ok(decodeURIComponent(page.url()).includes(`/session/${cause}`), page.url()));
  assert.deepEqual(page.faults, []);
});

test('a row of the history chooses its finding; the newest can come first', async () => {
  const page = await open('findings', fixed);
  const rows = page.getByRole('list', { name: 'History' }).getByRole('button');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 5);
  assert.match(plain(await rows.first().innerText()), /^agent:3 dead process 44\.0 s .* to .*, 34 sessions were affected$/);
  await rows.first().click();
  await detail(page).getByRole('heading', { name: /agent:3 died and came back/ }).waitFor();
  await page.getByRole('button', { name: 'Newest' }).click();
  await eventually(async () =>
    assert.deepEqual((await keys(page, 'Open')).map((k) => k.split('/')[0]), ['hung_call', 'failing_service', 'slow_worker']),
  );
  assert.deepEqual(page.faults, []);
});

test('a calm run says so, with what was not judged and without a badge', async () => {
  const page = await open('findings', healthy(RUN, fixed.as_of_s));
  await page.getByRole('heading', { level: 1, name: 'Nothing needs attention.' }).waitFor();
  await page.locator('h1 + p').getByText('2 of 19 kinds of findings could not be judged in full.').waitFor();
  await page.getByText('There has been no finding in this run.').waitFor();
  assert.equal(plain(await tab(page).innerText()), 'Findings');
  await shoot(page, 'findings-calm');
  await page.goto(address('live'));
  await page.getByRole('heading', { level: 1, name: 'Nothing needs attention.' }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('findings that close while one looks are history, and the view is calm again', async () => {
  let over = false;
  const page = await open('findings', () => (over ? recovered(fixed) : fixed));
  await items(page, 'Open').first().waitFor();
  over = true;
  // Findings of a past run are asked for once a minute.
  await page.getByRole('heading', { level: 1, name: 'Nothing needs attention now.' }).waitFor({ timeout: 120_000 });
  await page.getByText('5 findings are over.').waitFor();
  assert.equal(await items(page, 'Open').count(), 0);
  assert.equal(await items(page, 'Closed').count(), 5);
  await page.getByText(/The last finding closed at/).waitFor();
  assert.equal(plain(await tab(page).innerText()), 'Findings');
  await shoot(page, 'findings-recovered');
  assert.deepEqual(page.faults, []);
});

test('Live begins with the first finding, whatever is filtered, and leads to it', async () => {
  const page = await open('live?status=running', fixed);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.getByText('hangs in engine.generate for').waitFor();
  await heading.getByRole('link', { name: '+ 2 more' }).waitFor();
  const { sessions } = fixed.findings[0].victims;
  const beside = plain(await page.locator('main dl').first().innerText());
  assert.equal(beside, `would save 3 m 10 s sessions wait ${sessions}`);
  assert.equal(await number(page, 'Causes, open'), '3');
  assert.equal(await page.getByRole('link', { name: /^Live/ }).innerText(), 'Live');
  const rows = page.getByRole('table', { name: 'Causes' }).locator('[data-key]');
  const open_ = fixed.findings.filter((f) => f.state === 'open').map((f) => f.id);
  assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.dataset.key)), open_);
  await shoot(page, 'live-findings');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await eventually(() => assert.ok(page.url().endsWith(`/findings?finding=${open_[1]}`), page.url()));
  await page.goBack();
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  await page.getByRole('table', { name: 'Open now' }).waitFor();
  await page.getByRole('link', { name: 'Open finding' }).click();
  await eventually(() => assert.ok(decodeURIComponent(page.url()).includes(`finding=hung_call/${cause}/1`), page.url()));
  assert.deepEqual(page.faults, []);
});

test('a victim names what it waits for and is never stuck, also when it is no example; the cause is named as one', async () => {
  const page = await open(`session/${encodeURIComponent(victims[0])}`, fixed);
  const heading = page.getByRole('heading', { level: 1 });
  await heading.getByText('waits for').waitFor();
  await heading.locator(`a[title="${cause}"]`).waitFor();
  const lines = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  assert.equal(await lines.count(), 2);
  assert.match(plain(await lines.first().innerText()), /^Not to blame open .* hangs in engine\.generate/);
  const { work_s, waits } = await server.get(`runs/${encodeURIComponent(RUN)}/sessions/${encodeURIComponent(victims[0])}`);
  const ownS = work_s - waits.queue_s - waits.siblings_s;
  assert.ok(ownS > 1 && ownS < 59.9, `${ownS}`);
  await page.locator('h1 + p').getByText(`Its own work took ${ownS.toPrecision(3)} s. ${cause} hangs in`).waitFor();
  assert.equal(await page.locator('main [title^="usual p95"]').count(), 0);
  assert.doesNotMatch(await page.locator('main').innerText(), /stuck/);
  await shoot(page, 'session-victim');
  await page.goto(address(`session/${encodeURIComponent(victims.at(-1))}`));
  await heading.locator(`a[title="${cause}"]`).waitFor();
  await page.goto(address(`session/${encodeURIComponent(cause)}`));
  await page.getByText('Cause of a finding').waitFor();
  await heading.getByText('is stuck in').waitFor();
  await page.getByRole('list', { name: 'Findings' }).getByRole('link').click();
  await detail(page).waitFor();
  assert.deepEqual(page.faults, []);
});

test('a step shows the findings that it is part of', async () => {
  const page = await open('steps', fixed);
  const { batches } = await server.get(`runs/${encodeURIComponent(RUN)}/batches`);
  const batchOf = (step) => batches.find((b) => b.train_step === step).batch;
  await page.goto(address(`steps?step=${batchOf(2)}`));
  const links = page.getByRole('region', { name: 'Findings' }).getByRole('link');
  await page.getByRole('complementary', { name: 'Step 2' }).waitFor();
  const ids = (step) => fixed.findings.filter((f) => f.steps.includes(step)).map((f) => f.id);
  const linked = () => links.evaluateAll((all) => all.map((a) => decodeURIComponent(a.hash).split('finding=')[1]));
  await eventually(async () => assert.deepEqual(await linked(), ids(2)));
  await page.goto(address(`steps?step=${batchOf(3)}`));
  await eventually(async () => assert.deepEqual(await linked(), ids(3)));
  await shoot(page, 'steps-findings');
  assert.deepEqual(page.faults, []);
});

test('an older server has no such view, and Live says what is overdue', async () => {
  const page = await openPage(browser, address('live'), { prepare: withoutFindings, expected: /404/ });
  await page.getByRole('heading', { level: 1, name: /is stuck in/ }).waitFor();
  assert.equal(await tab(page).count(), 0);
  await page.keyboard.press('2');
  await eventually(() => assert.match(page.url(), /\/timeline/));
  await page.goto(address());
  await page.getByText('This server tells no findings.').waitFor();
  assert.deepEqual(page.faults, []);
});

test('a failure says what failed, and the view recovers by itself', async () => {
  let broken = true;
  const page = await open('findings', () => (broken ? FAILED : fixed), { expected: /500/ });
  await page.getByText('the findings broke').waitFor();
  await page.goto(address('live'));
  await page.getByRole('heading', { level: 1, name: /is stuck in/ }).waitFor();
  await page.goto(address());
  broken = false;
  await page.getByRole('button', { name: 'Retry now' }).click();
  await items(page, 'Open').first().waitFor();
  assert.equal(await page.getByText('the findings broke').count(), 0);
  assert.deepEqual(page.faults, []);
});

test('text of findings stays text', async () => {
  const evil = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
  const text = JSON.stringify(fixed).replaceAll('rollout:5', evil).replaceAll('Look at', evil);
  const page = await open('findings', JSON.parse(text));
  await items(page, 'Open').nth(1).click();
  await page.getByText('<img src=x').first().waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.deepEqual(page.faults, []);
});

test('phone and narrow windows show all of it without scrolling sideways', async () => {
  for (const width of [390, 1024, 1280]) {
    const page = await open('findings', fixed, { size: { width, height: 800 } });
    await items(page, 'Open').first().waitFor();
    await page.getByRole('region', { name: 'What to do' }).waitFor();
    await shoot(page, `findings-${width}`);
    for (const part of ['main', 'header >> nth=0']) {
      const [scroll, client] = await page.locator(part).evaluate((m) => [m.scrollWidth, m.clientWidth]);
      assert.ok(scroll <= client, `${part} at ${width}: ${scroll} > ${client}`);
    }
    assert.deepEqual(page.faults, []);
  }
});

test('a report of a folder shows the findings that the command line tells, without a network', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-findings-'));
  const rollscope = (...words) => promisify(execFile)(join(ROOT, 'rollscope'), words, { maxBuffer: 1 << 28 });
  try {
    const source = sample('xtuner/run1');
    const file = join(folder, 'report.html');
    await rollscope('report', source, '-o', file, '--scope', 'all', '--quiet');
    const told = JSON.parse((await rollscope('diagnose', source, '--format', 'json')).stdout);
    const ids = (state) => told.findings.filter((f) => f.state === state).map((f) => f.id);
    assert.ok(ids('open').length > 1, 'the sample has several open findings');
    const page = await openPage(browser, `${pathToFileURL(file).href}#/run1/findings`);
    await items(page, 'Open').first().waitFor();
    assert.deepEqual(await keys(page, 'Open'), ids('open'));
    assert.deepEqual(await keys(page, 'Closed'), ids('closed'));
    assert.equal(await tab(page).innerText().then(plain), `Findings ${ids('open').length}`);
    await page.getByText('whole run, 3 steps').waitFor();
    await shoot(page, 'report-findings');
    await page.getByRole('link', { name: 'Open at the end' }).click();
    await page.locator(`h1 [title="${told.findings[0].subject.id}"]`).waitFor();
    assert.deepEqual(page.faults, []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
