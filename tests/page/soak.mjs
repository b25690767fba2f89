// Somebody leaves the page open over a long run: on Live most of the time, with a look at every other view now and then.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { openBrowser, openPage } from './browser.mjs';
import { LiveRun } from './liveRun.mjs';
import { growth, Memory } from './memory.mjs';
import { eventually, Server } from './server.mjs';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 1);
const UPDATES_PER_STAY = 3;
const LEAST_MEASURED = 6;
const MB = 1 << 20;
/** More than compiled code and chance make of it (0.6 MB in a minute, 1.2 MB in twelve). In 30 minutes, a leak of 2 kB an update is above it; in one, of 50 kB. */
const ALLOWED = { heap: 2 * MB, nodes: 500, listeners: 50 };

let server;
let browser;
let run;
let going;

before(async () => {
  server = await Server.start();
  browser = await openBrowser();
  run = new LiveRun(server, 'soak');
  going = run.go();
  going.catch(() => {}); // told by the test, which waits for it
});
after(async () => {
  run?.stop();
  await browser?.close();
  await server?.close();
});

const VIEWS = {
  timeline: (page) => page.locator('canvas').first().waitFor(),
  hotspots: (page) => page.locator('[data-key=sum]').first().waitFor(),
  sessions: (page) => page.getByRole('table', { name: 'Sessions' }).waitFor(),
  session: (page) => page.getByRole('treeitem').first().waitFor(),
  steps: (page) => page.getByRole('table', { name: 'Steps' }).locator('[data-key]').first().waitFor(),
  runs: (page) => page.getByRole('row', { name: /soak/ }).waitFor(),
};

async function visit(page, view) {
  const place = { runs: '', session: `soak/session/${run.newest}` }[view] ?? `soak/${view}`;
  await page.goto(`${server.url}/#/${place}`);
  await VIEWS[view](page);
}

/** Stays until the board was told something new a few times. */
async function watchLive(page, memory) {
  await page.goto(`${server.url}/#/soak/live`);
  await page.getByRole('table', { name: 'Open now' }).waitFor();
  const enough = memory.updates + UPDATES_PER_STAY;
  await eventually(() => assert.ok(memory.updates >= enough, `${memory.updates} updates (expected: ${enough})`));
}

const megabytes = (bytes) => `${(bytes / MB).toFixed(2)} MB`;

function serverMemory() {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)])) * 1024;
}

function tell(updates, { heap, nodes, listeners }) {
  const page = `heap ${megabytes(heap)}, ${nodes} nodes, ${listeners} listeners`;
  console.log(`step ${run.step}, ${updates} updates: ${page}; server ${megabytes(serverMemory())}`);
}

test(`the page does not grow while it watches a run for ${MINUTES} min`, async () => {
  await eventually(() => server.get('runs/soak'));
  const page = await openPage(browser, `${server.url}/#/soak/live`);
  const memory = await Memory.of(page);
  const look = async (view) => {
    await visit(page, view);
    await watchLive(page, memory);
  };
  const views = Object.keys(VIEWS);
  // Once without measuring: code is compiled and caches fill.
  for (const view of views) await look(view);

  const seen = [];
  const end = Date.now() + MINUTES * 60_000;
  for (let i = 0; Date.now() < end; i++) {
    await look(views[i % views.length]);
    seen.push(await memory.measure());
    tell(memory.updates, seen.at(-1));
  }
  run.stop();
  await going;

  assert.ok(seen.length >= LEAST_MEASURED, `measured ${seen.length} times (expected: at least ${LEAST_MEASURED})`);
  for (const [what, allowed] of Object.entries(ALLOWED)) {
    const more = growth(seen.map((s) => s[what]));
    const text = `${what}: ${more} more in the last third than in the first (expected: at most ${allowed})`;
    console.log(text);
    assert.ok(more <= allowed, text);
  }
  assert.deepEqual(page.faults, []);
});
