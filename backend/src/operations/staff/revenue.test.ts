import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE } from '../../../test/fixture.ts';
import { staffToken } from '../../../test/requests.ts';
import { openSizedServers } from '../../../test/sized-server.ts';

const site = await openSizedServers();
const staff = { token: await staffToken(site) };
const START = site.clock.now();
const TAX = 1.19;

/** What was earned until the end of a day, and what is left to be. */
async function until(to: string, product: string): Promise<{ recognised: number; deferred: number }> {
  const { products } = await site.data('staff/revenue', { from: '2027-01-01', to }, staff);
  const found = products.find((one: { product: string }) => one.product === product);
  return { recognised: found.recognised, deferred: found.deferred };
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.02, `${actual} instead of ${expected}`);

test('a server that becomes smaller goes on being earned: what it was is, and its smaller price over the rest', async () => {
  const { who, uuid, token } = await site.ordered({ cores: 5, duration: 12 });
  site.clock.set(START.add({ seconds: 86_400 * 182.5 - 1 }));
  const halfway = '2027-07-16';
  const { recognised, deferred } = await until(halfway, 'server');
  near(recognised, deferred);
  const before = await site.balanceOf(who);
  await site.changed('server/resize', { uuid, cores: 1 }, token);
  const back = Number((await site.balanceOf(who)) - before) / 100 / TAX;
  assert.ok(back > 10);
  const after = await until(halfway, 'server');
  near(after.recognised, recognised);
  near(after.deferred, deferred - back);
  // 91 of the 182.5 days that were left then.
  near((await until('2027-10-15', 'server')).deferred, (after.deferred * 91.5) / 182.5);
  assert.deepEqual((await until('2028-01-16', 'server')).deferred, 0);
});

test('what is still to be earned of a server that became smaller is what its customer would get back', async () => {
  site.clock.set(START);
  const { uuid, token } = await site.ordered({ cores: 5, duration: 12, host: 'hel-ryzen' });
  const others = await until('2027-01-18', 'server');
  site.clock.set(START.add({ seconds: 86_400 * 3.5 - 1 }));
  await site.changed('server/resize', { uuid, cores: 1 }, token);
  const left = (await until('2027-01-18', 'server')).deferred;
  const withdraw = { uuid, mode: 'withdraw', confirm: 'web.example.com' };
  const { refund } = await site.begin('server/cancel', withdraw, token);
  assert.ok(refund.amount > 0 && left < others.deferred);
  near(left - (await until('2027-01-18', 'server')).deferred, refund.amount / TAX);
});

test('nothing is earned beyond what is kept, where of a price that was lowered a part is paid back', async () => {
  site.clock.set(START);
  await site.pool.pg.query('UPDATE nodes SET cores_total = 1000, memory_total = 2 ^ 30');
  const day = '2027-02-02';
  const others = await until(day, 'server');
  const { who, uuid, token } = await site.ordered({ cores: 16, memory: 16_384 });
  site.clock.set(START.add({ hours: 24 * 3 }));
  const { rows } = await site.pool.pg.query('SELECT id FROM orders WHERE service_id = $1', [uuid]);
  const slow = { order_id: rows[0]?.id, amount: 36, reason: 'Slow', basis: 'goodwill' };
  await site.data('staff/refund', slow, staff);
  site.clock.set(START.add({ seconds: 86_400 * 18.5 - 1 }));
  await site.changed('server/resize', { uuid, cores: 1, memory: 1024 }, token);
  const kept = 1000 - Number(await site.balanceOf(who)) / 100;
  assert.ok(kept > 5 && kept < 11, `${kept}`);
  const after = await until(day, 'server');
  near(after.deferred, others.deferred);
  near(after.recognised, others.recognised + kept / TAX);
});

test('who gets back something for an outage has the service of the rest of the term, which is earned as before', async () => {
  site.clock.set(START);
  const who = await site.customer(100_00n);
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  const { order_id } = await site.data('panel/order', order, { token: who.secret });
  const day = '2027-01-24';
  const { recognised, deferred } = await until(day, 'license');
  site.clock.set(START.add({ hours: 24 * 5 }));
  await site.data('staff/refund', { order_id, amount: 1, reason: 'Outage', basis: 'undelivered' }, staff);
  const after = await until(day, 'license');
  near(after.recognised + after.deferred, recognised + deferred - 1 / TAX);
  near(after.recognised / recognised, after.deferred / deferred);
});
