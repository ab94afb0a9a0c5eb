import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTicketing } from '../../../../test/ticketing.ts';

const ticketing = await openTicketing();
const { pool, clock, data, asked, staff } = ticketing;

/** What a customer finds, and what an operator does, in the order of the tickets given. */
async function found(search: string, { token }: { token: string }) {
  const uuids = async (path: string, input: object, by: string) =>
    (await data(path, { ...input, search, per_page: 100 }, { token: by })).tickets.map(
      ({ uuid }: { uuid: string }) => uuid,
    );
  return {
    own: await uuids('ticket/list', {}, token),
    all: await uuids('staff/ticket-list', { sort: 'updated_at' }, staff),
  };
}

/** Writes very much into a ticket, a message a second from so many seconds on. */
async function write({ uuid }: { uuid: string }, body: string, count: number, from: number): Promise<void> {
  await pool.pg.query(
    `INSERT INTO ticket_messages (ticket_id, seq, id, account_id, author_type, author_name, internal, body, created_at)
     SELECT t.id, (SELECT max(seq) FROM ticket_messages m WHERE m.ticket_id = t.id) + n, uuidv7(), t.account_id,
       'customer', 'A', false, $2, $3::timestamptz + n * interval '1 second'
     FROM tickets t, generate_series(1, $4::int) n WHERE t.id = $1`,
    [uuid, body, clock.now().add({ seconds: from }).toString(), count],
  );
}

test('words are found in whatever form, together in one message, in the subject too, and by nobody else’s customer', async () => {
  const one = await asked({ subject: 'Zwei Domänen', message: 'I have been restarting my servers.' });
  const other = await asked({ message: 'The servers restart.' });
  for (const words of ['restarted server', 'DOMÄNE', 'restarting zwei'])
    assert.deepEqual((await found(words, one)).own, [one.uuid], words);
  for (const words of ['restart printer', '!!', 'account', `account ${one.customer.accountId}`])
    assert.deepEqual((await found(words, one)).own, [], words);
  assert.deepEqual(new Set((await found('servers', other)).all), new Set([one.uuid, other.uuid]));
});

test('a rare word is found however long ago it was said; of a frequent one the newest are', async () => {
  const old = await asked({ message: 'quince' });
  const sent = { token: old.token };
  const create = async (message: string) =>
    String(
      (await data('ticket/create', { subject: 'Another', message, department: 'technical' }, sent)).uuid,
    );
  const [early, late] = [await create('early plum'), await create('late plum')];
  await write({ uuid: early }, 'plum', 300, 0);
  await write({ uuid: late }, 'filling', 1_000, 1_000);
  await write({ uuid: late }, 'plum', 150, 3_000);
  assert.deepEqual(await found('quince', sent), { own: [old.uuid], all: [old.uuid] });
  assert.deepEqual(await found('plum', sent), { own: [late], all: [late] });
  assert.deepEqual((await found('early plum', sent)).own, [early]);
  assert.deepEqual((await found('!!', sent)).own, []);
});
