import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openBrowser, shoot } from './browser.mjs';
import { ROOT } from './server.mjs';

const execute = promisify(execFile);
const RUN = 'folder/charts';
const T0 = 1_750_000_000;
const STEPS = 400;
const EVIL = '</script><script>alert(1)</script>';
/** A few kB more than the page itself. */
const MOST_BYTES = 200_000;
let browser;
let folder;

const attribute = (key, value) =>
  typeof value === 'number'
    ? { key, value: { intValue: String(value) } }
    : { key, value: { stringValue: value } };
const time = (s) => String(BigInt(Math.round(s * 1000)) * 1_000_000n);

/** What two processes of a run measure, as lines of a spool. */
function* spool() {
  for (const rank of [0, 1]) {
    const resource = {
      attributes: [attribute('rl.run.id', RUN), attribute('service.instance.id', `p${rank}`), attribute('rl.worker.rank', rank)],
    };
    for (let step = 0; step < STEPS; step++) {
      const point = (more) => ({
        timeUnixNano: time(T0 + 10 * step + rank),
        startTimeUnixNano: time(T0 - 1),
        attributes: [attribute('rl.train_step', step)],
        ...more,
      });
      const gauge = (name, asDouble) => ({ name, gauge: { dataPoints: [point({ asDouble })] } });
      const metrics = [
        gauge('reward/mean', step / STEPS + rank),
        gauge('reward/max', 2 + rank),
        gauge('reward/min', -1),
        gauge(EVIL, 1),
        { name: 'tokens', sum: { isMonotonic: true, aggregationTemporality: 2, dataPoints: [point({ asDouble: 50 * (step + 1) })] } },
        {
          name: 'latency',
          histogram: {
            aggregationTemporality: 2,
            dataPoints: [point({ count: String(2 * step), sum: 3 * step, explicitBounds: [1, 2], bucketCounts: [String(step), String(step), '0'] })],
          },
        },
      ];
      yield JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] });
    }
  }
}

before(async () => {
  browser = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'rollscope-report-charts-'));
  await writeFile(join(folder, 'spool-000000.jsonl'), `${[...spool()].join('\n')}\n`);
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const rollscope = async (...words) => (await execute(join(ROOT, 'rollscope'), words)).stdout;
const chart = (page, name) => page.getByRole('region', { name, exact: true });
const goTo = (page, rest) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${encodeURIComponent(RUN)}/charts${rest}`);

test('a report of a folder has the charts of its metrics, over time and by step', async () => {
  const file = join(folder, 'report.html');
  await rollscope('report', folder, '-o', file, '--quiet');
  const { size } = await stat(file);
  const { size: bare } = await stat(join(ROOT, 'ui/dist-report/report.html'));
  assert.ok(size - bare < MOST_BYTES, `${size - bare} bytes of data (expected: at most ${MOST_BYTES})`);

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`exception: ${error.stack}`));
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  await page.goto(pathToFileURL(file).href);
  await page.getByRole('link', { name: 'Charts' }).click();
  await chart(page, 'reward').locator('canvas').first().waitFor();
  await page.getByText('at most 300 points a line').waitFor();
  assert.equal(await page.getByRole('button', { name: /Where/ }).count(), 0, 'labels cannot be selected');
  await shoot(page, 'report-charts');

  // What it shows is what the command line tells.
  const told = JSON.parse(await rollscope('metrics', folder, 'tokens', '--agg', 'sum', '--points', '300', '--format', 'json'));
  assert.equal(told.x.length, STEPS / 2);
  await goTo(page, '?board=all&axis=step&numbers=tokens');
  const table = page.getByRole('table', { name: 'Numbers of tokens' });
  await table.locator('[data-key]').first().waitFor();
  const newest = await table.locator('[data-key]').first().locator('[role=cell]').allInnerTexts();
  assert.equal(Number(newest[1].replaceAll(',', '')), told.series[0].y.at(-1));

  for (const hist of ['heat', 'bands']) {
    await goTo(page, `?board=all&find=latency&hist=${hist}`);
    await chart(page, 'latency').locator('canvas').first().waitFor();
  }
  await goTo(page, '?board=all&agg=none&find=tokens');
  await chart(page, 'tokens').getByText('worker_rank=1').first().waitFor();
  await goTo(page, '?board=all&axis=step&find=tokens');
  await page.getByText('step 200').or(page.locator('canvas')).first().waitFor();
  await shoot(page, 'report-charts-steps');
  await goTo(page, `?board=all&find=script`);
  await page.getByRole('region').filter({ hasText: 'alert(1)' }).first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test('a report of a run without metrics has no charts', async () => {
  const file = join(folder, 'none.html');
  await rollscope('report', join(ROOT, 'formats/src/test/resources/samples/xtuner/main-otlp'), '-o', file, '--quiet');
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.getByRole('link', { name: 'Hotspots' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Charts' }).count(), 0);
  await page.close();
});
