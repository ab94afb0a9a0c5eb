import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { CONTRACT } from '../contract.ts';
import { ERRORS } from '../errors.ts';
import { operation } from '../operation.ts';
import { operations } from '../operations.generated.ts';
import { makeDocs } from './docs.ts';

const BASE = 'https://hosting.example/api/v2';
const docs = makeDocs(operations, { base: BASE, answers: CONTRACT.answers });
const { pages } = docs;

function pageAt(path: string, of = pages): string {
  const page = of.get(path);
  assert.ok(page, `there is no page ${path}`);
  return page;
}

test('every operation has a page, and every error an anchor where error bodies point to', () => {
  for (const { path } of operations) assert.match(pageAt(`/docs/${path}`), new RegExp(`<h1>${path}</h1>`));
  const errors = pageAt('/docs/errors');
  for (const code of Object.keys(ERRORS)) assert.ok(errors.includes(` id="${code}"`), code);
});

test('every link leads to a page that is there, or to a part of one', () => {
  const broken: string[] = [];
  for (const [path, page] of pages) {
    for (const [, href = ''] of page.matchAll(/ href="([^"]*)"/g)) {
      if (href === '/api/v2/openapi.json') continue;
      const [target = '', anchor] = href.split('#');
      const linked = pages.get(target === '' ? path : target);
      if (linked === undefined || (anchor !== undefined && !linked.includes(` id="${anchor}"`))) {
        broken.push(`${path}: ${href}`);
      }
    }
  }
  assert.deepEqual(broken, []);
});

test('a page loads nothing and runs nothing: that is what its content security policy allows', () => {
  for (const [path, page] of pages) {
    assert.doesNotMatch(
      page,
      /<(script|link|img|iframe|object)\b|\son\w+=|\sstyle=|url\(|@import|javascript:/i,
      path,
    );
  }
});

test('a page is one document with landmarks, one first heading, no heading level left out, and labelled tables', () => {
  for (const [path, page] of pages) {
    assert.match(page, /^<!doctype html>\n<html lang="en">/, path);
    for (const landmark of ['header', 'nav', 'main']) {
      assert.equal(page.match(new RegExp(`<${landmark}\\b`, 'g'))?.length, 1, `${path}: ${landmark}`);
    }
    const main = page.slice(page.indexOf('<main'));
    const levels = [...main.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    assert.equal(levels.filter((level) => level === 1).length, 1, path);
    assert.ok(
      levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1),
      `${path}: ${levels}`,
    );
    assert.doesNotMatch(page.replaceAll(/<th scope="(col|row)">/g, ''), /<th\b/, path);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${path}: an id stands twice`);
  }
});

const HOSTILE = '<script>alert("x")</script> & \'"`';

const hostile = operation({
  method: 'POST',
  path: 'tools/hostile',
  summary: HOSTILE,
  description: HOSTILE,
  audience: 'customer',
  scope: 'tools:read',
  input: z.strictObject({
    name: z.string().default(HOSTILE).describe(HOSTILE),
    choice: z.enum([HOSTILE, 'b']),
    '<b>': z.string().optional(),
  }),
  output: z.object({ '</table>': z.string().describe(HOSTILE) }),
  message: { en: HOSTILE, de: HOSTILE },
  errors: [],
  example: { input: { choice: HOSTILE } },
  handle: () => ({ '</table>': HOSTILE }),
});

const hostileDocs = () =>
  makeDocs([hostile], { base: BASE, answers: { 'tools/hostile': { '</table>': HOSTILE } } });

test('whatever a definition says, its page holds it as text', () => {
  const made = hostileDocs();
  for (const path of ['/docs', '/docs/tools/hostile']) {
    const page = pageAt(path, made.pages);
    assert.doesNotMatch(page, /<script|<b>|alert\("/);
    assert.match(page, /&lt;script&gt;alert\(&quot;x&quot;\)/);
  }
});

test('its example is a command for a shell, whatever the values hold', () => {
  const page = pageAt('/docs/tools/hostile', hostileDocs().pages);
  const shown = /<h2 id="example">[\s\S]*?<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(page)?.[1] ?? '';
  const command = shown
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  assert.equal(
    command,
    [
      "curl 'https://hosting.example/api/v2/tools/hostile' \\",
      '  -H "Authorization: Bearer $TOKEN" \\',
      '  -H "Idempotency-Key: $(uuidgen)" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '${JSON.stringify({ choice: HOSTILE }).replaceAll("'", "'\\''")}'`,
    ].join('\n'),
  );
});

test('a field is shown with its type, its bounds, its default, its values and what it is for', () => {
  const described = operation({
    method: 'GET',
    path: 'tools/described',
    summary: 'Described',
    audience: 'public',
    scope: null,
    input: z.strictObject({
      size: z.int().min(2).max(9).default(4).describe('How many, see `tools/described`.'),
      kind: z.enum(['one', 'two']),
    }),
    output: z.union([
      z.object({ found: z.array(z.object({ uuid: z.uuid().nullable() })) }),
      z.object({ missing: z.boolean().optional() }),
    ]),
    message: { en: 'Done.', de: 'Fertig.' },
    errors: ['not_found'],
    example: { input: { kind: 'one' } },
    read: () => ({ missing: true }),
  });
  const page = pageAt('/docs/tools/described', makeDocs([described], { base: BASE, answers: {} }).pages);
  const rows = [...page.matchAll(/<tr>[\s\S]*?<\/tr>/g)].map(([row]) =>
    row
      .replaceAll(/<\/(td|th)>/g, ' | ')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  for (const row of [
    'size | integer2 to 9 | 4 | How many, see tools/described. |',
    'kind required | string | | One of one, two |',
    'found | array of object | |',
    'found[].uuid | string (uuid) or null | |',
    'missing may be missing | boolean | |',
    `not_found | 404 | ${ERRORS.not_found.en} |`,
  ]) {
    assert.ok(rows.includes(row), `${row}\nis none of\n${rows.join('\n')}`);
  }
  assert.match(page, /With <code>found<\/code>/);
  assert.match(page, /<a href="\/docs\/tools\/described"><code>tools\/described<\/code><\/a>/);
  assert.match(page, /curl &#39;https:\/\/hosting.example\/api\/v2\/tools\/described\?kind=one&#39;/);
});

function resultsOf(words: string): string[] {
  return [...docs.search(words).matchAll(/<li><span[^\n]* <a href="\/docs\/([^"]*)"/g)].map(
    ([, path = '']) => path,
  );
}

test('a search finds operations and errors by name, summary, field and description, names first', () => {
  assert.equal(resultsOf('domain/order')[0], 'domain/order');
  assert.equal(resultsOf('ORDER   panel')[0], 'panel/order');
  assert.ok(resultsOf('name server').includes('domain/nameservers'));
  assert.equal(resultsOf('insufficient_funds')[0], 'errors#insufficient_funds');
  assert.ok(
    resultsOf('insufficient_funds').includes('server/order'),
    'operations that answer with the error',
  );
  assert.deepEqual(resultsOf('panel zzz'), [], 'every word has to be there');
  assert.deepEqual(resultsOf(''), []);
});

test('a search page shows what was searched for as text, and cuts off what is too long', () => {
  const page = docs.search(HOSTILE);
  assert.doesNotMatch(page, /<script|alert\("/);
  assert.match(page, /value="&lt;script&gt;alert\(&quot;x&quot;\)/);
  assert.doesNotMatch(docs.search('x'.repeat(5_000)), /x{101}/);
});
