// Slow: 10 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type MailDraft, openTicketing, SUPPORT } from '../../../../test/ticketing.ts';
import { BAD_FILES, FILES } from '../../../../test/tickets.ts';
import { APPLICATION_ROLE } from '../../../db/migrate.ts';
import { Pool } from '../../../db/pool.ts';
import { isLockTimeout } from '../../../db/transaction.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { CUSTOMERS_BYTES, STRANGERS_BYTES } from './incoming.ts';
import { receiveMail } from './receive.ts';

const ticketing = await openTicketing();
const { clock, pool, data, refused, asked, staff, receive, addressOf, emailOf, customer, sell } = ticketing;
const as = { token: staff };

/** A customer with a ticket that they may answer by mail. */
async function written() {
  const ticket = await asked();
  const [to, from] = [await addressOf(ticket.uuid, ticket.customer), await emailOf(ticket.customer)];
  const textsOf = async (): Promise<string[]> =>
    (await data('ticket/messages', { uuid: ticket.uuid }, { token: ticket.token })).messages.map(
      ({ message }: { message: string }) => message,
    );
  return {
    ...ticket,
    to,
    from,
    textsOf,
    mail: (draft: Partial<MailDraft> = {}) => receive({ to, from, ...draft }),
  };
}

const outgoing = async () =>
  (await pool.pg.query<{ count: number }>('SELECT count(*)::int AS count FROM mails')).rows[0]?.count;

test('an answer by mail is a message of the person to whom it was written, and the ticket waits again', async () => {
  const { uuid, token, mail, textsOf } = await written();
  await data('staff/ticket-reply', { uuid, message: 'Please try again.' }, as);
  const before = await outgoing();
  const kept = await mail({
    text: 'It works, thank you!\r\n\r\n-- \r\nAda\r\n\r\nOn Friday, Support <tickets@hosting.example> wrote:\r\n> Please try again.\r\n',
  });
  assert.deepEqual([kept.state, kept.reason, kept.content], ['appended', null, null]);
  assert.equal((await textsOf()).at(-1), 'It works, thank you!');
  const { messages } = await data('ticket/messages', { uuid }, { token });
  assert.deepEqual(messages.at(-1).author, { type: 'customer', name: 'Test Customer' });
  const found = await data('staff/ticket-details', { uuid }, as);
  assert.deepEqual([found.state, found.unread], ['open', 1]);
  assert.equal(await outgoing(), before, 'a mail was sent because one came');
});

for (const [reason, change] of [
  ['sender_differs', { from: 'mallory@example.com' }],
  ['sender_not_authenticated', { authenticated: null }],
  ['sender_not_authenticated', { authenticated: 'evil.example' }],
  ['sender_differs', { header: ['From: Mallory <mallory@example.com>'] }],
  ['empty', { text: '\r\n \r\n' }],
  ['too_long', { text: 'a '.repeat(10_001) }],
] as const)
  test(`${reason}: ${JSON.stringify(change).slice(0, 80)} waits for an operator, and is no message`, async () => {
    const { uuid, mail, textsOf } = await written();
    const kept = await mail(change);
    assert.deepEqual([kept.state, kept.reason], ['quarantined', reason]);
    assert.equal((await textsOf()).length, 1);
    const { mails } = await data('staff/ticket-quarantine', { per_page: 100 }, as);
    const shown = mails.find((one: { uuid: string }) => one.uuid === kept.id);
    assert.deepEqual([shown.reason, shown.ticket.uuid], [reason, uuid]);
  });

