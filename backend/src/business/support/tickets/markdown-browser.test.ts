// Slow: 25 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openExposure, WAYS } from '../../../../test/exposure.ts';
import { openTicketing } from '../../../../test/ticketing.ts';
import { OF_TODAY, xssCorpus } from '../../../../test/xss-corpus.ts';
import { sanitized } from './markdown.ts';

const PAYLOADS = xssCorpus();
/** Of texts of which nothing is expected. */
const IN_A_FRAME = 20;
const RAN = /^(alert|confirm|prompt|print)$/;

const { call, asked } = await openTicketing();
const { expose } = await openExposure();

/** Texts as a ticket shows them in which somebody has written them; null: it takes no such message. */
async function asMessages(texts: readonly string[]): Promise<readonly (string | null)[]> {
  const { token, uuid } = await asked();
  const htmls: (string | null)[] = [];
  for (const message of texts) {
    const { status, body } = await call('ticket/message', { uuid, message }, { token });
    if (status !== 200) assert.equal(body.errors[0]?.message, 'This must hold something that can be seen.');
    htmls.push(status === 200 ? body.data.message.message_html : null);
  }
  return htmls;
}

/** Wherever Markdown takes a text of somebody's: in links, pictures, titles, tables, code and the names of its language. */
function inMarkdown(payload: string): string {
  const line = payload.replace(/\s+/g, ' ');
  return [
    `[x](${line})`,
    `[x](<${line}>)`,
    `![${line}](${line})`,
    `<${line}>`,
    `[x](https://a.example "${line}")`,
    `[x][ref]\n\n[ref]: <${line}> '${line}'`,
    `| ${line} |\n|---|\n| ${line} |`,
    `\`${line}\``,
    `\`\`\`${line}\n${payload}\n\`\`\``,
  ].join('\n\n');
}

for (const way of WAYS) {
  test(`what is looked for here is found: by ${way}, most texts that are said to run do so as they are`, async () => {
    const findings = await expose(OF_TODAY, way);
    const ran = findings.filter(({ what }) => RAN.test(what)).map(({ position }) => position);
    // The others run when they are read twice, or in one of the two ways only.
    assert.ok(new Set(ran).size >= 40, `only ${new Set(ran).size} ran`);
  });
}

test('the corpus is inert in a browser: as messages, wherever in Markdown, and had Markdown let its HTML through', async () => {
  const [plain, within] = [await asMessages(PAYLOADS), await asMessages(PAYLOADS.map(inMarkdown))];
  assert.ok(plain.filter((html) => html === null).length < 5);
  const shown = PAYLOADS.map((payload, index) =>
    [plain[index] ?? '', within[index] ?? '', sanitized(payload)].join(''),
  );
  // Many in a frame, as in a page: none of them ends what another began.
  const frames = Object.values(Object.groupBy(shown, (_html, index) => Math.floor(index / IN_A_FRAME)));
  for (const way of WAYS)
    assert.deepEqual(
      await expose(
        frames.map((htmls = []) => htmls.join('')),
        way,
      ),
      [],
    );
});
