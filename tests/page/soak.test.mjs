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
/** Rounds through all views before memory counts: until then caches fill and code is compiled. */
const WARM_UP_ROUNDS = 1;
const MB = 1 << 20;
const ALLOWED = { heap: 2 * MB, nodes: 1000, listeners: 100 };

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

async function round(page, memory, tell = () => {}) {
  for (const view of Object.keys(VIEWS)) {
    await visit(page, view);
    await watchLive(page, memory);
    tell(await memory.measure());
  }
}

const megabytes = (bytes) => `${(bytes / MB).toFixed(2)} MB`;

function serverMemory() {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)])) * 1024;
}

test(`the page does not grow while it watches a run for ${MINUTES} min`, async () => {
  await eventually(() => server.get('runs/soak'));
  const page = await openPage(browser, `${server.url}/#/soak/live`);
  const memory = await Memory.of(page);
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await round(page, memory);

  const seen = [];
  const end = Date.now() + MINUTES * 60_000;
  const tell = (now) => {
    seen.push(now);
    const { heap, nodes, listeners } = now;
    console.log(
      `step ${run.step}, ${memory.updates} updates: heap ${megabytes(heap)}, ${nodes} nodes, ${listeners} listeners; server ${megabytes(serverMemory())}`,
    );
  };
  while (Date.now() < end) await round(page, memory, tell);
  run.stop();
  await going;

  for (const [what, allowed] of Object.entries(ALLOWED)) {
    const more = growth(seen.map((s) => s[what]));
    console.log(`${what}: ${more} more in the last third than in the first`);
    assert.ok(more <= allowed, `${what}: ${more} more in the last third than in the first (expected: at most ${allowed})`);
  }
  assert.deepEqual(page.faults, []);
});
