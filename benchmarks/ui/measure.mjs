import { writeFile } from 'node:fs/promises';

const SIZE = { width: 1440, height: 900 };
const LANES = 'canvas[role="img"]';

/** From the last byte of the answer to the end of the first frame with lanes in it; and what the page computed until then. */
export async function firstPaint(browser, address) {
  const context = await browser.newContext({ viewport: SIZE });
  const page = await context.newPage();
  await page.addInitScript((lanes) => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    // The names of lanes are written last; then the frame has to be made.
    prototype.fillText = function (...args) {
      fillText.apply(this, args);
      if (globalThis.lanesPainted || !this.canvas.matches(lanes)) return;
      prototype.fillText = fillText;
      globalThis.lanesPainted = new Promise((done) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => done(performance.now());
          channel.port2.postMessage(0);
        }),
      );
    };
  }, LANES);
  const client = await context.newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.lanesPainted !== undefined, null, { polling: 50 });
  const paintMs = await page.evaluate(async () => {
    const painted = await globalThis.lanesPainted;
    const answer = performance.getEntriesByType('resource').find((e) => e.name.includes('/timeline?'));
    return painted - answer.responseEnd;
  });
  const { metrics } = await client.send('Performance.getMetrics');
  return { page, paintMs, threadMs: 1000 * metrics.find((m) => m.name === 'TaskDuration').value };
}

/** How long frames with a drawing in them take while somebody drags, zooms with the wheel and pans with the keys. */
export async function framesWhile(page, profile) {
  const client = await page.context().newCDPSession(page);
  const box = await page.locator(LANES).boundingBox();
  const [x, y] = [box.x + box.width * 0.6, box.y + box.height / 2];
  await page.mouse.move(x, y);
  if (profile) {
    await client.send('Profiler.enable');
    await client.send('Profiler.start');
  }
  await page.evaluate((lanes) => {
    globalThis.frames = [];
    let drawn = false;
    const { prototype } = CanvasRenderingContext2D;
    const { setTransform } = prototype;
    prototype.setTransform = function (...args) {
      drawn ||= this.canvas.matches(lanes);
      return setTransform.apply(this, args);
    };
    // Registered a frame ahead, so it runs before the drawing: `drawn` is about the frame that ends here.
    let before = null;
    const next = (at) => {
      if (!globalThis.frames) return;
      if (before !== null && drawn) globalThis.frames.push(at - before);
      before = at;
      drawn = false;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, LANES);
  await zoomWheel(page, -120, 12);
  await drag(page, x, y, -420, 60);
  await zoomWheel(page, -120, 20);
  await drag(page, x, y, 420, -40);
  for (const key of ['d', 'd', 'd', 'a', 'a', 'w', 'w', 's', 's', 's']) await page.keyboard.press(key);
  await zoomWheel(page, 120, 40);
  await drag(page, x, y, 200, -300);
  const distances = await page.evaluate(() => {
    const { frames } = globalThis;
    globalThis.frames = undefined;
    return frames;
  });
  if (profile) await writeFile(profile, JSON.stringify((await client.send('Profiler.stop')).profile));
  return { ...summary(distances), frames: distances.length };
}

async function zoomWheel(page, by, notches) {
  await page.keyboard.down('Control');
  for (let i = 0; i < notches; i++) await page.mouse.wheel(0, by);
  await page.keyboard.up('Control');
}

async function drag(page, x, y, byX, byY) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + byX, y + byY, { steps: 60 });
  await page.mouse.up();
}

/** What scripts take for one update of the live board, all that follows from it included. */
export async function scriptingOfUpdates(browser, address, site, updates) {
  const context = await browser.newContext({ viewport: SIZE });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByText('Every session').waitFor();
  const client = await context.newCDPSession(page);
  // Time of the thread, not of the clock: what else the machine does is not the page's doing.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const scripting = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return 1000 * metrics.find((m) => m.name === 'ScriptDuration').value;
  };
  const settled = () =>
    page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 50)), 150)));
  const took = [];
  for (let i = 0; i < updates + 3; i++) {
    await settled();
    const before = await scripting();
    site.sendUpdate(200);
    await settled();
    // The first ones warm up the compiler.
    if (i >= 3) took.push((await scripting()) - before);
  }
  await context.close();
  return summary(took);
}

function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p95: at(0.95), worst: sorted.at(-1) };
}
