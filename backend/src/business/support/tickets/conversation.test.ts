import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staffToken } from '../../../../test/requests.ts';
import { openTicketing } from '../../../../test/ticketing.ts';
import { attachmentOf, FILES } from '../../../../test/tickets.ts';

const ticketing = await openTicketing();
const { clock, pool, data, refused, asked, staff, mails } = ticketing;
const at = (text: string) => Temporal.Instant.from(text);
const as = { token: staff };
const later = (minutes: number) => clock.set(clock.now().add({ minutes }));
const textsOf = ({ messages }: { messages: { message: string }[] }) => messages.map(({ message }) => message);
const events = async (accountId: string) => {
  const { rows } = await pool.pg.query<{ type: string }>(
    "SELECT type FROM events WHERE account_id = $1 AND type LIKE 'ticket.%' ORDER BY sequence",
    [accountId],
  );
  return rows.map(({ type }) => type);
};

test('a question is answered, rated and closed, and each side knows whose turn it is', async () => {
  const { token, uuid, customer } = await asked();
  const { counts } = await data('account/dashboard', {}, { token });
  assert.deepEqual([counts.tickets_open, counts.tickets_waiting_for_you], [1, 0]);
  const answer = await data('staff/ticket-reply', { uuid, message: 'Please *try* again.' }, as);
  assert.equal(answer.ticket.state, 'answered');
  assert.equal(answer.message.message_html.trim(), '<p>Please <em>try</em> again.</p>');
  assert.deepEqual(answer.message.author, { type: 'staff', name: 'Test Operator' });
  assert.notEqual(answer.ticket.assigned_to, null);
  const waiting = (await data('account/dashboard', {}, { token })).counts;
  assert.deepEqual([waiting.tickets_open, waiting.tickets_waiting_for_you], [1, 1]);
  const said = await data('ticket/message', { uuid, message: 'Thanks!', close: true }, { token });
  assert.equal(said.ticket.state, 'closed');
  const closed = await data('ticket/close', { uuid, rating: 5 }, { token });
  assert.equal(closed.rating, 5);
  assert.deepEqual(await data('ticket/close', { uuid, rating: 1 }, { token }), closed);
  assert.equal((await data('account/dashboard', {}, { token })).counts.tickets_open, 0);
  assert.deepEqual(await events(customer.accountId), ['ticket.created', 'ticket.answered', 'ticket.closed']);
});

test('unread counts grow with what the other side writes, and fall with reading or writing', async () => {
  const { token, uuid } = await asked();
  const unread = async () => [
    (await data('ticket/list', {}, { token })).tickets[0].unread,
    (await data('staff/ticket-details', { uuid }, as)).unread,
  ];
  assert.deepEqual(await unread(), [0, 1]);
  const first = await data('staff/ticket-reply', { uuid, message: 'One' }, as);
  await data('staff/ticket-note', { uuid, message: 'Not for customers' }, as);
  await data('staff/ticket-reply', { uuid, message: 'Two' }, as);
  assert.deepEqual(await unread(), [2, 0]);
  await data('ticket/messages', { uuid }, { token });
  assert.deepEqual(await unread(), [2, 0]);
  await data('ticket/read', { uuid, until: first.message.uuid }, { token });
  assert.deepEqual(await unread(), [1, 0]);
  await data('ticket/read', { uuid }, { token });
  assert.deepEqual(await unread(), [0, 0]);
  await data('ticket/message', { uuid, message: 'Three' }, { token });
  await data('ticket/message', { uuid, message: 'Four' }, { token });
  assert.deepEqual(await unread(), [0, 2]);
  await data('staff/ticket-read', { uuid }, as);
  assert.deepEqual(await unread(), [0, 0]);
});

test('a note is seen by operators and by nobody else: not in messages, counts, search, mails or events', async () => {
  const { token, uuid, customer } = await asked();
  const { message } = await data(
    'staff/ticket-note',
    { uuid, message: 'xylophone', attachments: [attachmentOf('a.png', FILES['dot.png'])] },
    as,
  );
  assert.equal(message.internal, true);
  const own = await data('ticket/messages', { uuid }, { token });
  assert.deepEqual([own.messages.length, own.pagination.total], [1, 1]);
  const details = await data('ticket/details', { uuid }, { token });
  assert.deepEqual([details.messages_count, details.unread, details.state], [1, 0, 'open']);
  assert.equal((await data('ticket/list', { search: 'xylophone' }, { token })).pagination.total, 0);
  assert.equal(
    (await data('staff/ticket-list', { sort: 'updated_at', search: 'xylophone' }, as)).pagination.total,
    1,
  );
  await refused('validation_failed', 'ticket/read', { uuid, until: message.uuid }, { token });
  assert.deepEqual(textsOf(await data('staff/ticket-messages', { uuid }, as)).at(-1), 'xylophone');
  assert.doesNotMatch(JSON.stringify(await mails('ticket.answered')), /xylophone/);
  assert.deepEqual(await events(customer.accountId), ['ticket.created']);
});

