import { operations } from '../backend/src/operations.generated.ts';
import { wirePricings } from '../backend/src/shapes/order.ts';
import type { BenchDatabase, BenchPostgres } from './databases.ts';
import type { DirectOrder, DirectResult } from './direct-orders.ts';
import { someLicenses, type Target, tokenHolders } from './fill.ts';
import { type Hostkeep, keyFileOf } from './hostkeep.ts';
import type { Claim } from './judge.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import type { MinimalStart, MinimalStarted } from './minimal-server.ts';
import { CallableProcess } from './process.ts';
import { getRequest, postRequest, requestFile } from './requests.ts';
import { sameAnswers } from './same-answers.ts';
import { afterCheckpoint, directSide, httpSide, type Side } from './sides.ts';

/** What all cases share: the databases with Hostkeep running on each, and where processes are put that must end. */
export interface Bench {
  readonly postgres: BenchPostgres;
  readonly small: Installed;
  readonly large: Installed;
  readonly tell: (line: string) => void;
  readonly onStop: (stop: () => Promise<void>) => void;
}

export interface Installed {
  readonly database: BenchDatabase;
  readonly hostkeep: Hostkeep;
}

export interface Case extends Claim {
  /** Warms both sides up and tunes the baseline. */
  prepare(): Promise<{ readonly ours: Side; readonly theirs: Side }>;
}

/** What all licenses of the bench show of their package. */
function licensePack(database: BenchDatabase) {
  const pack = database.catalog.license_packages[0];
  if (pack === undefined) throw new Error('the catalogue sells no license');
  const { id, uuid, name, description, ip_limit, features } = pack;
  return {
    package: { id, uuid, name, description, ip_limit, info: { features } },
    pricings: wirePricings(pack.pricings),
  };
}

const WARM_UP_SECONDS = 1.5;
const TUNING_SECONDS = 1;
const POOLS = [4, 8, 16, 32];
const SAMPLE = 100_000;

/** All cases whose names contain the filter, in the order in which they should run: those that only read first. */
export async function casesOf(bench: Bench, filter: string | undefined): Promise<Case[]> {
  const { postgres, small, large } = bench;
  const generator = new CallableProcess<LoadOrder, LoadResult>('./load.ts');
  const clients = new CallableProcess<DirectOrder, DirectResult>('./direct-orders.ts');
  bench.onStop(() => generator.stop());
  bench.onStop(() => clients.stop());
  const pack = small.database.catalog.license_packages[0];
  if (pack === undefined) throw new Error('the catalogue sells no license');
  const order = JSON.stringify({
    pack_uuid: pack.uuid,
    duration: 1,
    duration_unit: 'year',
    tos: true,
    cancellation: true,
  });
  const file = (name: string, requests: string[]) => requestFile(postgres.directory, name, requests);
  const details = (targets: Target[]) => targets.map((target) => getRequest('panel/details', target));
  const orders = (tokens: string[]) => tokens.map((token) => postRequest('panel/order', token, order));
  const licenses = await someLicenses(small.database, SAMPLE);
  const holders = await tokenHolders(small.database);
  const [hot] = holders;
  if (hot === undefined) throw new Error('nobody has a token');

  const http = (installed: Installed, requests: string, connections: number): Side =>
    httpSide({ generator, postgres, server: installed.hostkeep, requests, connections });
  const warm = async (side: Side) => {
    await side(WARM_UP_SECONDS);
    return side;
  };

  function reads(name: string, operation: string, targets: Target[], connections: number, limit: number): Case {
    return {
      name,
      connections,
      limit,
      async prepare() {
        const requests = file(operation.replace('/', '-'), targets.map((target) => getRequest(operation, target)));
        const ours = await warm(http(small, requests, connections));
        let best: { side: Side; perSecond: number; pool: number } | null = null;
        for (const pool of connections === 1 ? [1] : POOLS) {
          const server = new CallableProcess<MinimalStart, MinimalStarted>('./minimal-server.ts');
          bench.onStop(() => server.stop());
          const { port } = await server.call({
            url: small.database.url,
            pool,
            keyFile: keyFileOf(postgres.directory),
            ...licensePack(small.database),
          });
          await sameAnswers(operation, targets, [small.hostkeep.port, port]);
          const side = httpSide({
            generator,
            postgres,
            server: { port, pid: server.pid },
            requests,
            connections,
          });
          await side(TUNING_SECONDS);
          const { perSecond } = await side(TUNING_SECONDS);
          if (best === null || perSecond > best.perSecond) best = { side, perSecond, pool };
        }
        if (best === null) throw new Error('no pool size was tried');
        bench.tell(`${name}: the baseline is fastest with ${best.pool} connections`);
        return { ours, theirs: best.side };
      },
    };
  }

  function writes(name: string, buyers: typeof holders, connections: number, limit: number | null): Case {
    return {
      name,
      connections,
      limit,
      async prepare() {
        const requests = file(`order-${buyers.length}`, orders(buyers.map((buyer) => buyer.token)));
        const ours = afterCheckpoint(small.database.url, http(small, requests, connections));
        await ours(WARM_UP_SECONDS);
        let best: { side: Side; perSecond: number; how: string } | null = null;
        for (const pool of connections === 1 ? [1] : POOLS) {
          const side = afterCheckpoint(
            small.database.url,
            directSide(clients, postgres, {
              url: small.database.url,
              clients: connections,
              pool,
              accounts: buyers.map((buyer) => buyer.account),
              pack: { uuid: pack?.uuid ?? '', name: pack?.name ?? '' },
            }),
          );
          const { perSecond } = await side(TUNING_SECONDS);
          if (best === null || perSecond > best.perSecond) best = { side, perSecond, how: `${pool} connections` };
        }
        if (best === null) throw new Error('no pool size was tried');
        bench.tell(`${name}: the baseline is fastest with ${best.how}`);
        return { ours, theirs: best.side };
      },
    };
  }

  /** Hostkeep on the large database against Hostkeep on the small one. */
  function sizes(name: string, connections: number, side: (installed: Installed) => Promise<Side>): Case {
    return {
      name,
      connections,
      limit: 0.9,
      prepare: async () => ({ ours: await warm(await side(large)), theirs: await warm(await side(small)) }),
    };
  }

  const cases = [
    reads('panel/details', 'panel/details', licenses, 1, 0.9),
    reads('panel/details', 'panel/details', licenses, 64, 2),
    sizes('panel/details, many licenses', 64, async (installed) =>
      http(installed, file(`details-${installed.database.name}`, details(await someLicenses(installed.database, SAMPLE))), 64),
    ),
    sizes('panel/order, many licenses', 64, async (installed) => {
      const tokens = (await tokenHolders(installed.database)).map((holder) => holder.token);
      const requests = file(`order-${installed.database.name}`, orders(tokens));
      return afterCheckpoint(installed.database.url, http(installed, requests, 64));
    }),
    writes('panel/order', holders, 1, 0.4),
    writes('panel/order', holders, 64, 0.8),
    writes('panel/order', holders, 256, 1.2),
    writes('panel/order, one account', [hot], 64, null),
  ];
  if (operations.some((operation) => operation.path === 'server/config')) bench.tell('server/config: to be added');
  return cases.filter((item) => filter === undefined || `${item.name} ${item.connections}`.includes(filter));
}
