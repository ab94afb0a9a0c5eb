import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { openTicketing } from '../../../test/ticketing.ts';
import { attachmentOf, FILES } from '../../../test/tickets.ts';
import build from '../../business/exports/build.job.ts';
import { exportFile } from '../../business/exports/download.ts';
import { storageKey } from '../../business/support/attachments/attachment.ts';

const ticketing = await openTicketing();
const { pool, clock, call, data, asked, staff, storeFiles, filesDirectory, run } = ticketing;
const as = { token: staff };
const sha256 = (content: Buffer) => createHash('sha256').update(content);

/** The files of a new archive of an account, by their names within its folder. */
async function archived({ accountId }: { accountId: string }, token: string) {
  assert.equal((await call('account/export', {}, { token })).status, 202);
  const { rows } = await pool.pg.query<{ id: string }>(
    'SELECT id FROM exports WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
    [accountId],
  );
  const id = rows[0]?.id ?? '';
  await run(build, { export_id: id });
  const file = await exportFile(pool, { id, accountId }, clock.now());
  assert.ok(file !== null);
  const files = new Map<string, Buffer>();
  const entries = extract();
  Readable.from(file.content).pipe(createGunzip()).pipe(entries);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name.replace(/^[^/]*\//, ''), Buffer.concat(chunks));
  }
  const text = (name: string) => String(files.get(name));
  const rowsOf = (name: string) =>
    text(name)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const manifest = text('MANIFEST')
    .trim()
    .split('\n')
    .map((line) => line.split('  '));
  return { files, rowsOf, manifest };
}

test('an archive has the account’s tickets, what was said and what was attached, and no note of an operator', async () => {
  const png = attachmentOf('A picture.PNG', FILES['dot.png']);
  const { uuid, token, customer } = await asked({ attachments: [png] });
  await storeFiles();
  // In the database still, as after a moment in which the storage was away.
  const attachments = [attachmentOf('notes', FILES['page.pdf'])];
  await data('staff/ticket-reply', { uuid, message: 'See there.', attachments }, as);
  await data(
    'staff/ticket-note',
    { uuid, message: 'Difficult.', attachments: [attachmentOf('a.log', FILES['server.log'])] },
    as,
  );
  await asked();
  const { files, rowsOf, manifest } = await archived(customer, token);
  const [ticket, ...others] = rowsOf('tickets.jsonl');
  assert.deepEqual([ticket.id, ticket.subject, others], [uuid, 'My server does not start', []]);
  assert.deepEqual(
    rowsOf('ticket_messages.jsonl').map((said) => [said.ticket_id, said.author_type, said.body]),
    [
      [uuid, 'customer', 'Since this morning it stays **off**.'],
      [uuid, 'staff', 'See there.'],
    ],
  );
  const attached = rowsOf('ticket_attachments.jsonl');
  assert.deepEqual(
    attached.map(({ file }) => files.get(file)),
    [FILES['dot.png'], FILES['page.pdf']],
  );
  assert.deepEqual(
    attached.map(({ file, id }) => file.replace(id, '')),
    ['files/.png', 'files/'],
  );
  for (const [hash, name = ''] of manifest)
    assert.equal(sha256(files.get(name) ?? Buffer.of()).digest('hex'), hash, name);
  assert.deepEqual(
    new Set(manifest.map(([, name]) => name)),
    new Set([...files.keys()].filter((name) => !name.startsWith('MANIFEST'))),
  );
});

test('a file that the storage has lost is missing from the archive, and the manifest says so', async () => {
  const { token, customer } = await asked({ attachments: [attachmentOf('a.gif', FILES['dot.gif'])] });
  await storeFiles();
  const key = storageKey({ sha256: sha256(FILES['dot.gif']).digest() });
  await rm(join(filesDirectory, key.slice(0, 2), key));
  const { files, rowsOf, manifest } = await archived(customer, token);
  const [{ file }] = rowsOf('ticket_attachments.jsonl');
  assert.equal(files.has(file), false);
  assert.ok(manifest.some(([hash, name]) => hash === key && name === file));
});
