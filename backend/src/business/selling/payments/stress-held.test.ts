import assert from 'node:assert/strict';
import { test } from 'node:test';
import { camt } from '../../../../test/camt.ts';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import pending from './pending.job.ts';
import { receiveWebhook } from './webhook.ts';

const servers = await openServers();
const { pool, clock, ports, payments } = servers;
const bank = {
  ...ports.payment,
  provider: (method: string) => ports.payment.provider(method),
  methods: () => ['sandbox', 'bank'],
  transferInstructions: async () => null,
};
const requests = openRequests(servers, { ports: { ...ports, payment: bank } as never });

test('webhooks, sweeps, imports and assignments of the same money at once book it once', async () => {
  const token = await staffToken(servers);
  const who = await servers.customer(0n);
  const mine = { token: who.secret };
  const start = clock.now();
  const begun = await requests.call('account/topup', { amount: 20, method: 'sandbox' }, mine);
  const transfer = await requests.data('account/topup', { amount: 30, method: 'bank' }, mine);
  await servers.work();
  const { payment } = await requests.data('account/payment', { uuid: begun.body.data.payment.uuid }, mine);
  const ref = payment.redirect_url.split('/').at(-1);
  const hooks = [];
  for (const what of ['pay', 'dispute', 'win'] as const) hooks.push(await payments.happen(ref, what));
  const { rows } = await pool.pg.query('SELECT reference FROM payments WHERE id = $1', [
    transfer.payment.uuid,
  ]);
  const file = camt([
    { amount: '30.00', remittance: rows[0].reference, ref: 'S-1' },
    { amount: '7.00', remittance: 'nothing', ref: 'S-2' },
  ]);
  clock.set(start.add({ minutes: 15 }));
  const receiving = { method: 'sandbox', provider: payments, now: clock.now(), log: servers.log };
  const told = [...hooks, ...hooks.toReversed(), ...hooks].map(async (hook) => {
    assert.ok(hook);
    await receiveWebhook(pool, hook, { ...receiving, now: start });
  });
  const all = await Promise.allSettled([
    ...told,
    ...Array.from({ length: 4 }, () => servers.run(pending)),
    ...Array.from({ length: 6 }, () => requests.call('staff/bank-import', { camt: file }, { token })),
  ]);
  for (const one of all) if (one.status === 'rejected') assert.fail(String((one.reason as Error).stack));
  const entries = await requests.data(
    'staff/bank-entries',
    { state: 'unmatched', search: 'nothing' },
    { token },
  );
  const input = { uuid: entries.entries[0].uuid, customer_uuid: who.accountId };
  const assigned = await Promise.all(
    Array.from({ length: 5 }, () => requests.call('staff/bank-assign', input, { token })),
  );
  assert.equal(assigned.filter(({ status }) => status === 200).length, 1);
  assert.equal(await servers.balanceOf(who), 57_00n);
  assert.deepEqual(await servers.booksProblems(), []);
});
