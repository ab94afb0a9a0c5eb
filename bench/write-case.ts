import type { Bench, Case } from './cases.ts';
import { tokenHolders } from './fill.ts';
import { orderRequests, requestFile, soldPackage } from './requests.ts';
import { afterCheckpoint, directSide, httpSide, type Side } from './sides.ts';

const WARM_UP_SECONDS = 2;
const TUNING_SECONDS = 1;
const POOLS = [4, 8, 16, 32];

/**
 * Orders over HTTP against clients that talk to PostgreSQL directly, with the pool size that suits those best.
 * Without a limit, all orders are one account's.
 */
export function writeCase(bench: Bench, name: string, connections: number, limit: number | null): Case {
  return {
    name,
    connections,
    limit,
    async prepare() {
      const { postgres, generator, clients } = bench;
      const { database, hostkeep } = bench.small;
      const buyers = (await tokenHolders(database)).slice(0, limit === null ? 1 : undefined);
      const ours = httpSide({
        generator,
        postgres,
        server: hostkeep,
        requests: requestFile(postgres.directory, `order-${buyers.length}`, orderRequests(database, buyers)),
        connections,
      });
      await ours(WARM_UP_SECONDS);
      const { uuid, name: title } = soldPackage(database);
      let best: { side: Side; perSecond: number; pool: number } | null = null;
      for (const pool of connections === 1 ? [1] : POOLS) {
        const side = directSide(clients, postgres, {
          url: database.url,
          clients: connections,
          pool,
          accounts: buyers.map((buyer) => buyer.account),
          pack: { uuid, name: title },
        });
        const { perSecond } = await side(TUNING_SECONDS);
        if (best === null || perSecond > best.perSecond) best = { side, perSecond, pool };
      }
      if (best === null) throw new Error('no pool size was tried');
      bench.tell(`${name} at ${connections}: the baseline's pool is ${best.pool}`);
      return { ours: afterCheckpoint(database.url, ours), theirs: afterCheckpoint(database.url, best.side) };
    },
  };
}