test('an address that was not made for this ticket and person is nobody’s, whatever the mail refers to', async () => {
  const one = await written();
  const other = await written();
  const references = [
    `In-Reply-To: <${one.uuid}.thread@hosting.example>`,
    `References: <${one.uuid}.thread@hosting.example>`,
  ];
  const changed = one.to.replace(/.(?=@)/, (letter) => (letter === 'a' ? 'b' : 'a'));
  for (const to of [SUPPORT, changed, 'tickets+abc@hosting.example', one.to.replace('tickets', 'other')]) {
    const kept = await receive({
      to,
      from: one.from,
      header: references,
      text: `[${one.created.number}] ${to}`,
    });
    assert.deepEqual([kept.state, kept.reason], ['quarantined', 'address_unknown'], to);
  }
  // Their own address at another's ticket.
  const stolen = await receive({ to: other.to, from: one.from });
  assert.equal(stolen.reason, 'sender_differs');
  assert.equal((await one.textsOf()).length + (await other.textsOf()).length, 2);
});

for (const [what, change] of [
  ['an empty return path', { sender: '' }],
  ['Auto-Submitted', { header: ['Auto-Submitted: auto-replied'] }],
  ['Auto-Submitted with a comment', { header: ['Auto-Submitted: auto-generated (vacation)'] }],
  ['Precedence', { header: ['Precedence: bulk'] }],
  ['a list', { header: ['List-Id: <list.example.com>'] }],
  ['X-Autoreply', { header: ['X-Autoreply: yes'] }],
  ['the mailer daemon', { sender: 'MAILER-DAEMON@example.com' }],
  ['noreply', { from: 'noreply@example.com' }],
  ['ourselves', { from: SUPPORT }],
  [
    'a report',
    { body: 'Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\n\r\nUndeliverable\r\n--x--' },
  ],
] as const)
  test(`what ${what} says was sent by a program is dropped, and answered never`, async () => {
    const { mail, textsOf } = await written();
    const before = await outgoing();
    const kept = await mail(change);
    assert.deepEqual([kept.state, kept.reason, kept.content], ['dropped', 'automatic', null]);
    assert.equal((await textsOf()).length, 1);
    assert.equal(await outgoing(), before);
  });

test('Auto-Submitted: no is what a person says', async () => {
  const { mail } = await written();
  assert.equal((await mail({ header: ['Auto-Submitted: no'] })).state, 'appended');
});

test('a mail that comes twice is one message: the same bytes, or the same Message-ID', async () => {
  const { mail, textsOf } = await written();
  const messageId = `${randomUUID()}@example.com`;
  const first = await mail({ messageId, text: 'Once' });
  assert.equal((await mail({ messageId, text: 'Once' })).id, first.id);
  const again = await mail({ messageId, text: 'Once', header: ['X-Other: way'] });
  assert.deepEqual([again.state, again.reason], ['dropped', 'repeated']);
  assert.equal((await textsOf()).length, 2);
});

test('a job that runs twice, or after a crash, appends once', async () => {
  const { mail, textsOf } = await written();
  const { id } = await mail({ text: 'Once' });
  await Promise.all([ticketing.look(id), ticketing.look(id)]);
  assert.equal((await textsOf()).length, 2);
});

const multipart = (...parts: string[]) =>
  [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...parts.flatMap((part) => ['--x', part]),
    '--x--',
  ].join('\r\n');
const text = (said: string) => `Content-Type: text/plain\r\n\r\n${said}`;
const file = (name: string, content: Buffer, type = 'application/octet-stream') =>
  `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}`;