test('messages come the oldest first, in pages, and from a moment on', async () => {
  const { token, uuid } = await asked({ message: '0' });
  for (const text of ['1', '2', '3']) {
    later(1);
    await data('ticket/message', { uuid, message: text }, { token });
  }
  const all = await data('ticket/messages', { uuid }, { token });
  assert.deepEqual(textsOf(all), ['0', '1', '2', '3']);
  const page = await data('ticket/messages', { uuid, page: 2, per_page: 3 }, { token });
  assert.deepEqual([textsOf(page), page.pagination.total], [['3'], 4]);
  const after = all.messages[2].created_at;
  assert.deepEqual(textsOf(await data('ticket/messages', { uuid, after }, { token })), ['2', '3']);
  assert.deepEqual(textsOf(await data('ticket/messages', { uuid, order: 'desc' }, { token })), [
    '3',
    '2',
    '1',
    '0',
  ]);
});

test('the clock runs while it waits: from the question, and from each message after an answer', async () => {
  clock.set(at('2027-02-01T09:00:00Z')); // Monday, 10:00 in Berlin
  const { token, uuid } = await asked();
  const due = async () => (await data('staff/ticket-details', { uuid }, as)).due_at;
  assert.equal(await due(), '2027-02-01 13:00:00');
  later(60);
  await data('ticket/message', { uuid, message: 'And another thing' }, { token });
  assert.equal(await due(), '2027-02-01 13:00:00');
  await data('staff/ticket-reply', { uuid, message: 'A' }, as);
  assert.equal(await due(), null);
  const details = await data('ticket/details', { uuid }, { token });
  assert.deepEqual(
    [details.first_response_due_at, details.first_response_at],
    ['2027-02-01 13:00:00', '2027-02-01 10:00:00'],
  );
  clock.set(at('2027-02-01T15:00:00Z'));
  await data('ticket/message', { uuid, message: 'B' }, { token });
  assert.equal(await due(), '2027-02-02 11:00:00');
});

test('urgent is given by operators; what is due follows priority and department, and what was promised stays', async () => {
  clock.set(at('2027-02-01T09:00:00Z'));
  const { token, uuid } = await asked();
  const changed = await data('staff/ticket-update', { uuid, priority: 'urgent' }, as);
  assert.deepEqual(
    [changed.due_at, changed.first_response_due_at],
    ['2027-02-01 09:30:00', '2027-02-01 09:30:00'],
  );
  const moved = await data('staff/ticket-update', { uuid, department: 'billing' }, as);
  assert.equal(moved.due_at, '2027-02-01 10:00:00');
  assert.equal((await data('ticket/details', { uuid }, { token })).priority, 'urgent');
  await data('staff/ticket-reply', { uuid, message: 'A' }, as);
  const after = await data('staff/ticket-update', { uuid, priority: 'low' }, as);
  assert.equal(after.first_response_due_at, '2027-02-01 10:00:00');
  await refused('validation_failed', 'staff/ticket-update', { uuid, department: 'x' }, as);
});

test('what is on hold is due never, until the customer writes', async () => {
  const { token, uuid } = await asked();
  const held = await data('staff/ticket-update', { uuid, state: 'on_hold' }, as);
  assert.deepEqual([held.state, held.due_at, held.waiting_since], ['on_hold', null, null]);
  await data('ticket/message', { uuid, message: 'Any news?' }, { token });
  assert.equal((await data('staff/ticket-details', { uuid }, as)).state, 'open');
});

