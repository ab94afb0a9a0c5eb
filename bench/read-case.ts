import { wirePricings } from '../backend/src/api/order.ts';
import { type Bench, type Case, SAMPLE } from './cases.ts';
import type { BenchDatabase } from './databases.ts';
import { someServices } from './fill.ts';
import { keyFileOf } from './hostkeep.ts';
import type { Constants, MinimalOperation } from './minimal-answers.ts';
import type { MinimalStart, MinimalStarted } from './minimal-server.ts';
import { CallableProcess } from './process.ts';
import { getRequest, requestFile } from './requests.ts';
import { sameAnswers } from './same-answers.ts';
import { httpSide, type Side } from './sides.ts';

const WARM_UP_SECONDS = 2;
const TUNING_SECONDS = 1;
const POOLS = [4, 8, 16, 32];

/** A read, against the minimal program with the pool size that suits it best. */
export function readCase(
  bench: Bench,
  operation: MinimalOperation,
  connections: number,
  limit: number,
): Case {
  return {
    name: operation,
    connections,
    limit,
    async prepare() {
      const { database, hostkeep } = bench.small;
      const targets = await someServices(
        database,
        operation === 'panel/details' ? 'license' : 'server',
        SAMPLE,
      );
      const requests = requestFile(
        bench.postgres.directory,
        operation.replace('/', '-'),
        targets.map((target) => getRequest(operation, target)),
      );
      const sideOf = (server: { port: number; pid: number }) =>
        httpSide({ generator: bench.generator, postgres: bench.postgres, server, requests, connections });
      const ours = sideOf(hostkeep);
      await ours(WARM_UP_SECONDS);
      let best: { side: Side; perSecond: number; pool: number; stop: () => Promise<void> } | null = null;
      for (const pool of connections === 1 ? [1] : POOLS) {
        const minimal = new CallableProcess<MinimalStart, MinimalStarted>('./minimal-server.ts');
        bench.onStop(() => minimal.stop());
        const { port } = await minimal.call({
          url: database.url,
          pool,
          operation,
          keyFile: keyFileOf(bench.postgres.directory),
          constants: constantsOf(database),
        });
        await sameAnswers(operation, targets, [hostkeep.port, port]);
        const side = sideOf({ port, pid: minimal.pid });
        await side(WARM_UP_SECONDS);
        const { perSecond } = await side(TUNING_SECONDS);
        const slower = best === null || perSecond > best.perSecond ? best?.stop : () => minimal.stop();
        if (best === null || perSecond > best.perSecond)
          best = { side, perSecond, pool, stop: () => minimal.stop() };
        await slower?.();
      }
      if (best === null) throw new Error('no pool size was tried');
      bench.tell(`${operation} at ${connections}: the baseline's pool is ${best.pool}`);
      return { ours, theirs: best.side };
    },
  };
}

/** What the minimal program may know beforehand: everything that the catalogue says and no row. */
function constantsOf({ catalog }: BenchDatabase): Constants {
  const [pack] = catalog.license_packages;
  const [host] = catalog.hosts;
  const [os] = catalog.operating_systems;
  const datacenter = catalog.datacenters.find(({ name }) => name === host?.datacenter);
  if (pack === undefined || host === undefined || os === undefined || datacenter === undefined) {
    throw new Error('the catalogue lacks a license, a host or an operating system');
  }
  const { id, uuid, name, description, ip_limit, features } = pack;
  const { processor, memory, disk } = host.hardware;
  return {
    package: { id, uuid, name, description, ip_limit, info: { features } },
    pricings: wirePricings(pack.pricings),
    hostsystem: {
      datacenter: { name: datacenter.name, country: datacenter.country, city: datacenter.city },
      node: host.nodes[0]?.name,
      processor,
      memory,
      disk,
    },
    os: { name: os.name, displayname: os.displayname },
    ddosProtection: host.ddos_protection[0] ?? '',
    nameTemplate: host.networks.ipv4.name_template ?? '',
  };
}
