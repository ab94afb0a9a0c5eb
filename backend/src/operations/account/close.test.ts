// Slow: 5 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { LICENSE } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import { hashPassword } from '../../business/core/access/password.ts';

const site = await openServers();
const { pool, clock } = site;
const { data, refused } = openRequests(site);
const staff = { token: await staffToken(site) };
const PASSWORD = 'correct horse battery staple';
const hash = await hashPassword(PASSWORD);
const PAYOUT = { iban: 'de89 3704 0044 0532 0130 00', account_holder: 'Ada Lovelace' };

/** A customer with a license and a server that runs, and money left. */
async function running() {
  const who = await site.customer(100_000n);
  await pool.pg.query('UPDATE users SET password_hash = $2, email_verified_at = created_at WHERE id = $1', [
    who.userId,
    hash,
  ]);
  const term = { duration: 1, duration_unit: 'month', tos: true, cancellation: true };
  await data('panel/order', { pack_uuid: LICENSE, ...term }, { token: who.secret });
  const { server_uuid } = await site.order(who);
  return { who, server: server_uuid, token: { token: who.secret } };
}

async function rows(sql: string, values: unknown[] = []) {
  return (await pool.pg.query(sql, values)).rows;
}

test('a closing is stated first, then done: services, balance, tokens, invoices', async () => {
  const { who, server, token } = await running();
  const ask = (more: object) => ({ password: PASSWORD, ...more });
  const early = await data('account/close', ask({ dry_run: true }), token);
  // The server is not there yet: its money is on hold.
  assert.deepEqual(early.preview.obstacles, ['services_running', 'orders_open', 'payout_account_missing']);
  await site.work();
  await refused('closing_blocked', 'account/close', ask({ payout: PAYOUT }), token);
  await refused('password_invalid', 'account/close', ask({ password: 'guess', dry_run: true }), token);
  const wanted = ask({ end_services: true, payout: PAYOUT });
  const before = await rows('SELECT id, state FROM services WHERE account_id = $1 ORDER BY id', [
    who.accountId,
  ]);
  clock.set(clock.now().add({ hours: 24 * 10 }));
  const { preview } = await data('account/close', { ...wanted, dry_run: true }, token);
  assert.deepEqual(preview.obstacles, []);
  assert.deepEqual(
    await rows('SELECT id, state FROM services WHERE account_id = $1 ORDER BY id', [who.accountId]),
    before,
  );
  assert.equal(preview.payout, Math.round((preview.balance + preview.refunded) * 100) / 100);
  assert.ok(preview.refunded > 0);
  assert.equal(preview.archive.kept_until, '2037-12-31');

  const kept = randomUUID();
  await pool.pg.query(
    `INSERT INTO payment_methods (id, account_id, provider, provider_ref, label, created_at)
     VALUES ($1, $2, 'sandbox', 'a method', 'Visa 4242', $3)`,
    [kept, who.accountId, clock.now().toString()],
  );
  assert.deepEqual(await data('account/close', wanted, token), preview);
  // What they paid with is removed here, and forgotten by its provider.
  assert.deepEqual(
    await rows('SELECT removed_at IS NOT NULL AS removed FROM payment_methods WHERE id = $1', [kept]),
    [{ removed: true }],
  );
  const forgetting = await site.queue.query(
    'SELECT FROM graphile_worker._private_jobs WHERE payload::text LIKE $1',
    [`%${kept}%`],
  );
  assert.equal(forgetting.rowCount, 1);
  assert.deepEqual(await site.booksProblems(), []);
  assert.equal(await site.balanceOf(who), 0n);
  assert.deepEqual(await rows('SELECT DISTINCT state FROM services WHERE account_id = $1', [who.accountId]), [
    { state: 'cancelled' },
  ]);
  // Every token has ended, and the server is off.
  const open = 'SELECT FROM tokens WHERE account_id = $1 AND revoked_at IS NULL';
  assert.deepEqual(await rows(open, [who.accountId]), []);
  await site.work();
  assert.equal((await site.machines()).find(({ server_id }) => server_id === server)?.power, 'stopped');
  const { state } = await data('staff/customer', { uuid: who.accountId }, staff);
  assert.equal(state, 'closed');
  // Whoever it was is told, although nothing else is mailed to a closed account.
  assert.deepEqual(
    await rows(
      `SELECT template, state FROM mails WHERE account_id = $1 AND template IN ('account.closed', 'service.cancelled')
       ORDER BY template`,
      [who.accountId],
    ),
    ['account.closed', 'service.cancelled', 'service.cancelled'].map((template) => ({
      template,
      state: 'sent',
    })),
  );

  const { payouts } = await data('staff/payouts', {}, staff);
  assert.deepEqual(
    payouts.map(({ account_uuid, amount, iban, account_holder }: Record<string, unknown>) => [
      account_uuid,
      amount,
      iban,
      account_holder,
    ]),
    [[who.accountId, preview.payout, 'DE89370400440532013000', 'Ada Lovelace']],
  );
  const paid = { account_uuid: who.accountId, reference: 'Closing 1' };
  await data('staff/payout-paid', paid, staff);
  await refused('not_found', 'staff/payout-paid', paid, staff);
  assert.deepEqual((await data('staff/payouts', {}, staff)).payouts, []);
});

test('who closed the account does not get in any more', async () => {
  const { who, token } = await running();
  await site.work();
  const closing = { password: PASSWORD, end_services: true, payout: PAYOUT };
  const [{ email }] = await rows('SELECT email FROM users WHERE id = $1', [who.userId]);
  await data('account/login', { email, password: PASSWORD });
  await data('account/close', closing, token);
  await refused('credentials_invalid', 'account/login', { email, password: PASSWORD });
  await refused('token_revoked', 'account/update', { locale: 'de' }, token);
});

test('an operator closes no account that owes, and one that is even at once', async () => {
  const { accountId } = await site.customer(-500n);
  const request = { uuid: accountId, reason: 'Asked for by letter' };
  const { preview } = await data('staff/account-close', { ...request, dry_run: true }, staff);
  assert.deepEqual(preview.obstacles, ['debt']);
  await refused('closing_blocked', 'staff/account-close', request, staff);
  await data('staff/adjust-balance', { uuid: accountId, amount: 5, reason: 'Written off' }, staff);
  await data('staff/account-close', request, staff);
  await refused('state_conflict', 'staff/account-close', request, staff);
  await refused('state_conflict', 'staff/account-suspend', { uuid: accountId, reason: 'abuse' }, staff);
  // Nothing was left to be paid out.
  assert.deepEqual(
    await rows('SELECT payout, iban FROM account_closings WHERE account_id = $1', [accountId]),
    [{ payout: 0n, iban: null }],
  );
});
