// Slow: 10 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../../../../test/browser.ts';
import { Terminal } from '../../../../test/machine-screen.ts';
import { openMachines } from '../../../../test/machines.ts';
import { keepScreenshot } from '../../../../test/screenshot.ts';

const site = await openMachines();
const { harness } = site;
const browser = await openBrowser();

test('a real machine that was ordered shows its login prompt in a browser, is logged in to there, and ends its console with its power', async () => {
  const as = await harness.customer();
  const { server_uuid: uuid } = await site.order(as);
  const page = await (await browser.newContext()).newPage();
  const terminal = new Terminal(page, site.machine(uuid));
  await terminal.says('login:');

  const { link } = await harness.data('tools/novnc', { as, input: { uuid } });
  await terminal.open(link);
  await keepScreenshot(page, 'console-qemu');

  const { config } = await harness.data('server/config', { as, input: { uuid } });
  await page.click('#screen canvas');
  await page.keyboard.type(config.username);
  await page.keyboard.press('Enter');
  await terminal.says('Password:');
  await terminal.type(config.password);
  await terminal.says('#');
  await terminal.type('echo Console-$((40+2))');
  await terminal.says('Console-42');
  await keepScreenshot(page, 'console-qemu-logged-in');

  await site.host.driver.ensurePower(site.ref(uuid), 'stopped');
  await page.waitForSelector('body[data-state=over]');
  assert.equal(await page.textContent('#status'), 'The machine is off.');
});
