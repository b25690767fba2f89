import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { endedSpans, metricPoints, nowS } from './otlp.mjs';
import { eventually, Server } from './server.mjs';

let server;
let browser;
const RUN = 'verl/gsm8k 1';
const STEPS = 30;
const STEP_S = 20;
const T0 = Math.floor(nowS()) - STEPS * STEP_S;
const BOUNDS = [0.01, 0.1, 1, 10];
const EVIL = `<img src=x onerror=alert(1)></script><script>alert(2)</script>`;
const api = (path, parameters) => server.get(`runs/${encodeURIComponent(RUN)}/${path}`, parameters);
const address = (rest = '', run = RUN) => `${server.url}/#/${encodeURIComponent(run)}/charts${rest}`;
const chart = (page, name) => page.getByRole('region', { name, exact: true });
const parameters = (page) => new URLSearchParams(new URL(page.url()).hash.split('?')[1] ?? '');
/** Rows of the table of numbers, as texts of cells, newest first. */
const table = async (page, name) => {
  const rows = page.getByRole('table', { name: `Numbers of ${name}` }).locator('[data-key]');
  return rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('[role=cell]')].map((c) => c.innerText)));
};
const number = (text) => Number(text.replaceAll(',', '').replace('−', '-'));

/** The API tells ten figures. */
const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
const reward = (step) => 0.2 + 0.5 * (1 - Math.exp(-step / 10)) + 0.01 * (step % 3);

/** What a small run with a trainer and two engines measures. */
function history() {
  const points = [];
  for (let step = 0; step < STEPS; step++) {
    const atS = T0 + step * STEP_S + STEP_S - 1;
    const at = (name, value, more = {}) => points.push({ name, value, atS, step, ...more });
    at('critic/score/mean', reward(step));
    at('critic/score/max', 1);
    at('critic/score/min', 0);
    at('actor/grad_norm', 10 ** ((step % 5) - 2));
    at('training/global_step', step);
    for (const phase of ['gen', 'reward', 'update_actor', 'step']) at(`timing_s/${phase}`, 4 + phase.length + (step % 4));
    at('response_length/mean', 900 + 12 * step);
    for (const replica of ['0', '1']) {
      const engine = { replica, startS: T0 - 1 };
      at('vllm:num_requests_running', 10 * (step % 4) + Number(replica), { replica });
      at('vllm:generation_tokens', 1000 * (step + 1) * (Number(replica) + 1), { kind: 'counter', ...engine });
      const counts = [0, step, 3 * step, Number(replica), 0];
      at('vllm:e2e_request_latency_seconds', undefined, { kind: 'histogram', counts, bounds: BOUNDS, ...engine });
    }
  }
  for (let i = 0; i < 40; i++) points.push({ name: `node_thing_${i}`, value: i, atS: T0 + 10 });
  return points;
}

