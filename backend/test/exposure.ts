import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';

/** How a text comes into a document: put there by a script, or as a part of it. */
export const WAYS = ['innerHTML', 'document'] as const;
export type Way = (typeof WAYS)[number];

/** Something that a text did: ran, set, asked for, or led to. */
export interface Finding {
  /** Which text; null: it was done to the page around all of them. */
  readonly position: number | null;
  readonly what: string;
}

const source = (name: string) => readFileSync(new URL(`exposure/${name}`, import.meta.url), 'utf8');
const WATCH = source('watch.js');
const FRAME = source('frame.js');
// Forbids nothing: the browser only says what it would not have run.
const POLICY =
  "script-src 'nonce-ours'; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

/** Hundreds of frames on a slow machine. */
const SLOWEST_MS = 240_000;

/**
 * Shows HTML that others wrote in a real browser, each text in a frame of its own, has everything happen to it that a
 * reader can do, and tells what came of it. Nothing leaves this machine.
 */
export async function openExposure() {
  const browser = await openBrowser();
  let shown: readonly string[] = [];
  const server = createServer((request, response) => {
    const [, way = '', position = ''] = (request.url ?? '').split('/');
    const html = shown[Number(position)];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy-report-only', POLICY);
    if (position === '') response.end(pageOf(shown.length));
    else if (html !== undefined) response.end(frameOf(way, html));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function expose(htmls: readonly string[], way: Way): Promise<readonly Finding[]> {
    shown = htmls;
    const context = await browser.newContext();
    context.setDefaultTimeout(SLOWEST_MS);
    try {
      const page = await context.newPage();
      const findings = await watched(page, `${origin}/${way}/`);
      await page.goto(`${origin}/${way}/`, { waitUntil: 'load' });
      // What begins with a picture of the page, such as an animation, has begun after two of them.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      return findings;
    } finally {
      await context.close();
    }
  }

  return { expose };
}

/** Everything that happens in a page from now on, beside what belongs to it. */
async function watched(page: Page, home: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (frame: Frame | null, what: string) => findings.push({ position: positionOf(frame), what });
  const isOurs = (url: string) => url.startsWith(home);
  const context = page.context();
  await context.exposeBinding('report', ({ frame }, what: string) => add(frame, what));
  await context.addInitScript(WATCH);
  page.on('request', (request) => {
    if (!isOurs(request.url())) add(request.frame(), `request ${request.url()}`);
  });
  context.on('page', (opened) => add(null, `a page of its own, ${opened.url()}`));
  page.on('dialog', async (dialog) => {
    add(null, `dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('framenavigated', (frame) => {
    if (!isOurs(frame.url())) add(frame, `navigation ${frame.url()}`);
  });
  return findings;
}

function pageOf(count: number): string {
  const frames = Array.from(
    { length: count },
    (_, position) => `<iframe name=said-${position} src=${position}></iframe>`,
  );
  return `<!doctype html><title>Texts</title>${frames.join('')}`;
}

function frameOf(way: string, html: string): string {
  const given = JSON.stringify({ way, html }).replaceAll('<', '\\u003c');
  const said = `<div id=said>${way === 'document' ? html : ''}</div>`;
  const script = `<script id=given type=application/json>${given}</script><script nonce=ours>${FRAME}</script>`;
  return `<!doctype html><title>A text</title>${way === 'document' ? script + said : said + script}`;
}

function positionOf(frame: Frame | null): number | null {
  for (let around = frame; around !== null; around = around.parentFrame()) {
    const named = /^said-(\d+)$/.exec(around.name())?.[1];
    if (named !== undefined) return Number(named);
  }
  return null;
}
