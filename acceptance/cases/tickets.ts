import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { newCustomer } from '../customer.ts';
import { addedMessage, closed, created, details, list, messages, opened } from '../documented/ticket.ts';
import { refusal, success } from '../envelope.ts';
import { assertForeign } from '../foreign.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';
import { staff } from '../session.ts';

const QUESTION = {
  subject: 'My server does not start',
  message: 'Since this morning it stays **off**.',
  department: 'technical',
};
const LOG = Buffer.from('It was on.\nIt is off.\n');
const ATTACHED = {
  filename: 'server.log',
  content_type: 'text/plain',
  content_base64: LOG.toString('base64'),
};

/** A customer's questions and an operator's answers. */
export function ticketCases({ api }: Installation, operator: Operator): void {
  const someone = async () => (await newCustomer(api, operator)).api;
  const ask = async (customer: Api, more: object = {}): Promise<JsonObject> =>
    success(await customer.post('ticket/create', { ...QUESTION, ...more }), created);

  test('each operation on tickets has its one method', async () => {
    for (const [wrong, path] of [
      ['POST', 'ticket/messages'],
      ['GET', 'ticket/message'],
      ['POST', 'ticket/details'],
      ['GET', 'ticket/create'],
      ['GET', 'ticket/open'],
      ['GET', 'ticket/close'],
      ['POST', 'ticket/list'],
    ] as const)
      refusal(await api.call(wrong, path), 405, 'method_not_allowed');
  });

  test('a question is asked, answered, rated and opened again, and each answer has every documented field', async () => {
    const customer = await someone();
    const desk = await staff(api);
    const ticket = await ask(customer);
    const uuid = stringAt(ticket, '/uuid');
    const state = async () => success(await customer.get('ticket/details', { uuid }), details).state;
    assert.deepEqual([ticket.priority, ticket.duplicate_of], ['normal', null]);
    const waiting = success(await customer.get('ticket/list'), list);
    assert.deepEqual(
      [waiting.counts, at(waiting, '/tickets/0/uuid')],
      [{ open: 1, answered: 0, on_hold: 0, closed: 0 }, uuid],
    );
    success(await customer.post('ticket/message', { uuid, message: 'It is server 7.' }), addedMessage);
    success(await desk.post('staff/ticket-note', { uuid, message: 'Power supply?' }));
    success(await desk.post('staff/ticket-reply', { uuid, message: 'Please try *again*.' }));
    assert.equal(await state(), 'answered');
    const said = listAt(success(await customer.get('ticket/messages', { uuid }), messages), '/messages');
    assert.deepEqual(
      said.map((one) => [at(one, '/author/type'), at(one, '/message')]),
      [
        ['customer', QUESTION.message],
        ['customer', 'It is server 7.'],
        ['staff', 'Please try *again*.'],
      ],
    );
    assert.equal(stringAt(said[2] ?? null, '/message_html').trim(), '<p>Please try <em>again</em>.</p>');
    const first = success(
      await customer.post('ticket/close', { uuid, message: 'Thanks!', rating: 5 }),
      closed,
    );
    assert.deepEqual(success(await customer.post('ticket/close', { uuid }), closed), first);
    refusal(await customer.post('ticket/message', { uuid, message: 'One more' }), 409, 'ticket_closed');
    success(await customer.post('ticket/open', { uuid, message: 'It is off again.' }), opened);
    assert.equal(await state(), 'open');
    refusal(await customer.post('ticket/open', { uuid }), 409, 'state_conflict');
    const found = success(await customer.get('ticket/list', { search: 'server 7', state: 'open' }), list);
    assert.equal(at(found, '/pagination/total'), 1);
  });

  test('what is attached comes back as it was, as a file and never as a page', async () => {
    const customer = await someone();
    const uuid = stringAt(await ask(customer, { attachments: [ATTACHED] }), '/uuid');
    const read = success(await customer.get('ticket/messages', { uuid }), messages);
    const file = at(read, '/messages/0/attachments/0');
    assert.equal(at(file, '/sha256'), createHash('sha256').update(LOG).digest('hex'));
    const answer = await customer.call('GET', new URL(stringAt(file, '/url')).pathname, { token: null });
    assert.deepEqual([answer.status, answer.text], [200, LOG.toString()]);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.match(answer.headers['content-disposition'] ?? '', /^attachment;/);
    const page = { ...ATTACHED, content_base64: Buffer.from('<html><script>').toString('base64') };
    refusal(
      await customer.post('ticket/create', { ...QUESTION, attachments: [page] }),
      422,
      'validation_failed',
    );
  });

  test('hypertext in a message is text', async () => {
    const customer = await someone();
    const uuid = stringAt(await ask(customer, { message: '<img src=x onerror=alert(1)>' }), '/uuid');
    const read = success(await customer.get('ticket/messages', { uuid }), messages);
    assert.match(stringAt(read, '/messages/0/message_html'), /&lt;img/);
  });

  test('the same question within ten minutes names the first one; with one key there is one ticket', async () => {
    const customer = await someone();
    const first = await ask(customer);
    assert.equal((await ask(customer)).duplicate_of, first.uuid);
    const key = { 'idempotency-key': randomUUID() };
    const twice = await Promise.all([1, 2].map(() => customer.post('ticket/create', QUESTION, key)));
    const uuids = twice.filter(({ status }) => status === 200).map(({ body }) => at(body, '/data/uuid'));
    assert.equal(new Set(uuids).size, 1);
    assert.equal(at(success(await customer.get('ticket/list'), list), '/pagination/total'), 3);
  });

  test('what cannot be asked is refused by the field', async () => {
    const customer = await someone();
    for (const [pointer, wrong] of [
      ['/subject', { subject: 'No' }],
      ['/message', { message: ' ' }],
      ['/department', { department: 'kitchen' }],
      ['/priority', { priority: 'urgent' }],
      ['/resource', { resource: { type: 'server', uuid: randomUUID() } }],
    ] as const) {
      const body = refusal(
        await customer.post('ticket/create', { ...QUESTION, ...wrong }),
        422,
        'validation_failed',
      );
      assert.equal(at(body, '/errors/0/pointer'), pointer);
    }
  });

  test('a ticket is to other customers as if it never was', async () => {
    const [customer, stranger] = [await someone(), await someone()];
    const uuid = stringAt(await ask(customer), '/uuid');
    await assertForeign(stranger, [
      ['GET', 'ticket/messages', uuid, {}],
      ['GET', 'ticket/details', uuid, {}],
      ['POST', 'ticket/message', uuid, { message: 'Mine' }],
      ['POST', 'ticket/open', uuid, {}],
      ['POST', 'ticket/close', uuid, {}],
    ]);
    assert.deepEqual(listAt(success(await stranger.get('ticket/list'), list), '/tickets'), []);
  });
}
