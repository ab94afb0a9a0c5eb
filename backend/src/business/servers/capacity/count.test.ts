import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openServers } from '../../../../test/servers.ts';
import { countServers } from './count.ts';

const site = await openServers();

test('servers are counted exactly, whatever was counted before, and also when the clock is set back', async () => {
  const [who, other] = [await site.customer(100_000n), await site.customer(100_000n)];
  const begun = site.clock.now();
  const count = () => countServers(site.pool, who.accountId, site.clock.now());
  assert.equal(await count(), 0);
  await site.order(who);
  await site.order(other);
  assert.equal(await count(), 1);
  for (const minutes of [5, 10, 60, 1, 9]) {
    site.clock.set(site.clock.now().add({ minutes }));
    const before = await count();
    await site.order(who);
    assert.equal(await count(), before + 1);
    assert.equal(await count(), before + 1);
  }
  site.clock.set(begun);
  assert.equal(await count(), 6);
  assert.equal(await countServers(site.pool, other.accountId, begun), 1);
});