test('a closed ticket takes no message, opens again for 14 days, and then no more', async () => {
  const { token, uuid, customer } = await asked();
  const { reopenable_until } = await data('ticket/close', { uuid, message: 'Found it.' }, { token });
  assert.equal(
    reopenable_until,
    clock
      .now()
      .add({ hours: 14 * 24 })
      .toString()
      .slice(0, 19)
      .replace('T', ' '),
  );
  assert.equal((await data('ticket/close', { uuid, message: 'Found it.' }, { token })).state, 'closed');
  await refused('ticket_closed', 'ticket/close', { uuid, message: 'Something else' }, { token });
  await refused('ticket_closed', 'ticket/message', { uuid, message: 'Hello?' }, { token });
  await data('ticket/open', { uuid, message: 'Not found.' }, { token });
  const { state_text, closed_at } = await data('ticket/details', { uuid }, { token });
  assert.deepEqual([state_text, closed_at], ['Open', null]);
  assert.deepEqual(textsOf(await data('ticket/messages', { uuid }, { token })).slice(1), [
    'Found it.',
    'Not found.',
  ]);
  await refused('state_conflict', 'ticket/open', { uuid }, { token });
  assert.deepEqual(await events(customer.accountId), ['ticket.created', 'ticket.closed', 'ticket.reopened']);
  await data('ticket/close', { uuid }, { token });
  later(14 * 24 * 60);
  await data('ticket/open', { uuid }, { token });
  await data('ticket/close', { uuid }, { token });
  later(14 * 24 * 60 + 1);
  await refused('reopen_window_expired', 'ticket/open', { uuid }, { token });
  assert.equal((await data('ticket/details', { uuid }, { token })).reopenable_until, null);
});

test('an operator who closes tells the customer by mail, once; with an answer, in that mail', async () => {
  const { uuid, customer } = await asked();
  const other = await asked();
  await data('staff/ticket-update', { uuid, state: 'closed' }, as);
  await data('staff/ticket-update', { uuid, state: 'closed' }, as);
  await data('staff/ticket-reply', { uuid: other.uuid, message: 'Done.', state: 'closed' }, as);
  const to = (userId: string) => async (template: string) =>
    (await mails(template)).filter(({ user_id }) => user_id === userId);
  assert.equal((await to(customer.userId)('ticket.closed')).length, 1);
  const told = to(other.customer.userId);
  assert.equal((await told('ticket.closed')).length, 0);
  const [answer] = await told('ticket.answered');
  assert.deepEqual([answer?.variables.closed, answer?.variables.message], [true, ['Done.']]);
});

test('the queue shows what is due first at the top, what nobody has, and what is late', async () => {
  clock.set(at('2027-03-01T09:00:00Z'));
  await pool.pg.query(
    "UPDATE tickets SET state = 'answered', waiting_since = NULL, due_at = NULL WHERE state = 'open'",
  );
  const [low, high, normal] = [
    await asked({ priority: 'low' }),
    await asked({ priority: 'high' }),
    await asked(),
  ];
  const list = async (input: object = {}) => await data('staff/ticket-list', input, as);
  const uuids = ({ tickets }: { tickets: { uuid: string }[] }) => tickets.map(({ uuid }) => uuid);
  assert.deepEqual(uuids(await list()), [high.uuid, normal.uuid, low.uuid]);
  await data('staff/ticket-assign', { uuid: high.uuid }, as);
  assert.deepEqual(uuids(await list({ assigned: 'me' })), [high.uuid]);
  assert.deepEqual(uuids(await list({ assigned: 'nobody' })), [normal.uuid, low.uuid]);
  await data('staff/ticket-assign', { uuid: high.uuid, operator_uuid: null }, as);
  assert.deepEqual(uuids(await list({ assigned: 'me' })), []);
  later(90);
  const late = await list({ overdue: true });
  assert.deepEqual(uuids(late), [high.uuid]);
  assert.equal(late.tickets[0].overdue, true);
  assert.deepEqual([late.counts.open, late.counts.overdue, late.counts.unassigned], [3, 1, 3]);
  assert.deepEqual(uuids(await list({ priority: 'low' })), [low.uuid]);
  assert.deepEqual(uuids(await list({ customer_uuid: normal.customer.accountId })), [normal.uuid]);
  assert.deepEqual(uuids(await list({ search: normal.created.number })), [normal.uuid]);
  await refused('operation_not_found', 'staff/ticket-list', {}, { token: low.token });
});

test('tickets are given to operators, and to nobody else', async () => {
  const { uuid, customer } = await asked();
  await refused('validation_failed', 'staff/ticket-assign', { uuid, operator_uuid: customer.userId }, as);
  const other = await staffToken(ticketing);
  await data('staff/ticket-assign', { uuid }, { token: other });
  assert.equal((await data('ticket/details', { uuid }, { token: customer.secret })).assigned, true);
});

