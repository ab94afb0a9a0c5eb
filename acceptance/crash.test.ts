// Slow: 20 s

import { after, test } from 'node:test';
import { newCustomer } from './customer.ts';
import { attached, ownInstallation } from './installation.ts';
import { assertDelivered, orderThrough } from './orders-through.ts';

/** A nightly run (`npm run test:nightly`) places 1,000. */
const ORDERS = process.env.HOSTKEEP_TEST_POINTS === 'all' ? 1000 : 300;
const CREDIT = 5_000_000;

// An installation that somebody else runs is not ours to kill.
if (!attached()) {
  const site = await ownInstallation();
  after(() => site.stop());

  test(`kill -9 during ${ORDERS} server orders: each acknowledged one is provisioned or released, none twice`, async () => {
    const customer = await newCustomer(site.api, site.operator, CREDIT);
    const kill = async () => {
      await site.kill();
      await site.restart();
    };
    const failing = { after: [ORDERS * 0.4], fail: kill };
    const acknowledged = await orderThrough(failing, site, customer, ORDERS);
    await assertDelivered(acknowledged, site, customer, CREDIT);
  });
}
