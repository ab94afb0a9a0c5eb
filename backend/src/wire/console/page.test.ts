// Slow: 20 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../../test/browser.ts';
import { provisioned } from '../../../test/cases/server.ts';
import { openHarness } from '../../../test/harness.ts';
import { keepScreenshot } from '../../../test/screenshot.ts';
import { until } from '../../../test/until.ts';
import { drawText } from '../../drivers/hypervisor/sandbox/screen-text.ts';

const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 640 },
  hasTouch: true,
  isMobile: true,
};
const LINES = ['Hostkeep sandbox', '', 'web.example.com login: '];
const [WIDTH, HEIGHT] = [320, 200];

const harness = await openHarness();
const browser: Browser = await openBrowser();

interface Shown {
  readonly page: Page;
  readonly link: string;
  /** What the browser complained of: what the page's policy forbids, and scripts that fail. */
  readonly complaints: readonly string[];
  /** Every address that the browser asked for, as servers and proxies see and log it. */
  readonly asked: readonly string[];
}

async function show(link: string, options: BrowserContextOptions = {}, cookie?: string): Promise<Shown> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(240_000);
  if (cookie !== undefined)
    await context.addCookies([{ name: 'hostkeep_session', value: cookie, url: new URL('/', link).href }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  await page.goto(link);
  return { page, link, complaints, asked };
}

async function openLink() {
  const { as, uuid } = await provisioned(harness);
  const { link } = await harness.data('tools/novnc', { as, input: { uuid } });
  return { as, uuid, link: String(link) };
}

const connected = (page: Page) => page.waitForSelector('body[data-state=connected]');
const over = (page: Page) => page.waitForSelector('body[data-state=over]');
const status = (page: Page) => page.textContent('#status');

/** The pixels of the screen as the page draws them, the alpha left out. */
async function pixels(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(`(() => {
    const canvas = document.querySelector('#screen canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at], data[at + 1], data[at + 2]);
    return btoa(text);
  })()`);
  return Buffer.from(String(drawn), 'base64');
}

/** Waits until the page shows these lines, to the pixel. */
async function shows(page: Page, lines: readonly string[]): Promise<void> {
  const octets = drawText(lines, WIDTH, HEIGHT, 4);
  const expected = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) octets.copy(expected, at * 3, at * 4, at * 4 + 3);
  const same = async () => (expected.equals(await pixels(page)) ? true : null);
  await until(
    same,
    async () => {
      await keepScreenshot(page, 'console-differs');
      return `the page does not show ${lines.join(' / ')}`;
    },
    20,
  );
}

const typed = (text: string) => [...LINES.slice(0, -1), `${LINES.at(-1)}${text}`];

test('the page shows the screen of the machine to the pixel, and keys that are pressed reach the machine', async () => {
  const { page, complaints } = await show((await openLink()).link);
  await connected(page);
  assert.equal(await status(page), 'Connected');
  assert.equal(await page.textContent('h1'), 'web.example.com');
  await shows(page, LINES);
  await page.keyboard.type('root');
  await page.keyboard.press('Shift+A');
  await shows(page, typed('rootA'));
  await keepScreenshot(page, 'console');
  assert.deepEqual(complaints, []);
});

