// Debian's Chromium, and pages that remember everything that went wrong in them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ROOT } from './server.mjs';

const SIZE = { width: 1440, height: 900 };
const PATIENCE_MS = 60_000;

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/**
 * A page whose `faults` lists console errors, exceptions, violations of the security policy and requests to elsewhere.
 *
 * @param expected pattern of console errors that the test causes, such as a server that is away
 * @param prepare what is done with the page before it loads, such as answers in place of the server's
 */
export async function openPage(browser, url, { theme = 'light', expected = null, size = SIZE, prepare } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.faults = [];
  const fault = (text) => {
    if (!expected?.test(text)) page.faults.push(text);
  };
  page.on('console', (message) => message.type() === 'error' && fault(`console: ${message.text()}`));
  page.on('pageerror', (error) => fault(`exception: ${error.stack}`));
  page.on('dialog', (dialog) => {
    fault(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.protocol.startsWith('http') && to.origin !== origin) fault(`request to ${to.origin}`);
  });
  await prepare?.(page);
  await page.goto(url);
  return page;
}

/** Pictures of what is shown, light and dark, for people to look at: target/screenshots/NAME-light.png. */
export async function shoot(page, name) {
  const folder = join(ROOT, 'target/screenshots');
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  }
}
