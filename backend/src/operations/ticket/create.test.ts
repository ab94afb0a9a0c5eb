// Slow: 3 s

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openTicketing, TICKET } from '../../../test/ticketing.ts';
import { attachmentOf, BAD_FILES, FILES } from '../../../test/tickets.ts';

const at = (text: string) => Temporal.Instant.from(text);
const fixture = await openTicketing({ holidays: ['2027-01-18'] });
const { clock, pool, customer, data, refused, call, asked, storeFiles, download, storage, mails } = fixture;

test('a ticket has a number, waits for the provider, and says by when it is answered', async () => {
  // Friday 13:00 in Berlin; four hours of work are the promise, and Monday is a holiday.
  clock.set(at('2027-01-15T12:30:00Z'));
  const { created, token, uuid } = await asked();
  assert.match(created.number, /^T-\d{6}$/);
  assert.deepEqual([created.state, created.priority, created.duplicate_of], ['open', 'normal', null]);
  assert.equal(created.first_response_due_at, '2027-01-19 08:30:00');
  const details = await data('ticket/details', { uuid }, { token });
  assert.equal(details.first_response_due_at, '2027-01-19 08:30:00');
  assert.deepEqual([details.messages_count, details.unread, details.assigned], [1, 0, false]);
  assert.equal(details.last_message.excerpt, TICKET.message);
  clock.set(at('2027-01-15T12:00:00Z'));
});

test('high priority is due sooner, and urgent is for operators to give', async () => {
  const { created } = await asked({ priority: 'high' });
  assert.equal(created.first_response_due_at, '2027-01-15 13:00:00');
  const { secret: token } = await customer(0n);
  await refused('validation_failed', 'ticket/create', { ...TICKET, priority: 'urgent' }, { token });
});

test('a department that there is not is refused, and named are those that there are', async () => {
  const { secret: token } = await customer(0n);
  const { errors } = await refused(
    'validation_failed',
    'ticket/create',
    { ...TICKET, department: 'x' },
    { token },
  );
  assert.deepEqual(errors[0].allowed, ['sales', 'billing', 'technical', 'domain', 'abuse']);
});

test('the same text within ten minutes is a ticket that names the first; later, or another customer’s, is not', async () => {
  const { token, uuid } = await asked();
  const again = await data('ticket/create', { ...TICKET, subject: 'Again' }, { token });
  assert.equal(again.duplicate_of, uuid);
  assert.equal((await data('ticket/create', { ...TICKET, message: 'Other' }, { token })).duplicate_of, null);
  assert.equal((await asked()).created.duplicate_of, null);
  clock.set(clock.now().add({ minutes: 11 }));
  assert.equal((await data('ticket/create', TICKET, { token })).duplicate_of, null);
});

