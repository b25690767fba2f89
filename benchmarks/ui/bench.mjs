/*
 * Measures the page in headless Chromium with software rendering, driven by real input events.
 *
 * usage: ./dev bench ui [--spans N] [--sessions N] [--updates N] [--profile FOLDER] [--write]
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { firstPaint, framesWhile, scriptingOfUpdates } from './measure.mjs';
import { openSite } from './site.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
const { chromium } = createRequire(join(ROOT, 'tests/page/package.json'))('playwright-core');

const { values: chosen } = parseArgs({
  options: {
    spans: { type: 'string', default: '200000' },
    sessions: { type: 'string', default: '10000' },
    updates: { type: 'string', default: '40' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [spans, sessions, updates] = ['spans', 'sessions', 'updates'].map((name) => {
  const value = Number(chosen[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`bench: --${name}: ${chosen[name]} (expected: a whole number)`);
  process.exit(2);
});

const PICTURES = [
  ['sessions by task, where each was', 'lanes=group'],
  ['sessions by task, nested', 'lanes=group&depth=all'],
  ['16 workers, nested', 'lanes=worker'],
];

const rows = [];
function row(what, promised, measured, passed) {
  rows.push([what, promised, measured, passed ? 'yes' : '**no**']);
  console.log(`${passed ? '     ' : 'FAIL '}${what}: ${measured} (${promised})`);
}

const site = await openSite(join(ROOT, 'ui/dist'), { spans, sessions });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
let version;
try {
  version = browser.version();
  for (const [name, query] of PICTURES) await measurePicture(name, query);
  const { median, worst } = await scriptingOfUpdates(browser, `${site.address}/#/bench/live`, site, updates);
  row(
    `live board, ${sessions.toLocaleString('en-US')} running sessions, 200 with news: scripting per update`,
    '≤ 50 ms',
    `median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
    median <= 50,
  );
} finally {
  await browser.close();
  site.close();
}
const size = applicationBytes(join(ROOT, 'ui/dist'));
row('application, gzip, fonts included', '≤ 400 kB', `${(size / 1000).toFixed(1)} kB`, size <= 400_000);
if (chosen.write) writeResults();
if (rows.some((r) => r[3] !== 'yes')) process.exitCode = 1;

async function measurePicture(name, query) {
  const address = `${site.address}/#/bench/timeline?scope=all&${query}`;
  const profile = chosen.profile && join(chosen.profile, `${query.replaceAll(/[^a-z]+/g, '-')}.cpuprofile`);
  const { page, paintMs, threadMs } = await firstPaint(browser, address);
  const what = `${spans.toLocaleString('en-US')} spans, ${name}`;
  row(`${what}: first paint after the answer arrived`, '≤ 1,500 ms', `${paintMs.toFixed(0)} ms (${threadMs.toFixed(0)} ms of the page’s thread since its start)`, paintMs <= 1500);
  const { median, p95, worst, frames } = await framesWhile(page, profile);
  row(
    `${what}: frames while panning and zooming`,
    'median ≤ 20 ms, p95 ≤ 50 ms',
    `median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, worst ${worst.toFixed(0)} ms of ${frames}`,
    median <= 20 && p95 <= 50,
  );
  await page.context().close();
}

/** What a first visit loads: compressed text, and fonts, which are compressed already. */
function applicationBytes(folder) {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    bytes += name.endsWith('.woff2') ? statSync(file).size : gzipSync(readFileSync(file), { level: 9 }).length;
  }
  return bytes;
}

function writeResults() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const command = `./dev bench ui --spans ${spans} --sessions ${sessions} --updates ${updates}`;
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const text = [
    '# Page benchmark',
    '',
    `\`${command}\` on ${new Date().toISOString().slice(0, 10)}, commit ${commit}: ${machine}, Chromium ${version}, headless, software rendering, 1440 × 900.`,
    `Load average at the end: ${loadavg()[0].toFixed(1)} (other work on the machine counts in).`,
    'Answers are generated; parsing them counts into the first paint. Frames are the distances between animation frames in which lanes were drawn, while the mouse drags, the wheel zooms and keys pan;',
    'the browser gives one every 16.7 ms at best. Scripting is what Chromium counts as such (ScriptDuration, time of the thread) between an update and the quiet after it, ticking ages included.',
    '',
    line(['what', 'promised', 'measured', 'kept']),
    line(['---', '---', '---', '---']),
    ...rows.map(line),
  ];
  writeFileSync(join(HERE, 'results.md'), `${text.join('\n')}\n`);
}