function spans() {
  return Array.from({ length: STEPS }, (_, step) => {
    const startS = T0 + step * STEP_S;
    const of = { 'rl.run.id': RUN };
    const lane = (id, name, from, to) => ({ ...of, name, startS: startS + from, endS: startS + to, 'state_name': name, 'state_lane_id': id, 'monitor.trace_segment': 'state_interval' });
    return [
      { ...of, name: 'rollout.generate', startS, endS: startS + 12, 'rl.session.id': `s${step}`, 'rl.batch.id': `train_step=${step}`, 'rl.train_step': step },
      lane('replica_0', 'rollout', 0, 12),
      lane('trainer', 'train', 12, 17),
      lane('trainer', 'weight_sync', 17, 19),
    ];
  }).flat();
}

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  await server.send('traces', endedSpans(spans()));
  await server.send('metrics', metricPoints(history(), { 'rl.run.id': RUN, 'service.name': 'trainer' }));
  await eventually(async () => assert.ok((await api('metrics')).metrics.length >= 50));
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('a run without metrics says how to send some, then its charts appear by themselves', async () => {
  const of = { 'rl.run.id': 'bare run' };
  await server.send('traces', endedSpans([{ ...of, name: 'engine.generate', startS: nowS() - 9, endS: nowS() - 8, 'rl.session.id': 's' }]));
  const page = await openPage(browser, address('', 'bare run'));
  await page.getByText('This run has no metrics yet.').waitFor();
  for (const text of ['rs.gauge(', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=', "rollscope targets add HOST:8000 --job vllm --run 'bare run'"]) {
    await page.getByText(text).waitFor();
  }
  await shoot(page, 'charts-empty');
  await server.send('metrics', metricPoints([{ name: 'reward', value: 0.73, atS: nowS(), step: 7 }], of));
  await chart(page, 'reward').getByText('0.73', { exact: true }).waitFor();
  // What comes in later moves the chart.
  await server.send('metrics', metricPoints([{ name: 'reward', value: 0.81, atS: nowS(), step: 8 }], of));
  await chart(page, 'reward').getByText('0.81', { exact: true }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('boards are there for what the run measures; by step every value is the one that the API gives', async () => {
  const page = await openPage(browser, address('?axis=step&numbers=critic/score*'));
  const boards = page.getByRole('group', { name: 'Board' }).getByRole('button');
  await eventually(async () => assert.deepEqual(await boards.allInnerTexts(), ['Training', 'Rollout', 'Engine', 'All metrics']));
  const answer = await api('metrics/data', { name: 'critic/score/mean', axis: 'step', agg: 'mean' });
  assert.deepEqual(answer.x, Array.from({ length: STEPS }, (_, i) => i));
  await eventually(async () => assert.ok((await table(page, 'critic/score')).length > 3));
  for (const [where, value] of await table(page, 'critic/score')) {
    const step = Number(where.replace('step ', ''));
    assert.equal(number(value), answer.series[0].y[step], where);
    assert.ok(near(number(value), reward(step)), where);
  }
  await shoot(page, 'charts-step');
  assert.deepEqual(page.faults, []);
});

test('on the clock, counters are rates, labels are added up or kept apart', async () => {
  const page = await openPage(browser, address('?board=engine&numbers=vllm:generation_tokens&by=replica'));
  const asked = { name: 'vllm:generation_tokens', axis: 'time', agg: 'sum', by: 'replica', as: 'rate', points: 500 };
  const answer = await api('metrics/data', asked);
  const heads = page.getByRole('table', { name: 'Numbers of vllm:generation_tokens' }).getByRole('columnheader');
  await eventually(async () => assert.deepEqual(await heads.allInnerTexts(), ['Time', '0', '1']));
  const rows = await table(page, 'vllm:generation_tokens');
  const last = answer.x.length - 1;
  const line = (replica) => answer.series.find((s) => s.labels.replica === replica).y;
  assert.deepEqual(rows[0].slice(1).map(number), [line('0')[last], line('1')[last]]);
  const middle = line('1')[Math.floor(last / 2)];
  assert.ok(Math.abs(middle - (2 * 1000) / STEP_S) < 1, `${middle} per second`);
  await page.getByRole('button', { name: 'A line per: any' }).click();
  await eventually(async () => {
    const [[, sum]] = await table(page, 'vllm:generation_tokens');
    assert.ok(Math.abs(number(sum) - line('0')[last] - line('1')[last]) < 1e-9, sum);
  });
  assert.equal((await heads.allInnerTexts()).length, 2);
  assert.deepEqual(page.faults, []);
});

test('histograms are heat maps of what was observed, or percentiles', async () => {
  const name = 'vllm:e2e_request_latency_seconds';
  const page = await openPage(browser, address(`?board=engine&axis=step&numbers=${name}`));
  const { heatmap } = await api('metrics/data', { name, axis: 'step', agg: 'heatmap', points: 200 });
  await eventually(async () => assert.ok((await table(page, name)).length > 3));
  const shown = (await table(page, name))[0].slice(1).map(number);
  assert.deepEqual(shown.filter((n) => n > 0), heatmap.counts.at(-1).filter((n) => n > 0));
  await eventually(async () => assert.equal(await page.getByText('Reading …').count(), 0));
  await shoot(page, 'charts-engine');
  await page.getByRole('button', { name: 'Percentiles' }).click();
  const heads = page.getByRole('table', { name: `Numbers of ${name}` }).getByRole('columnheader');
  await eventually(async () => assert.deepEqual(await heads.allInnerTexts(), ['Step', 'p50', 'p90', 'p99']));
  const p90 = await api('metrics/data', { name, axis: 'step', agg: 'p90', points: 500 });
  await eventually(async () => assert.equal(number((await table(page, name))[0][2]), p90.series[0].y.at(-1)));
  assert.deepEqual(page.faults, []);
});

test('only charts in sight ask for data', async () => {
  const page = await openPage(browser, 'about:blank');
  const asked = new Set();
  page.on('request', (r) => r.url().includes('/metrics/data') && asked.add(new URL(r.url()).searchParams.get('name')));
  await page.goto(address('?board=all&find=node_thing'));
  await eventually(() => assert.ok(asked.size > 2));
  await page.waitForLoadState('networkidle');
  assert.ok(asked.size < 15, `${asked.size} of 40`);
  await chart(page, 'node_thing_39').scrollIntoViewIfNeeded();
  await eventually(() => assert.ok(asked.has('node_thing_39')));
});

test('dragging zooms all charts, the link has it, the timeline shows the same window, and leads back', async () => {
  const page = await openPage(browser, address());
  const box = await chart(page, 'critic/score').locator('.u-over').boundingBox();
  await page.mouse.move(box.x + 300, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 700, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await eventually(() => assert.match(parameters(page).get('t') ?? '', /^[\d.]+\.\.[\d.]+$/));
  const [from, to] = parameters(page).get('t').split('..').map(Number);
  const margin = STEPS * STEP_S * 0.02;
  const seconds = (px) => ((px / box.width) * (STEPS * STEP_S - STEP_S + 2 * margin));
  assert.ok(Math.abs(to - from - seconds(400)) < 3, `${from} to ${to}`);
  await page.getByText('2 state lanes').waitFor();
  await shoot(page, 'charts-zoomed');
  const again = await openPage(browser, page.url());
  await again.getByRole('button', { name: /^Fit/ }).waitFor();
  await again.keyboard.press('t');
  await eventually(() => assert.match(again.url(), /\/timeline\?/));
  assert.equal(parameters(again).get('t'), parameters(page).get('t'));
  await again.getByText('Everything in scope').waitFor();
  await again.keyboard.press('c');
  await eventually(() => assert.match(again.url(), /\/charts\?/));
  assert.equal(parameters(again).get('t'), parameters(page).get('t'));
  await chart(again, 'critic/score').waitFor();
  await again.keyboard.press('f');
  await eventually(() => assert.equal(parameters(again).get('t'), null));
  assert.deepEqual([...page.faults, ...again.faults], []);
});

test('the keyboard goes from chart to chart, reads values, pins, hides; the address keeps it', async () => {
  const page = await openPage(browser, address('?axis=step'));
  await chart(page, 'critic/score').waitFor();
  await page.keyboard.press('j');
  await eventually(() => assert.equal(parameters(page).get('chart'), 'critic/score*'));
  const said = chart(page, 'critic/score').locator('output');
  await eventually(async () => assert.match(await said.innerText(), /critic\/score, last: mean 0\.\d+/));
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => {
    const [, value] = new RegExp(`step ${STEPS - 1}: mean (\\S+)$`).exec(await said.innerText());
    assert.ok(near(Number(value), reward(STEPS - 1)), value);
  });
  await page.keyboard.press('p');
  await page.keyboard.press('l');
  await eventually(() => assert.deepEqual([parameters(page).get('pin'), parameters(page).get('scale')], ['critic%2Fscore*', 'log']));
  await page.getByRole('button', { name: 'Engine' }).click();
  await page.getByRole('heading', { name: 'Pinned' }).waitFor();
  const again = await openPage(browser, page.url());
  await chart(again, 'critic/score').waitFor();
  await chart(again, 'vllm:num_requests_running').hover();
  await again.getByRole('button', { name: 'Hide vllm:num_requests_running' }).click();
  await eventually(async () => assert.equal(await chart(again, 'vllm:num_requests_running').count(), 0));
  await again.getByRole('button', { name: 'Show 1 hidden' }).click();
  await chart(again, 'vllm:num_requests_running').waitFor();
  await again.getByRole('button', { name: 'Add a metric' }).click();
  await again.getByRole('menuitemradio', { name: 'node_thing_7 gauge' }).click();
  await chart(again, 'node_thing_7').waitFor();
  assert.deepEqual([...page.faults, ...again.faults], []);
});

test('the pointer shows exact values, also of the smoothed line', async () => {
  const page = await openPage(browser, address('?axis=step&smooth=mid'));
  const over = chart(page, 'critic/score').locator('.u-over');
  await over.hover({ position: { x: 500, y: 40 } });
  const tip = page.getByRole('tooltip');
  await eventually(async () => assert.match(await tip.innerText(), /step \d+\s+mean\s+0\.\d{6,}\s+raw 0\.\d+\s+from 0 to 1/));
  await shoot(page, 'charts-smooth');
  await page.getByRole('button', { name: 'Off' }).click();
  await over.hover({ position: { x: 520, y: 40 } });
  await eventually(async () => {
    const [, step, value] = /step (\d+)\s+mean\s+(\S+)/.exec(await tip.innerText());
    assert.ok(near(Number(value), reward(Number(step))), `${step}: ${value}`);
  });
  assert.deepEqual(page.faults, []);
});

test('names and labels stay text; what could not be kept is said', async () => {
  const run = `evil ${EVIL}`;
  const of = { 'rl.run.id': run };
  const at = { atS: nowS(), step: 1 };
  const labels = { label: `"'${EVIL}`, ['__proto__']: 'x' };
  await server.send('metrics', metricPoints([{ name: EVIL, value: 1, ...at, ...labels }, { name: EVIL, value: 2, ...at, label: 'b' }], of));
  await server.send('metrics', metricPoints([{ name: 'reward', value: 1, ...at }], of));
  await server.send('metrics', metricPoints([{ name: 'reward', value: 1, startS: nowS() - 5, kind: 'counter', ...at }], of));
  await eventually(async () => {
    const { problems, metrics } = await server.get(`runs/${encodeURIComponent(run)}/metrics`);
    assert.ok(problems.length > 0 && metrics.length > 1);
  });
  const { problems } = await server.get(`runs/${encodeURIComponent(run)}/metrics`);
  const page = await openPage(browser, address('?by=label&board=all', run));
  await chart(page, EVIL).getByText(`"'${EVIL}`).waitFor();
  await page.getByRole('button', { name: 'Details' }).click();
  const list = page.getByRole('table', { name: 'Problems with metrics' });
  for (const { detail } of problems) await list.getByText(detail).first().waitFor();
  await shoot(page, 'charts-problems');
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.deepEqual(page.faults, []);
});
