import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lossyProxy } from '../../test/lossy-proxy.ts';
import { openServers } from '../../test/servers.ts';
import { PROVISION } from '../business/servers/server.ts';
import { APPLICATION_ROLE } from '../db/migrate.ts';
import { Pool } from '../db/pool.ts';
import { CommitUnknown } from '../db/transaction.ts';
import { jobs } from '../jobs.generated.ts';

let lossy: Pool | undefined;
after(() => lossy?.end()); // before the fixture's own, which drops the database
const site = await openServers();
const proxy = await lossyProxy(site.database.url);
lossy = new Pool({
  url: proxy.url,
  size: 3,
  name: 'lossy',
  role: APPLICATION_ROLE,
  lockTimeoutMs: 60_000,
  settleWithinMs: 200,
});
const pool = lossy;

for (const lose of ['before', 'after'] as const)
  test(`a job whose COMMIT is lost ${lose} it took effect comes again, and does nothing twice`, async () => {
    const provision = jobs.find((job) => job.name === PROVISION);
    assert.ok(provision);
    const who = await site.customer(10_000n);
    const { order_id, server_uuid } = await site.order(who);
    Object.assign(proxy.state, { lose, closesThen: true });
    await assert.rejects(site.run(provision, { order_id }, { pool }), CommitUnknown);
    Object.assign(proxy.state, { closed: false, closesThen: false });
    await site.run(provision, { order_id }, { pool });
    await site.work(); // the one that the order has enqueued: so it is done three times
    const { rows } = await site.pool.pg.query(
      `SELECT s.state, (SELECT count(*)::int FROM ledger_entries e WHERE e.account_id = s.account_id) AS entries,
         (SELECT count(*)::int FROM events e WHERE e.resource_id = s.id AND e.type = 'server.provisioned') AS told,
         (SELECT o.state FROM orders o WHERE o.id = $2) AS ordered, a.reserved::int
       FROM services s JOIN accounts a ON a.id = s.account_id WHERE s.id = $1`,
      [server_uuid, order_id],
    );
    assert.deepEqual(rows, [{ state: 'active', entries: 2, told: 1, ordered: 'completed', reserved: 0 }]);
    assert.deepEqual(await site.booksProblems(), []);
    assert.deepEqual(await site.stockProblems(), []);
  });
