import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { openFixture } from '../../test/fixture.ts';
import { openInvoicing } from '../../test/invoicing.ts';
import { openRequests } from '../../test/requests.ts';
import { sha256 } from '../base/canonical.ts';
import { downloadLink } from '../business/core/downloads/ticket.ts';
import { keepParts } from '../business/exports/parts.ts';
import { addDownloadRoute } from './download.ts';
import { httpServer } from './http.ts';

const PUBLIC = 'https://hostkeep.example';
const fixture = await openFixture();
const { pool, clock, sealer, customer } = fixture;
const { order, issue, invoices } = openInvoicing(fixture);
const { runner, data } = openRequests(fixture);
const app = httpServer({
  operations: [],
  runner,
  log: pino({ level: 'silent' }),
  publicUrl: () => PUBLIC,
  trustedProxies: [],
});
addDownloadRoute(app, {
  countStranger: async () => {},
  pool,
  clock,
  sealer,
  storage: { read: async () => null },
});
after(() => app.close());

const get = (url: string) => app.inject({ method: 'GET', url: url.replace(PUBLIC, '') });

async function invoiced() {
  const who = await customer(10_000n);
  await order(who);
  await issue();
  const [invoice] = await invoices(who);
  assert.ok(invoice !== undefined);
  return { who, invoice };
}

test('the links of an invoice give its documents to save, without a token, and never to be kept by a cache', async () => {
  const { who, invoice } = await invoiced();
  const { pdf_url: pdf, xml_url: xml } = await data(
    'account/invoice',
    { uuid: invoice.id },
    { token: who.secret },
  );
  const [document, structured] = [await get(pdf), await get(xml)];
  assert.equal(document.statusCode, 200, document.body);
  assert.equal(document.headers['content-type'], 'application/pdf');
  assert.equal(document.headers['content-disposition'], `attachment; filename="${invoice.number}.pdf"`);
  assert.equal(document.headers['cache-control'], 'no-store');
  assert.equal(document.headers['x-content-type-options'], 'nosniff');
  assert.match(document.rawPayload.toString('latin1'), /^%PDF-1\.7/);
  assert.equal(structured.headers['content-type'], 'application/xml; charset=utf-8');
  assert.match(structured.body, new RegExp(`<ram:ID>${invoice.number}</ram:ID>`));
});

test('what was given out once is given out for ever, byte for byte, and is what its hash says', async () => {
  const { who, invoice } = await invoiced();
  const link = downloadLink(
    { now: clock.now(), sealer, publicUrl: PUBLIC },
    { kind: 'invoice_pdf', id: invoice.id, accountId: who.accountId },
  );
  const together = await Promise.all([get(link), get(link), get(link)]);
  await pool.pg.query('UPDATE users SET last_name = $1 WHERE id = $2', ['Changed', who.userId]);
  const later = await get(link);
  for (const answer of together) assert.ok(answer.rawPayload.equals(later.rawPayload));
  const kept = await pool.kysely
    .selectFrom('invoice_documents')
    .selectAll()
    .where('invoice_id', '=', invoice.id)
    .where('format', '=', 'pdf')
    .executeTakeFirstOrThrow();
  assert.ok(kept.content.equals(later.rawPayload));
  assert.ok(kept.sha256.equals(sha256(later.rawPayload)));
});

test('a document that was changed in the database is not given out', async () => {
  const { who, invoice } = await invoiced();
  const link = downloadLink(
    { now: clock.now(), sealer, publicUrl: PUBLIC },
    { kind: 'invoice_xml', id: invoice.id, accountId: who.accountId },
  );
  await get(link);
  const owner = new pg.Client({ connectionString: fixture.database.url });
  await owner.connect();
  await owner.query(`UPDATE invoice_documents SET content = content || 'x' WHERE invoice_id = $1`, [
    invoice.id,
  ]);
  await owner.end();
  assert.equal((await get(link)).statusCode, 500);
});

test('expired, forged and foreign tickets are not found, all alike', async () => {
  const { who, invoice } = await invoiced();
  const other = await customer(0n);
  const link = (change: object, now = clock.now()) =>
    downloadLink(
      { now, sealer, publicUrl: PUBLIC },
      { kind: 'invoice_pdf', id: invoice.id, accountId: who.accountId, ...change },
    );
  const good = link({});
  const flipped = `${good.slice(0, -4)}${good.at(-4) === 'A' ? 'B' : 'A'}${good.slice(-3)}`;
  const sealedForAnother = `${PUBLIC}/download/${sealer.seal('mail', '["invoice_pdf"]').toString('base64url')}`;
  const wrong = [
    link({}, clock.now().subtract({ minutes: 15 })),
    link({ accountId: other.accountId }),
    link({ id: randomUUID() }),
    flipped,
    sealedForAnother,
    `${PUBLIC}/download/x`,
  ];
  for (const url of wrong) {
    const answer = await get(url);
    assert.equal(answer.statusCode, 404, url);
    assert.equal(answer.json().error, 'not_found');
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
  assert.equal((await get(link({}, clock.now().subtract({ minutes: 14 })))).statusCode, 200);
});

test('an archive of many parts arrives whole, and none before it is finished', async () => {
  const who = await customer(0n);
  const [id, contentId] = [randomUUID(), randomUUID()];
  const content = randomBytes(3_500_000);
  await pool.pg.query(
    `WITH task AS (
       INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
       VALUES ($1, $2, 'account.export', 'running', 'account', $2, $3))
     INSERT INTO exports (id, account_id, task_id, created_at, expires_at)
     VALUES ($1, $2, $1, $3, $3::timestamptz + interval '7 days')`,
    [id, who.accountId, clock.now().toString()],
  );
  const chunks = Array.from({ length: 35 }, (_, at) => content.subarray(at * 100_000, (at + 1) * 100_000));
  const target = { exportId: id, contentId, most: content.length };
  const { size, sha256: hash } = await keepParts(pool, target, Readable.from(chunks));
  const link = downloadLink(
    { now: clock.now(), sealer, publicUrl: PUBLIC },
    { kind: 'export', id, accountId: who.accountId },
  );
  assert.equal((await get(link)).statusCode, 404);
  await pool.pg.query('UPDATE exports SET content_id = $2, size = $3, sha256 = $4 WHERE id = $1', [
    id,
    contentId,
    size,
    hash,
  ]);
  const archive = await get(link);
  assert.equal(archive.headers['content-type'], 'application/gzip');
  assert.equal(
    archive.headers['content-disposition'],
    `attachment; filename="hostkeep-export-${clock.now().toString().slice(0, 10)}.tar.gz"`,
  );
  assert.ok(archive.rawPayload.equals(content));
  // Who has it already gets nothing of it again.
  const tag = String(archive.headers.etag);
  const again = await app.inject({ url: link.replace(PUBLIC, ''), headers: { 'if-none-match': tag } });
  assert.deepEqual([again.statusCode, again.rawPayload.length, again.headers.etag], [304, 0, tag]);
});
