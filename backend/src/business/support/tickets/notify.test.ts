import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openMailServer } from '../../../../test/mail-server.ts';
import { openTicketing, SUPPORT } from '../../../../test/ticketing.ts';
import { SmtpMailer } from '../../../drivers/mail/smtp/mail.ts';
import { attempt } from '../../notifications/mail/attempt.ts';
import { takeMails } from '../../notifications/mail/outgoing.ts';
import { openReplyAddress } from '../../notifications/mail/reply-address.ts';
import { senderOf } from '../../notifications/mail/sender.ts';
import { linesOf } from './notify.ts';

const ticketing = await openTicketing();
const { pool, clock, sealer, signer, catalogs, data, asked, staff, emailOf, receive, addressOf, sell } =
  ticketing;
const server = await openMailServer();
const mailer = new SmtpMailer({
  server: { host: '127.0.0.1', port: server.port, encryption: 'none', login: null },
  from: { name: 'Example', address: 'noreply@hosting.example' },
});
after(async () => {
  mailer.close();
  await server.close();
});

/** Sends everything that waits; answers what arrived at an address. */
async function arrived(email: string) {
  const now = clock.now();
  const ctx = { now, sealer, signer, catalogs, log: pino({ level: 'silent' }) };
  for (const mail of await takeMails(pool, now, now.add({ minutes: 15 }), 100))
    assert.deepEqual(await attempt(ctx, mailer, mail, await senderOf(pool, catalogs)), { kind: 'sent' });
  return server.to(email).map(({ parsed, raw }) => ({
    raw,
    subject: parsed.subject,
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    references: parsed.references ?? '',
    inReplyTo: parsed.inReplyTo ?? '',
    messageId: parsed.messageId ?? '',
    replyTo: parsed.replyTo?.[0]?.address ?? '',
  }));
}

test('all mails of a ticket belong together, and can be answered by whom they were written to, and nobody else', async () => {
  const { customer, uuid, created } = await asked();
  const email = await emailOf(customer);
  await data('staff/ticket-reply', { uuid, message: 'One' }, { token: staff });
  await data('staff/ticket-reply', { uuid, message: 'Two' }, { token: staff });
  const [first, ...answers] = await arrived(email);
  const root = `<${uuid}.thread@hosting.example>`;
  for (const mail of [first, ...answers]) {
    assert.equal(mail?.references, root);
    assert.equal(mail?.inReplyTo, root);
    assert.match(mail?.messageId ?? '', /^<[0-9a-f-]{36}@hosting\.example>$/);
    assert.ok(mail?.subject?.startsWith(`[${created.number}] `));
    assert.match(mail?.raw ?? '', /^Auto-Submitted: auto-generated\r?$/m);
    const opened = openReplyAddress(sealer, SUPPORT, mail?.replyTo ?? '');
    assert.equal(opened?.userId, customer.userId);
  }
  assert.deepEqual(
    answers.map(({ text }) => /^ {2}(One|Two)$/m.exec(text)?.[1]),
    ['One', 'Two'],
  );
});

test('an answer to a mail names that mail, so that the reader’s program puts it below', async () => {
  const { customer, uuid } = await asked();
  const email = await emailOf(customer);
  await receive({ from: email, to: await addressOf(uuid, customer), messageId: 'own-1@example.com' });
  await data('staff/ticket-reply', { uuid, message: 'Thanks' }, { token: staff });
  const last = (await arrived(email)).at(-1);
  assert.equal(last?.inReplyTo, '<own-1@example.com>');
  assert.equal(last?.references.replace(/\s+/g, ' '), `<${uuid}.thread@hosting.example> <own-1@example.com>`);
});

test('without an address for answers there is none in the mail, and it does not invite to answer', async () => {
  await sell({ address: null });
  const { customer, uuid } = await asked();
  await data('staff/ticket-reply', { uuid, message: 'Hello' }, { token: staff });
  for (const mail of await arrived(await emailOf(customer))) {
    assert.equal(mail.replyTo, '');
    assert.doesNotMatch(mail.text, /reply to this e-mail/);
  }
  await sell({});
});

test('an operator’s text is text, however it looks', async () => {
  const { customer, uuid } = await asked({ subject: 'a\u0301 <b>x</b>' });
  await data(
    'staff/ticket-reply',
    { uuid, message: '<script>alert(1)</script>\n\nBcc: x@y.example\n\n<b>y</b>' },
    { token: staff },
  );
  const last = (await arrived(await emailOf(customer))).at(-1);
  assert.doesNotMatch(last?.html ?? '', /<script|<b>/);
  assert.match(last?.text ?? '', /<script>alert\(1\)<\/script>/);
});

test('when whoever asked is gone, the owner is told', async () => {
  const { uuid, customer } = await asked();
  await pool.pg.query(
    `WITH gone AS (
       INSERT INTO users (id, account_id, email, first_name, last_name, locale, timezone, role, state, created_at)
       VALUES (gen_random_uuid(), $2, 'gone@example.com', 'G', 'G', 'en', 'UTC', 'technical', 'disabled', '2027-01-01')
       RETURNING id)
     UPDATE tickets SET requester_id = (SELECT id FROM gone) WHERE id = $1`,
    [uuid, customer.accountId],
  );
  await pool.pg.query('UPDATE ticket_messages SET seq = seq WHERE ticket_id = $1', [uuid]);
  await data('staff/ticket-reply', { uuid, message: 'Hello' }, { token: staff });
  assert.match((await arrived(await emailOf(customer))).at(-1)?.text ?? '', /Hello/);
});

test('long paragraphs are broken at spaces, and nothing of them is lost', () => {
  const text = `${'word '.repeat(200).trim()}\n\n${'x'.repeat(600)}\nend`;
  const lines = linesOf(text);
  assert.ok(lines.every((line) => line.length <= 250));
  assert.equal(lines.join('').replaceAll(' ', ''), text.replace(/\s/g, ''));
});
