import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTicketing } from '../../../../test/ticketing.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import closeUnanswered from './close-unanswered.job.ts';

const DAYS = 7;
const ticketing = await openTicketing({ close_days: DAYS });
const { pool, clock, data, asked, staff, mails, sell } = ticketing;
const as = { token: staff };
const later = (time: { hours?: number; minutes?: number }) => clock.set(clock.now().add(time));
const sweep = () => ticketing.run(closeUnanswered, {});
const stateOf = async (uuid: string) => (await data('staff/ticket-details', { uuid }, as)).state;

/** A customer with a ticket that an operator has answered. */
async function answered() {
  const ticket = await asked();
  await data('staff/ticket-reply', { uuid: ticket.uuid, message: 'Please try again.' }, as);
  const told = async () =>
    (await mails('ticket.closed')).filter(({ user_id }) => user_id === ticket.customer.userId);
  return { ...ticket, told };
}

test('an answered ticket is closed when nothing was said for so long, once, with one mail, and can be opened again', async () => {
  const { uuid, token, customer, told } = await answered();
  later({ minutes: DAYS * 24 * 60 - 1 });
  await sweep();
  assert.equal(await stateOf(uuid), 'answered');
  later({ minutes: 1 });
  await Promise.all([sweep(), sweep()]);
  await sweep();
  assert.equal(await stateOf(uuid), 'closed');
  const [mail, ...more] = await told();
  assert.deepEqual([mail?.variables.silent_days, more.length], [DAYS, 0]);
  const { rows } = await pool.pg.query(
    "SELECT body->>'by' AS by FROM events WHERE account_id = $1 AND type = 'ticket.closed'",
    [customer.accountId],
  );
  assert.deepEqual(rows, [{ by: 'system' }]);
  await data('ticket/open', { uuid, message: 'Still not.' }, { token });
  later({ hours: DAYS * 48 });
  await sweep();
  assert.equal(await stateOf(uuid), 'open', 'what waits for us is never closed by itself');
});

test('the days count from the last thing that was said; a note between operators is none', async () => {
  const { uuid } = await answered();
  later({ hours: 24 });
  await data('staff/ticket-reply', { uuid, message: 'Did it help?' }, as);
  later({ hours: (DAYS - 1) * 24 });
  await data('staff/ticket-note', { uuid, message: 'No answer yet.' }, as);
  await sweep();
  assert.equal(await stateOf(uuid), 'answered');
  later({ hours: 24 });
  await sweep();
  assert.equal(await stateOf(uuid), 'closed');
});

test('a customer who writes while tickets are being closed is heard, and the others are closed', async () => {
  const [busy, other] = [await answered(), await answered()];
  later({ hours: DAYS * 24 });
  await inUnitOfWork(pool, clock.now(), [busy.customer.accountId], () => sweep());
  assert.deepEqual([await stateOf(busy.uuid), await stateOf(other.uuid)], ['answered', 'closed']);
  await data('ticket/message', { uuid: busy.uuid, message: 'One more thing' }, { token: busy.token });
  await sweep();
  assert.equal(await stateOf(busy.uuid), 'open');
});

test('without days in the catalogue nothing is closed by itself', async () => {
  const { uuid, told } = await answered();
  await sell({ close_days: null });
  later({ hours: 1000 * 24 });
  await sweep();
  assert.deepEqual([await stateOf(uuid), await told()], ['answered', []]);
});
