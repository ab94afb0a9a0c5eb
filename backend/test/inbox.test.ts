import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import { replyAddress } from '../src/business/notifications/mail/reply-address.ts';
import { syncInventories } from '../src/business/products.ts';
import { transaction } from '../src/db/transaction.ts';
import { openHarness } from './harness.ts';
import { speakLmtp } from './lmtp.ts';
import { until } from './until.ts';
import { freePort } from './web-host.ts';

const port = await freePort();
const harness = await openHarness({ settings: { inboxLmtp: { host: '127.0.0.1', port } } });

test('a mail that is handed to the running program by LMTP is looked at by its worker', async () => {
  const subject = 'Whose server is this?';
  const mail = `From: ada@example.com\r\nSubject: ${subject}\r\n\r\nHello`;
  const codes = await speakLmtp(port, 'ada@example.com', ['support@hosting.example'], mail);
  assert.deepEqual(codes, ['220', '250', '250', '250', '354', '250']);
  const as = await harness.operator();
  const looked = async () => (await harness.data('staff/ticket-quarantine', { as })).mails.at(0) ?? null;
  const found = await until(looked, () => 'the mail is not looked at', 20);
  assert.deepEqual([found.subject, found.reason], [subject, 'address_unknown']);
  assert.deepEqual(harness.logged, []);
});

test('an address that has the form of a reply address, and that nobody here made, is refused before the mail is sent', async () => {
  const base = 'support@hosting.example';
  const reply = { number: 1n, userId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' };
  const own = replyAddress(harness.installation.sealer, base, reply);
  const forged = own.replace(/\+./, (start) => (start === '+b' ? '+c' : '+b'));
  const mail = 'From: ada@example.com\r\nSubject: Hello\r\n\r\nHello';
  const { catalog, clock, pool } = harness;
  const support = { ...catalog.support, address: base };
  await transaction(pool, (tx) =>
    importCatalog(tx, { ...catalog, support }, 'with mail', clock.now(), syncInventories),
  );
  const speak = () => speakLmtp(port, 'ada@example.com', [forged], mail);
  // The program hears of the new catalogue within a second.
  const isKnown = (codes: string[]) => (codes[3] === '550' ? codes : null);
  const refused = await until(
    async () => isKnown(await speak()),
    () => 'the address is taken',
    25,
  );
  assert.deepEqual(refused.slice(0, 4), ['220', '250', '250', '550']);
  assert.ok(!refused.includes('354'), 'the mail itself was not asked for');
  const mixed = await speakLmtp(port, 'ada@example.com', [forged, own, base], mail);
  assert.deepEqual(mixed, ['220', '250', '250', '550', '250', '250', '354', '250', '250']);
  const { rows } = await harness.installation.readPool.pg.query<{ recipient: string }>(
    'SELECT recipient FROM incoming_mails WHERE recipient = $1',
    [own],
  );
  assert.equal(rows.length, 1);
});