test('it is about a thing of one’s own, and nobody else’s', async () => {
  const [one, other] = await Promise.all([customer(0n), customer(0n)]);
  const id = randomUUID();
  await pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, created_at) VALUES ($1, $2, 'server', 'x', 'web', 'active', true, 1, 'month', 1, '2028-01-01', '2027-01-01')`,
    [id, one.accountId],
  );
  const resource = { type: 'server', uuid: id };
  const { uuid } = await data('ticket/create', { ...TICKET, resource }, { token: one.secret });
  assert.deepEqual((await data('ticket/details', { uuid }, { token: one.secret })).resource, resource);
  const { tickets } = await data('ticket/list', { resource_uuid: id }, { token: one.secret });
  assert.deepEqual(
    tickets.map((found: { uuid: string }) => found.uuid),
    [uuid],
  );
  for (const [token, wrong] of [
    [other.secret, resource],
    [one.secret, { type: 'webspace', uuid: id }],
    [one.secret, { type: 'invoice', uuid: randomUUID() }],
  ] as const) {
    const { errors } = await refused(
      'validation_failed',
      'ticket/create',
      { ...TICKET, resource: wrong },
      { token },
    );
    assert.equal(errors[0].pointer, '/resource');
  }
});

test('whoever asked is told by mail, once, that it came, and nothing that they typed', async () => {
  const { customer: who, created } = await asked({ subject: 'Buy pills at evil.example' });
  const told = (await mails('ticket.created')).filter(({ user_id }) => user_id === who.userId);
  assert.deepEqual(
    told.map(({ variables }) => variables),
    [{ number: created.number, by_mail: true }],
  );
});

const files = Object.entries(FILES).map(([name, content]) => attachmentOf(name, content, 'text/html'));

test('files of every allowed kind are kept, and offered to be saved under their name and nothing else', async () => {
  const { token, uuid } = await asked({ attachments: files });
  const fetch = async () => (await data('ticket/messages', { uuid }, { token })).messages[0].attachments;
  const attached = await fetch();
  assert.equal(attached.length, files.length);
  for (const when of ['in the database', 'in the storage']) {
    for (const [index, { filename, content_type, size, sha256, url }] of (await fetch()).entries()) {
      const content = Object.values(FILES)[index] ?? Buffer.alloc(0);
      assert.equal(filename, Object.keys(FILES)[index]);
      assert.equal(sha256, createHash('sha256').update(content).digest('hex'));
      assert.equal(size, content.length);
      const answer = await download(url);
      assert.ok(answer.rawPayload.equals(content), `${filename} ${when}`);
      assert.equal(answer.headers['content-type'], content_type);
      assert.doesNotMatch(String(answer.headers['content-type']), /html|svg|javascript/);
      assert.equal(answer.headers['content-disposition'], `attachment; filename="${filename}"`);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.match(String(answer.headers['content-security-policy']), /sandbox/);
    }
    await storeFiles();
  }
  const { rows } = await pool.pg.query('SELECT FROM ticket_attachments WHERE content IS NOT NULL');
  assert.equal(rows.length, 0);
  const [first] = attached;
  assert.notEqual(await storage.read(first.sha256), null);
});

test('a link is good for 15 minutes, and a changed one for nothing', async () => {
  const { token, uuid } = await asked({ attachments: files.slice(0, 1) });
  const { url } = (await data('ticket/messages', { uuid }, { token })).messages[0].attachments[0];
  assert.notEqual((await download(`${url.slice(0, -2)}aa`)).statusCode, 200);
  clock.set(clock.now().add({ minutes: 14 }));
  assert.equal((await download(url)).statusCode, 200);
  clock.set(clock.now().add({ minutes: 2 }));
  assert.notEqual((await download(url)).statusCode, 200);
});

test('names in any script are kept, and none breaks a header', async () => {
  const names = ['Rechnung für Müller & Söhne.txt', '日本語.txt', 'a"b;c\'d%41.txt', '100%.txt'];
  const { token, uuid } = await asked({
    attachments: names.map((name) => attachmentOf(name, FILES['notes.txt'])),
  });
  const { attachments } = (await data('ticket/messages', { uuid }, { token })).messages[0];
  for (const [index, { filename, url }] of attachments.entries()) {
    assert.equal(filename, names[index]);
    const disposition = String((await download(url)).headers['content-disposition']);
    assert.match(disposition, /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.~-]+$/);
    assert.equal(decodeURIComponent(disposition.split("''")[1] ?? ''), names[index]);
  }
});

for (const [name, content] of Object.entries(BAD_FILES))
  test(`${name} is refused`, async () => {
    const { secret: token } = await customer(0n);
    const attachments = [files[0], attachmentOf(name, content, 'image/png')];
    const { errors } = await refused(
      'validation_failed',
      'ticket/create',
      { ...TICKET, attachments },
      { token },
    );
    assert.equal(errors[0].pointer, '/attachments/1/content_base64');
  });

test('paths, hidden letters, and what is not Base 64 are refused; an eleventh file too', async () => {
  const { secret: token } = await customer(0n);
  const [file] = files;
  for (const wrong of [
    { ...file, filename: '../etc/passwd' },
    { ...file, filename: 'a\\b.txt' },
    { ...file, filename: 'gnp.\u202etxt' },
    { ...file, filename: '' },
    { ...file, content_base64: 'not base 64!' },
    { ...file, content_base64: 'YQ' },
    { ...file, content_base64: '' },
  ])
    await refused('validation_failed', 'ticket/create', { ...TICKET, attachments: [wrong] }, { token });
  const eleven = Array.from({ length: 11 }, () => file);
  await refused('validation_failed', 'ticket/create', { ...TICKET, attachments: eleven }, { token });
});

test('ten mebibytes together are taken, a byte more is not, and nothing of the files is in the audit', async () => {
  const { secret: token, accountId } = await customer(0n);
  const half = attachmentOf('a.txt', Buffer.alloc(5 * 1024 * 1024, 'a'));
  const most = await call('ticket/create', { ...TICKET, attachments: [half, half] }, { token });
  assert.equal(most.status, 200, most.text.slice(0, 300));
  const more = [half, half, attachmentOf('b.txt', Buffer.from('b'))];
  await refused('payload_too_large', 'ticket/create', { ...TICKET, attachments: more }, { token });
  const { rows } = await pool.pg.query<{ size: number }>(
    'SELECT length(input::text) AS size FROM audit WHERE account_id = $1',
    [accountId],
  );
  assert.ok(
    rows.every(({ size }) => size < 2_000),
    JSON.stringify(rows),
  );
});

test("a customer's files are kept up to so many bytes of their account, whatever ticket they are in", async () => {
  await fixture.sell({ files_mib: 10 });
  const { uuid, token } = await asked();
  const attachments = (mib: number) => [attachmentOf('a.txt', Buffer.alloc(mib * 1024 * 1024, 'a'))];
  const said = { uuid, message: 'See here.' };
  await data('ticket/message', { ...said, attachments: attachments(6) }, { token });
  for (const [path, input] of [
    ['ticket/message', said],
    ['ticket/create', TICKET],
  ] as const) {
    const full = await refused('limit_reached', path, { ...input, attachments: attachments(6) }, { token });
    assert.deepEqual([full.limit, full.limited], [10, 'MiB of attachments']);
  }
  // Text goes on, and what still fits; at the same time, too, no more than that.
  await data('ticket/message', said, { token });
  const together = await Promise.all(
    [1, 2, 3, 4].map(() => call('ticket/message', { ...said, attachments: attachments(3) }, { token })),
  );
  assert.deepEqual(together.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  // Operators answer with files all the same, and other customers have their own room.
  await data('staff/ticket-reply', { ...said, attachments: attachments(6) }, { token: fixture.staff });
  const other = await asked({ attachments: attachments(6) });
  assert.ok(other.uuid);
  await fixture.sell({ holidays: ['2027-01-18'] });
});

test('a repeated request with its key is one ticket', async () => {
  const { secret: token } = await customer(0n);
  const key = randomUUID();
  const [one, two] = [
    await data('ticket/create', TICKET, { token, key }),
    await data('ticket/create', TICKET, { token, key }),
  ];
  assert.equal(one.uuid, two.uuid);
  assert.equal((await data('ticket/list', {}, { token })).pagination.total, 1);
});

test('a token for certain things asks about those, and sees the tickets about them and no others', async () => {
  const who = await customer(0n);
  const [id, other] = [randomUUID(), randomUUID()];
  await pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, created_at)
     SELECT id, $2, 'server', 'x', 'web', 'active', true, 1, 'month', 1, '2028-01-01', '2027-01-01'
     FROM unnest($1::uuid[]) id`,
    [[id, other], who.accountId],
  );
  const all = { token: who.secret };
  await data('ticket/create', TICKET, all);
  await data('ticket/create', { ...TICKET, resource: { type: 'server', uuid: other } }, all);
  await pool.pg.query('UPDATE tokens SET resource_allowlist = ARRAY[$2::uuid] WHERE id = $1', [
    who.tokenId,
    id,
  ]);
  // What a token may do is remembered for less than a second, by requests of its own secret only.
  const narrow = openRequests({ ...fixture });
  const sent = { token: who.secret };
  await narrow.refused('validation_failed', 'ticket/create', TICKET, sent);
  await narrow.refused(
    'validation_failed',
    'ticket/create',
    { ...TICKET, resource: { type: 'server', uuid: other } },
    sent,
  );
  const { uuid } = await narrow.data(
    'ticket/create',
    { ...TICKET, resource: { type: 'server', uuid: id } },
    sent,
  );
  const { tickets, counts, pagination } = await narrow.data('ticket/list', {}, sent);
  assert.deepEqual(
    [tickets.map((found: { uuid: string }) => found.uuid), counts.open, pagination.total],
    [[uuid], 1, 1],
  );
  await narrow.data('ticket/details', { uuid }, sent);
});
