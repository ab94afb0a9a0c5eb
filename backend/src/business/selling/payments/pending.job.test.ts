import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../../test/fixture.ts';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import { paymentOf } from './payment.ts';
import pending from './pending.job.ts';

const servers = await openServers();
const { pool, clock, ports, payments } = servers;
const requests = openRequests(servers, { ports: ports as never });
const START = clock.now();

async function begun(who: Customer, method = 'sandbox'): Promise<string> {
  const answer = await requests.call('account/topup', { amount: 25, method }, { token: who.secret });
  return answer.body.data.payment.uuid;
}

async function refOf(id: string): Promise<string> {
  return (await paymentOf(pool, id))?.provider_ref ?? '';
}

const stateOf = async (id: string) => (await paymentOf(pool, id))?.state;

test('a payment whose webhook was lost is found, after ten minutes', async () => {
  const who = await servers.customer(0n);
  const id = await begun(who);
  await servers.work();
  await payments.happen(await refOf(id), 'pay');
  await servers.run(pending);
  assert.equal(await servers.balanceOf(who), 0n, 'not yet: the webhook may be on its way');
  clock.set(START.add({ minutes: 11 }));
  await servers.run(pending);
  await servers.run(pending);
  assert.equal(await servers.balanceOf(who), 25_00n);
  clock.set(START);
});

test('a payment whose job is gone is begun all the same', async () => {
  const id = await begun(await servers.customer(0n));
  await servers.queue.query('DELETE FROM graphile_worker._private_jobs');
  clock.set(START.add({ minutes: 11 }));
  await servers.run(pending);
  await servers.work();
  assert.notEqual(await refOf(id), '');
  clock.set(START);
});

test('what nobody paid is given up: unbegun after eight days, at providers after thirty, by transfer after sixty', async () => {
  const who = await servers.customer(0n);
  const [page, transfer, unbegun] = [await begun(who), await begun(who, 'bank'), await begun(who)];
  await servers.work();
  await pool.pg.query('UPDATE payments SET provider_ref = NULL WHERE id = $1', [unbegun]);
  const states = async (days: number) => {
    clock.set(START.add({ hours: days * 24 + 1 }));
    await servers.run(pending);
    return [await stateOf(unbegun), await stateOf(page), await stateOf(transfer)];
  };
  assert.deepEqual(await states(7), ['pending', 'pending', 'pending']);
  assert.deepEqual(await states(8), ['cancelled', 'pending', 'pending']);
  assert.deepEqual(await states(29), ['cancelled', 'pending', 'pending']);
  assert.deepEqual(await states(30), ['cancelled', 'cancelled', 'pending']);
  assert.deepEqual(await states(59), ['cancelled', 'cancelled', 'pending']);
  assert.deepEqual(await states(60), ['cancelled', 'cancelled', 'cancelled']);
  clock.set(START);
});

test('a provider that does not answer is asked once, and again the next time', async () => {
  const who = await servers.customer(0n);
  const ids = [await begun(who), await begun(who)];
  await servers.work();
  for (const id of ids) await payments.happen(await refOf(id), 'pay');
  clock.set(START.add({ minutes: 11 }));
  let asked = 0;
  const away = {
    lookup: () => {
      asked += 1;
      return Promise.reject(new BackendUnavailable('sandbox'));
    },
  };
  const payment = { ...ports.payment, provider: () => away as never };
  await servers.run(pending, {}, { ports: { ...ports, payment } });
  assert.equal(asked, 1);
  await servers.run(pending);
  assert.equal(await servers.balanceOf(who), 50_00n);
  clock.set(START);
});
