import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const DIRECTORY = join(import.meta.dirname, '../../screenshots');

/** Keeps what a page looks like, for people to see after the tests: `screenshots/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true });
  await page.screenshot({ path: join(DIRECTORY, `${name}.png`) });
}
