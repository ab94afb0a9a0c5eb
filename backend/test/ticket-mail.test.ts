// Slow: 5 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Email } from 'postal-mime';
import { importCatalog } from '../src/business/core/catalog/import.ts';
import { syncInventories } from '../src/business/products.ts';
import { transaction } from '../src/db/transaction.ts';
import { openHarness } from './harness.ts';
import { AUTHSERV, ELSEWHERE, openMailHost, PROVIDER } from './mail-host.ts';
import { until } from './until.ts';
import { freePort } from './web-host.ts';

const [smtpPort, lmtpPort] = [await freePort(), await freePort()];
const harness = await openHarness({
  upkeep: true,
  settings: {
    smtp: { host: '127.0.0.1', port: smtpPort, encryption: 'none', login: null },
    mailFrom: { name: 'Example Hosting', address: 'noreply@hosting.example' },
    inboxLmtp: { host: '127.0.0.1', port: lmtpPort },
    inboxAuthserv: AUTHSERV,
  },
});
const host = await openMailHost({ smtpPort, lmtpPort });
const { catalog, clock, pool, data } = harness;
const support = { ...catalog.support, address: 'support@hosting.example' };
await transaction(pool, (tx) =>
  importCatalog(tx, { ...catalog, support }, 'with mail', clock.now(), syncInventories),
);

/** Somebody with a ticket, whose mail is example.com's. */
async function asked() {
  const as = await harness.customer();
  const email = String((await data('account/session', { as })).account.email);
  const input = { subject: 'It does not start', message: 'Since this morning.', department: 'technical' };
  const { uuid } = await data('ticket/create', { as, input });
  const messages = async (): Promise<{ message: string; author: { type: string } }[]> =>
    (await data('ticket/messages', { as, input: { uuid } })).messages;
  /** Their mail that says this, when it has come. */
  const mailed = (words: string) =>
    until(
      async () =>
        (await host.mailbox()).find(
          ({ to, text }) => to?.some(({ address }) => address === email) && text?.includes(words),
        ),
      () => `no mail says ${words}`,
      25,
    );
  return { uuid: String(uuid), email, messages, mailed };
}

/** An answer to a mail as programs compose it: to whom it asks for, with what it answers named and quoted. */
function answerTo(mail: Email, from: string, text: string) {
  const quoted = (mail.text ?? '').replace(/^/gm, '> ');
  return {
    from: `Ada <${from}>`,
    to: mail.replyTo?.[0]?.address ?? '',
    subject: `Re: ${mail.subject}`,
    inReplyTo: mail.messageId ?? '',
    references: [mail.references ?? '', mail.messageId ?? ''],
    text: `${text}\n\nOn Friday, Example Hosting <noreply@hosting.example> wrote:\n${quoted}\n`,
  };
}

/** What became of the last mail with this subject. */
const outcome = (subject: string) =>
  until(
    async () => {
      const { rows } = await pool.pg.query<{ state: string; reason: string | null; sender: string }>(
        "SELECT state, reason, sender FROM incoming_mails WHERE subject = $1 AND state <> 'received'",
        [subject],
      );
      return rows[0];
    },
    () => `nothing came of ${subject}`,
    25,
  );

const sentMails = async () => (await pool.pg.query('SELECT FROM mails')).rows.length;

test('a customer reads an answer in their mailbox, answers it there, and the conversation goes on', async () => {
  const { uuid, email, messages, mailed } = await asked();
  const as = await harness.operator();
  await mailed('Thank you for your request');
  await data('staff/ticket-reply', { as, input: { uuid, message: 'Please restart it.' } });
  const answer = await mailed('Please restart it.');
  assert.match(answer.replyTo?.[0]?.address ?? '', /^support\+[a-z0-9]+@hosting\.example$/);
  const written = answerTo(answer, email, 'That helped, thank you!');
  await host.send({ ...written, messageId: '<own-1@example.com>' }, PROVIDER);
  const said = await until(
    async () => (await messages())[2],
    () => 'the answer is no message',
    25,
  );
  assert.deepEqual([said.message, said.author.type], ['That helped, thank you!', 'customer']);
  await data('staff/ticket-reply', { as, input: { uuid, message: 'You are welcome.' } });
  const last = await mailed('You are welcome.');
  assert.equal(last.inReplyTo, '<own-1@example.com>');
});

test('somebody who writes in the customer’s name from elsewhere, with results of their own making, is not believed', async () => {
  const { email, messages, mailed } = await asked();
  const seen = await mailed('Thank you for your request');
  const subject = 'Forged';
  const headers = {
    'Authentication-Results': `${AUTHSERV}; dmarc=pass header.from=example.com`,
  };
  await host.send({ ...answerTo(seen, email, 'Give me the password.'), subject, headers }, ELSEWHERE);
  assert.deepEqual(await outcome(subject), {
    state: 'quarantined',
    reason: 'sender_not_authenticated',
    sender: email,
  });
  assert.equal((await messages()).length, 1);
});

test('an out-of-office note is dropped, and nobody is written to because of it', async () => {
  const { email, messages, mailed } = await asked();
  const seen = await mailed('Thank you for your request');
  const before = await sentMails();
  const subject = 'Out of office';
  await host.send(
    {
      ...answerTo(seen, email, 'I am away.'),
      subject,
      envelope: { from: '', to: [seen.replyTo?.[0]?.address ?? ''] },
      headers: { 'Auto-Submitted': 'auto-replied' },
    },
    PROVIDER,
  );
  assert.deepEqual(await outcome(subject), { state: 'dropped', reason: 'automatic', sender: '' });
  assert.equal((await messages()).length, 1);
  assert.equal(await sentMails(), before);
  assert.deepEqual(harness.logged, []);
});