test('files that come with a mail are checked as those of requests, and kept', async () => {
  const { uuid, token, mail } = await written();
  const body = multipart(text('See here.'), file('../../dot.png', FILES['dot.png'], 'text/html'));
  assert.equal((await mail({ body })).state, 'appended');
  const { attachments } = (await data('ticket/messages', { uuid }, { token })).messages.at(-1);
  assert.deepEqual(
    attachments.map(({ filename, content_type }: Record<string, string>) => [filename, content_type]),
    [['.._.._dot.png', 'image/png']],
  );
  const alone = multipart(file('a.log', FILES['server.log']));
  assert.equal((await mail({ body: alone })).state, 'appended');
  for (const wrong of [
    multipart(text('x'), file('a.html', BAD_FILES['page.html'])),
    multipart(text('x'), ...Array.from({ length: 11 }, (_, n) => file(`${n}.txt`, FILES['notes.txt']))),
    multipart(text('x'), file('big.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))),
    multipart(text('x'), 'Content-Type: message/rfc822\r\n\r\nFrom: a@b.example\r\n\r\ninner'),
  ])
    assert.equal((await mail({ body: wrong })).reason, 'files_refused');
});

test('files of a mail that are more than is kept of the account wait for an operator, and are left out when they accept it', async () => {
  const { uuid, token, mail, textsOf } = await written();
  await sell({ files_mib: 10 });
  const body = (said: string, mib: number) =>
    multipart(text(said), file('a.txt', Buffer.alloc(mib * 1024 * 1024, 'a')));
  assert.equal((await mail({ body: body('fits', 6) })).state, 'appended');
  const beyond = await mail({ body: body('is beyond', 6) });
  assert.deepEqual([beyond.state, beyond.reason], ['quarantined', 'files_refused']);
  assert.equal((await mail({ text: 'only text' })).state, 'appended');
  const accepted = await data('staff/ticket-quarantine-accept', { uuid: beyond.id }, as);
  assert.deepEqual(accepted.left_out, ['a.txt']);
  assert.deepEqual((await textsOf()).slice(1), ['fits', 'only text', 'is beyond']);
  const { messages } = await data('ticket/messages', { uuid }, { token });
  assert.deepEqual(
    messages.map(({ attachments }: { attachments: unknown[] }) => attachments.length),
    [0, 1, 0, 0],
  );
  // That of others has its own room.
  assert.equal((await (await written()).mail({ body: body('fits', 6) })).state, 'appended');
  await sell({});
});

test('HTML mails become their text, without what they quote', async () => {
  const { mail, textsOf } = await written();
  const html =
    '<html><head><style>p{}</style><title>t</title></head><body><p>It &lt;works&gt;<br>now&amp;then</p>' +
    '<script>alert(1)</script><div>Bye</div><blockquote><p>old</p></blockquote></body></html>';
  await mail({ body: `Content-Type: text/html; charset=utf-8\r\n\r\n${html}` });
  assert.equal((await textsOf()).at(-1), 'It <works>\nnow&then\nBye');
});

test('mails that are too large, or of no form that can be read, wait for an operator', async () => {
  const { to, from, mail } = await written();
  const content = Buffer.from(`From: ${from}\r\n\r\nBegin`);
  await receiveMail(
    pool,
    { content, size: 30_000_000, sender: from, recipient: to, authenticatedDomain: 'example.com' },
    clock.now(),
  );
  const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM incoming_mails WHERE size = 30000000');
  await ticketing.look(rows[0]?.id ?? '');
  assert.equal((await ticketing.mailAt(rows[0]?.id ?? '')).reason, 'too_large');
  let nested = 'Content-Type: text/plain\r\n\r\nx';
  for (let depth = 0; depth < 60; depth += 1)
    nested = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested}\r\n--b${depth}--`;
  assert.equal((await mail({ body: nested })).reason, 'unreadable');
});

test('a mail to a closed ticket is kept and opens nothing; too late it waits for an operator, who may accept it', async () => {
  const { uuid, token, mail, textsOf } = await written();
  await data('ticket/close', { uuid }, { token });
  assert.equal((await mail({ text: 'Not quite.' })).state, 'appended');
  assert.equal((await data('ticket/details', { uuid }, { token })).state, 'closed');
  const { state, unread } = await data('staff/ticket-details', { uuid }, as);
  assert.deepEqual([state, unread], ['closed', 2]);
  const listed = async (query: object) => {
    const { tickets } = await data('staff/ticket-list', { ...query, order: 'desc', per_page: 100 }, as);
    return tickets.some((one: { uuid: string }) => one.uuid === uuid);
  };
  assert.deepEqual([await listed({ unread: true }), await listed({})], [true, false], 'among what is unread');
  clock.set(clock.now().add({ hours: 15 * 24 }));
  const late = await mail({ text: 'Still not.' });
  assert.deepEqual([late.state, late.reason], ['quarantined', 'ticket_closed']);
  const accepted = await data('staff/ticket-quarantine-accept', { uuid: late.id }, as);
  assert.equal(accepted.ticket.uuid, uuid);
  assert.deepEqual((await textsOf()).slice(1), ['Not quite.', 'Still not.']);
  assert.equal((await ticketing.mailAt(late.id)).content, null);
  await refused('state_conflict', 'staff/ticket-quarantine-accept', { uuid: late.id }, as);
});

test('an operator names the ticket of a mail that nobody was written to about, and what cannot be kept is said', async () => {
  const { uuid, textsOf, from } = await written();
  const body = multipart(
    text('Hello'),
    file('a.html', BAD_FILES['page.html']),
    file('a.png', FILES['dot.png']),
  );
  const kept = await receive({ to: SUPPORT, from, body, authenticated: null });
  await refused('validation_failed', 'staff/ticket-quarantine-accept', { uuid: kept.id }, as);
  const accepted = await data('staff/ticket-quarantine-accept', { uuid: kept.id, ticket_uuid: uuid }, as);
  assert.deepEqual(accepted.left_out, ['a.html']);
  assert.equal((await textsOf()).at(-1), 'Hello');
});

test('of mail to nobody the beginning is kept, and no more than so much of all of it', async () => {
  const body = `Content-Type: text/plain\r\n\r\n${'word '.repeat(100_000)}`;
  const kept = await receive({ to: SUPPORT, body });
  assert.equal(kept.reason, 'address_unknown');
  const length = kept.content?.length ?? 0;
  assert.ok(length >= 64 * 1024 && length < 65 * 1024, `${length}`);
  // Addressed to a ticket it waits whole.
  const { uuid, mail } = await written();
  assert.ok(((await mail({ body, authenticated: null })).content?.length ?? 0) > 500_000);
  await pool.pg.query('UPDATE incoming_mails SET content = $2 WHERE id = $1', [
    kept.id,
    Buffer.alloc(STRANGERS_BYTES - 1000),
  ]);
  const over = await receive({ to: SUPPORT, body });
  assert.deepEqual([over.state, over.content], ['quarantined', null]);
  assert.ok(((await mail({ body, authenticated: null })).content?.length ?? 0) > 500_000);
  // What is left of it can be accepted, and thrown away.
  await data('staff/ticket-quarantine-accept', { uuid: over.id, ticket_uuid: uuid }, as);
  await data('staff/ticket-quarantine-discard', { uuid: kept.id }, as);
});

test('of mail that waits for the tickets of one customer no more than so much is kept; that of others is', async () => {
  const [one, other] = [await written(), await written()];
  const kept = await one.mail({ authenticated: null });
  assert.ok(kept.content !== null);
  await pool.pg.query('UPDATE incoming_mails SET content = $2 WHERE id = $1', [
    kept.id,
    Buffer.alloc(CUSTOMERS_BYTES - 10),
  ]);
  const over = await one.mail({ from: 'mallory@example.com' });
  assert.deepEqual([over.state, over.reason, over.content], ['quarantined', 'sender_differs', null]);
  assert.ok((await other.mail({ authenticated: null })).content !== null);
  assert.equal((await one.mail()).state, 'appended', 'what is theirs is not in question');
  await data('staff/ticket-quarantine-discard', { uuid: kept.id }, as);
  assert.ok((await one.mail({ authenticated: null })).content !== null);
});

test('a discarded mail is gone, and cannot be accepted any more', async () => {
  const kept = await receive({ to: SUPPORT });
  await data('staff/ticket-quarantine-discard', { uuid: kept.id }, as);
  assert.deepEqual(
    [(await ticketing.mailAt(kept.id)).state, (await ticketing.mailAt(kept.id)).content],
    ['discarded', null],
  );
  await refused('state_conflict', 'staff/ticket-quarantine-discard', { uuid: kept.id }, as);
});

test('somebody who was removed, or whose account is closed, writes no more', async () => {
  const one = await written();
  await pool.pg.query("UPDATE users SET state = 'disabled' WHERE id = $1", [one.customer.userId]);
  assert.equal((await one.mail()).reason, 'address_unknown');
  const other = await written();
  await pool.pg.query("UPDATE accounts SET state = 'closed' WHERE id = $1", [other.customer.accountId]);
  assert.equal((await other.mail()).reason, 'address_unknown');
});

test('without an address for answers nothing is believed', async () => {
  const { mail } = await written();
  await sell({ address: null });
  assert.equal((await mail()).reason, 'address_unknown');
  await sell({});
});

test('an answer by mail, one by request and a close at one instant: no message is lost, fifty times', async () => {
  for (let round = 0; round < 50; round += 1) {
    const { uuid, token, to, from, textsOf } = await written();
    const content = Buffer.from(`From: ${from}\r\nMessage-ID: <${randomUUID()}@example.com>\r\n\r\nby mail`);
    const mail = {
      content,
      size: content.length,
      sender: from,
      recipient: to,
      authenticatedDomain: 'example.com',
    };
    await receiveMail(pool, mail, clock.now());
    const { rows } = await pool.pg.query<{ id: string }>(
      "SELECT id FROM incoming_mails WHERE state = 'received'",
    );
    const id = rows[0]?.id ?? '';
    const [, request, answer, close] = await Promise.all([
      ticketing.look(id),
      ticketing.call('ticket/message', { uuid, message: 'by request' }, { token }),
      ticketing.call('staff/ticket-reply', { uuid, message: 'by staff' }, as),
      ticketing.call('ticket/close', { uuid, message: 'by close' }, { token }),
    ]);
    // What is refused is told so; what is acknowledged is there.
    assert.ok([200, 409].includes(request.status), request.text);
    const expected = ['by mail'];
    if (request.status === 200) expected.push('by request');
    if (answer.status === 200) expected.push('by staff');
    if (close.status === 200) expected.push('by close');
    assert.equal(answer.status, 200, answer.text);
    assert.ok([200, 409].includes(close.status), close.text);
    const kept = await ticketing.mailAt(id);
    assert.equal(kept.state, 'appended');
    const said = (await textsOf()).slice(1);
    assert.deepEqual(said.toSorted(), expected.toSorted());
    const { messages_count } = await data('ticket/details', { uuid }, { token });
    assert.equal(messages_count, said.length + 1);
  }
});

test('a mail whose account is busy is looked at again, and not lost', async () => {
  const { customer: who, to, from, textsOf } = await written();
  const content = Buffer.from(`From: ${from}\r\n\r\nwaiting`);
  const mail = {
    content,
    size: content.length,
    sender: from,
    recipient: to,
    authenticatedDomain: 'example.com',
  };
  await receiveMail(pool, mail, clock.now());
  const { rows } = await pool.pg.query<{ id: string }>(
    "SELECT id FROM incoming_mails WHERE state = 'received'",
  );
  const id = rows[0]?.id ?? '';
  const impatient = new Pool({
    url: ticketing.database.url,
    size: 1,
    name: 'impatient',
    role: APPLICATION_ROLE,
    lockTimeoutMs: 50,
  });
  await inUnitOfWork(pool, clock.now(), [who.accountId], async () => {
    await assert.rejects(ticketing.look(id, impatient), isLockTimeout);
  }).finally(() => impatient.end());
  assert.equal((await ticketing.mailAt(id)).state, 'received');
  await ticketing.look(id);
  assert.deepEqual((await textsOf()).slice(1), ['waiting']);
});

test('who is no customer has no address', async () => {
  const stranger = await customer(0n);
  const { uuid } = await written();
  const to = await addressOf(uuid, stranger);
  assert.equal((await receive({ to, from: await emailOf(stranger) })).reason, 'address_unknown');
});