test('merged tickets lose no message, keep their order in time, and answers go on in one of them', async () => {
  const { token, uuid, customer } = await asked({ message: '1' });
  later(1);
  const second = await data(
    'ticket/create',
    { subject: 'Once more', message: '2', department: 'technical' },
    { token },
  );
  later(1);
  await data('ticket/message', { uuid, message: '3' }, { token });
  later(1);
  await data('staff/ticket-note', { uuid: second.uuid, message: '4' }, as);
  await data('ticket/message', { uuid: second.uuid, message: '5' }, { token });
  const { merged, into } = await data('staff/ticket-merge', { uuid: second.uuid, into_uuid: uuid }, as);
  assert.deepEqual([merged.state, merged.merged_into, into.state], ['closed', uuid, 'open']);
  assert.deepEqual(textsOf(await data('staff/ticket-messages', { uuid }, as)), ['1', '2', '3', '4', '5']);
  assert.deepEqual(textsOf(await data('ticket/messages', { uuid }, { token })), ['1', '2', '3', '5']);
  assert.equal((await data('ticket/details', { uuid }, { token })).messages_count, 4);
  await data('ticket/message', { uuid, message: '6' }, { token });
  await refused('reopen_window_expired', 'ticket/open', { uuid: second.uuid }, { token });
  await refused('state_conflict', 'staff/ticket-reply', { uuid: second.uuid, message: 'x' }, as);
  const email = await ticketing.emailOf(customer);
  const mail = await ticketing.receive({
    from: email,
    to: await ticketing.addressOf(second.uuid, customer),
    text: '7',
  });
  assert.equal(mail.state, 'appended');
  assert.deepEqual(textsOf(await data('ticket/messages', { uuid }, { token })), [
    '1',
    '2',
    '3',
    '5',
    '6',
    '7',
  ]);
  assert.equal((await data('ticket/list', { search: 'once more' }, { token })).tickets[0].uuid, uuid);
});

test('in a merged ticket, too, who has read to the last message that is shown has read everything', async () => {
  const { token, uuid } = await asked();
  later(1);
  const input = { subject: 'Once more', message: 'b', department: 'technical' };
  const second = await data('ticket/create', input, { token });
  later(1);
  const early = await data('staff/ticket-reply', { uuid: second.uuid, message: 'To the second' }, as);
  later(1);
  const late = await data('staff/ticket-reply', { uuid, message: 'To the first' }, as);
  await data('staff/ticket-merge', { uuid: second.uuid, into_uuid: uuid }, as);
  const read = async (until: string) => (await data('ticket/read', { uuid, until }, { token })).unread;
  assert.equal(await read(early.message.uuid), 1);
  assert.equal(await read(late.message.uuid), 0);
  assert.equal(await read(early.message.uuid), 0);
});

test('canned replies are listed by department, and made and removed by operators', async () => {
  const body = { en: 'Please restart.', de: 'Bitte neu starten.' };
  const made = await data(
    'staff/ticket-canned-reply-create',
    { title: 'B', body, department: 'technical' },
    as,
  );
  await data('staff/ticket-canned-reply-create', { title: 'A', body }, as);
  await refused('already_exists', 'staff/ticket-canned-reply-create', { title: 'A', body }, as);
  const titles = async (input: object = {}) =>
    (await data('staff/ticket-canned-replies', input, as)).replies.map(
      ({ title }: { title: string }) => title,
    );
  assert.deepEqual(await titles(), ['A', 'B']);
  assert.deepEqual(await titles({ department: 'billing' }), ['A']);
  await data('staff/ticket-canned-reply-delete', { uuid: made.uuid }, as);
  assert.deepEqual(await titles(), ['A']);
});

test('counts of states are what there is, whatever happened', async () => {
  const { rows } = await pool.pg.query<{ wrong: string }>(
    `SELECT coalesce(c.account_id, t.account_id) AS wrong
     FROM (SELECT * FROM ticket_counts WHERE tickets > 0) c
     FULL JOIN (SELECT account_id, state, count(*) AS tickets FROM tickets GROUP BY 1, 2) t USING (account_id, state)
     WHERE c.tickets IS DISTINCT FROM t.tickets`,
  );
  assert.deepEqual(rows, []);
  const messages = await pool.pg.query(
    `SELECT t.id FROM tickets t WHERE t.messages_count <>
       (SELECT count(*) FROM ticket_messages m WHERE m.ticket_id = t.id AND NOT m.internal)
     OR t.messages_seq <> (SELECT max(seq) FROM ticket_messages m WHERE m.ticket_id = t.id)`,
  );
  assert.deepEqual(messages.rows, []);
});
