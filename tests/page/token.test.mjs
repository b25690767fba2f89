import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBrowser, openPage, shoot } from './browser.mjs';
import { eventually, Server } from './server.mjs';

let server;
let browser;

before(async () => {
  server = await Server.start('--token', 'open/sesame');
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('a token in the address opens the page and leaves the address', async () => {
  const page = await openPage(browser, `${server.url}/#token=open%2Fsesame`);
  await page.getByText('No runs yet.').waitFor();
  assert.ok(!page.url().includes('sesame'), page.url());
  assert.deepEqual(page.faults, []);
});

test('without one the page asks for it, and says when it is wrong', async () => {
  const page = await openPage(browser, server.url, { expected: /401/ });
  await page.getByText('A token is needed.').waitFor();
  await shoot(page, 'token');
  await page.getByLabel('Token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Token').fill('open/sesame');
  await page.keyboard.press('Enter');
  await page.getByText('No runs yet.').waitFor();
  await eventually(async () => assert.equal((await page.context().cookies()).length, 1));
  assert.deepEqual(page.faults, []);
});
