// Needs: browser

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

// What a browser asks its maker for by itself is not what a page does.
const QUIET = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  // Nothing else is ever found, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** A real browser without a window that reaches this machine only, closed when the test file ends. */
export async function openBrowser(): Promise<Browser> {
  assert.ok(existsSync(CHROMIUM), `${CHROMIUM} is missing: run scripts/install.sh tests`);
  // As root, it starts without its own sandbox only.
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    chromiumSandbox: process.getuid?.() !== 0,
    args: QUIET,
  });
  after(() => browser.close());
  return browser;
}
