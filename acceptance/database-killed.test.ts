// Slow: 40 s

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newCustomer } from './customer.ts';
import { eventually } from './eventually.ts';
import { attached, type OwnInstallation, ownInstallation } from './installation.ts';
import { assertDelivered, orderThrough } from './orders-through.ts';

const KILLS = 10;
const BETWEEN = 20;
const ORDERS = (KILLS + 1) * BETWEEN;
const CREDIT = 5_000_000;

// An installation that somebody else runs is not ours to kill.
if (!attached()) {
  const site = await ownInstallation();
  after(() => site.stop());

  test(`kill -9 of the embedded database, ${KILLS} times under orders: the program lives and loses none`, async () => {
    const customer = await newCustomer(site.api, site.operator, CREDIT);
    const { pid } = site;
    let killed = 0;
    const fail = async () => {
      const server = await databaseOf(site);
      process.kill(server, 'SIGKILL');
      await eventually('another server', async () => {
        const now = await databaseOf(site).catch(() => server);
        return now === server ? undefined : true;
      });
      await eventually('that it is ready', async () => {
        const answer = await fetch(`${site.address}/readyz`);
        return answer.status === 200 ? true : undefined;
      });
      killed += 1;
    };
    const failing = { after: Array.from({ length: KILLS }, (_, index) => (index + 1) * BETWEEN), fail };
    const acknowledged = await orderThrough(failing, site, customer, ORDERS);
    await assertDelivered(acknowledged, site, customer, CREDIT);
    assert.deepEqual([killed, site.pid], [KILLS, pid]);
  });
}

/** The embedded server's first process, which is the parent of all others. */
async function databaseOf({ dataDir }: OwnInstallation): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