test('the ticket is in no address that is sent, and not in the one that the browser keeps', async () => {
  const { page, asked, link } = await show((await openLink()).link);
  await connected(page);
  const ticket = new URLSearchParams(new URL(link).hash.slice(1)).get('ticket') ?? assert.fail('no ticket');
  assert.ok(asked.some((address) => address.endsWith('/console/socket')));
  assert.deepEqual(
    asked.filter((address) => new URL(address).search !== ''),
    [],
  );
  assert.deepEqual(
    asked.filter((address) => address.replace(/#.*/, '').includes(ticket)),
    [],
  );
  assert.ok(!page.url().includes(ticket));
});

test('Ctrl-Alt-Del, the clipboard and the line for typing reach the machine; one key leads out of the screen', async () => {
  const { page } = await show((await openLink()).link);
  await connected(page);
  await page.click('#clipboard');
  await page.fill('#text', 'Pa55word!');
  await page.click('#type');
  await shows(page, typed('Pa55word!'));
  await page.click('#keyboard');
  await page.locator('#line').pressSequentially('ab');
  await page.press('#line', 'Backspace');
  await shows(page, typed('Pa55word!a'));
  await page.press('#line', 'Enter');
  await shows(page, [...typed('Pa55word!a'), LINES.at(-1) ?? '']);
  await page.click('#ctrl-alt-del');
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'CANVAS', 'back to the screen');
  await page.keyboard.press('Control+Alt+Shift');
  assert.equal(await page.evaluate('document.activeElement.id'), 'ctrl-alt-del');
});

test('who is logged in connects again; for others, the page says that the link is good once', async () => {
  const { as, link } = await openLink();
  const session = await harness.tokenOf(as, { kind: 'session' });
  const { page } = await show(link, {}, session.token);
  await connected(page);
  await page.reload();
  await connected(page);
  await shows(page, LINES);
  const { page: stranger } = await show(link);
  await over(stranger);
  assert.match((await status(stranger)) ?? '', /has been used or has expired/);
  await stranger.click('#again');
  await over(stranger);
});

test('another link that is opened in the same tab shows its console, and its ticket is not kept either', async () => {
  const [first, second] = [await openLink(), await openLink()];
  const { page } = await show(first.link);
  await connected(page);
  await page.goto(second.link);
  await page.waitForURL(({ hash }) => hash.includes(second.uuid) && !hash.includes('ticket'));
  await connected(page);
  assert.equal(await status(page), 'Connected');
});

test('a console that ends says why, and offers to connect again', async () => {
  const { uuid, link } = await openLink();
  const { page } = await show(link, { locale: 'de-DE' });
  await connected(page);
  await harness.pool.pg.query(
    "UPDATE servers SET wanted_power = 'stopped', power_state = 'stopped' WHERE id = $1",
    [uuid],
  );
  await over(page);
  assert.equal(await status(page), 'Die Maschine ist aus.');
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  assert.equal(await page.evaluate('document.activeElement.id'), 'again');
  assert.ok(await page.isDisabled('#ctrl-alt-del'));
});

test('the page fits a phone: nothing is beside it, and what is touched is large enough', async () => {
  const { page } = await show((await openLink()).link, PHONE);
  await connected(page);
  await shows(page, LINES);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  const heights = await page.evaluate(`[...document.querySelectorAll('button:not([hidden])')]
    .map((button) => button.getBoundingClientRect().height).filter((height) => height > 0)`);
  assert.ok((heights as number[]).every((height) => height >= 44));
  const screen = await page.locator('#screen canvas').boundingBox();
  assert.ok(screen !== null && screen.width <= 360 && screen.width >= 300, JSON.stringify(screen));
  await keepScreenshot(page, 'console-phone');
});

test('everything that is to be used has a name and a role', async () => {
  const { page } = await show((await openLink()).link);
  await connected(page);
  await page.click('#clipboard');
  await page.click('#keyboard');
  await page.getByRole('status').waitFor();
  await page.getByRole('main', { name: 'Screen of the machine' }).waitFor();
  await page.getByRole('toolbar', { name: 'Keys' }).waitFor();
  for (const name of ['Ctrl-Alt-Del', 'Keyboard', 'Clipboard', 'Type it', "Put into the machine's clipboard"])
    await page.getByRole('button', { name, exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'What is typed here goes to the machine' }).waitFor();
  await page.getByRole('textbox', { name: 'Text to and from the machine' }).waitFor();
  assert.equal(await page.getAttribute('#clipboard', 'aria-expanded'), 'true');
});

test('nothing but its own files runs in the page, and no file but those is served', async () => {
  const { client } = harness;
  const page = await client.send({ method: 'GET', path: '/console' });
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  const policy = page.headers['content-security-policy'] ?? '';
  assert.match(String(policy), /^default-src 'none'; script-src 'self'; style-src 'self';/);
  assert.doesNotMatch(String(policy), /unsafe|\*/);
  assert.doesNotMatch(page.text, /<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/);
  const script = /src="\.([^"]+)"/.exec(page.text)?.[1] ?? assert.fail('no script');
  const got = await client.send({ method: 'GET', path: script });
  assert.deepEqual([got.status, got.headers['content-type']], [200, 'text/javascript; charset=utf-8']);
  assert.match(String(got.headers['cache-control']), /immutable/);
  const root = script.replace(/page\/page\.js$/, '');
  for (const path of [
    'novnc/package.json',
    'page/page.ts',
    'novnc/../page/page.js',
    'novnc/%2e%2e/package.json',
    '',
  ])
    assert.equal((await client.send({ method: 'GET', path: `${root}${path}` })).status, 404, path);
  assert.equal((await client.send({ method: 'GET', path: `${root}novnc/LICENSE.txt` })).status, 200);
});
