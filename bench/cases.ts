import type { BenchDatabase, BenchPostgres } from './databases.ts';
import type { DirectOrder, DirectResult } from './direct-orders.ts';
import { someServices, tokenHolders } from './fill.ts';
import type { Hostkeep } from './hostkeep.ts';
import type { Claim } from './judge.ts';
import { ledgerCases } from './ledger-cases.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import type { CallableProcess } from './process.ts';
import { readCase } from './read-case.ts';
import { getRequest, orderRequests, requestFile } from './requests.ts';
import { afterCheckpoint, httpSide, type Side } from './sides.ts';
import { writeCase } from './write-case.ts';

/** What all cases share: the databases with Hostkeep running on each, and the processes that make load. */
export interface Bench {
  readonly postgres: BenchPostgres;
  readonly small: Installed;
  readonly large: Installed;
  /** Filled when it is first asked for: ten million lines take minutes. */
  readonly ledger: () => Promise<Installed>;
  readonly generator: CallableProcess<LoadOrder, LoadResult>;
  readonly clients: CallableProcess<DirectOrder, DirectResult>;
  readonly tell: (line: string) => void;
  /** Registers what must end with the run. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

export interface Installed {
  readonly database: BenchDatabase;
  readonly hostkeep: Hostkeep;
}

export interface Case extends Claim {
  /** Warms both sides up and tunes the baseline. */
  prepare(): Promise<Sides>;
}

export interface Sides {
  readonly ours: Side;
  readonly theirs: Side;
}

export const SAMPLE = 100_000;
/** Long enough for PostgreSQL to have the large database's hot pages in memory, as after a day of service. */
const WARM_UP_SECONDS = 8;

const MANY_DETAILS = 'panel/details, many licenses';
const MANY_ORDERS = 'panel/order, many licenses';

const chosen = (filter: string | undefined, name: string, connections: number) =>
  filter === undefined || `${name} ${connections}`.includes(filter);

/** Whether a case that the filter chooses compares a large database with a small one. */
export function needsLarge(filter: string | undefined): boolean {
  return [MANY_DETAILS, MANY_ORDERS].some((name) => chosen(filter, name, 64));
}

/** All cases whose names contain the filter, in the order in which they should run: those that only read first. */
export function casesOf(bench: Bench, filter: string | undefined): Case[] {
  const cases = [
    readCase(bench, 'panel/details', 1, 0.9),
    readCase(bench, 'panel/details', 64, 2),
    readCase(bench, 'server/config', 1, 0.9),
    readCase(bench, 'server/config', 64, 2),
    sizeCase(bench, MANY_DETAILS, readSide),
    sizeCase(bench, MANY_ORDERS, orderSide),
    writeCase(bench, 'panel/order', 1, 0.4),
    writeCase(bench, 'panel/order', 64, 0.8),
    writeCase(bench, 'panel/order', 256, 1.2),
    writeCase(bench, 'panel/order, one account', 64, null),
    ...ledgerCases(bench),
  ];
  return cases.filter((item) => chosen(filter, item.name, item.connections));
}

/** Hostkeep on the large database against Hostkeep on the small one. */
function sizeCase(
  bench: Bench,
  name: string,
  sideOf: (bench: Bench, installed: Installed) => Promise<Side>,
): Case {
  const warm = async (installed: Installed) => {
    const side = await sideOf(bench, installed);
    await side(WARM_UP_SECONDS);
    return side;
  };
  return {
    name,
    connections: 64,
    limit: 0.9,
    prepare: async () => ({ ours: await warm(bench.large), theirs: await warm(bench.small) }),
  };
}

async function readSide(bench: Bench, installed: Installed): Promise<Side> {
  const { database } = installed;
  const targets = await someServices(database, 'license', SAMPLE);
  return sideFor(
    bench,
    installed,
    `details-${database.name}`,
    targets.map((target) => getRequest('panel/details', target)),
  );
}

async function orderSide(bench: Bench, installed: Installed): Promise<Side> {
  const { database } = installed;
  const requests = orderRequests(database, await tokenHolders(database));
  return afterCheckpoint(database.url, sideFor(bench, installed, `order-${database.name}`, requests));
}

function sideFor(
  { generator, postgres }: Bench,
  installed: Installed,
  file: string,
  requests: readonly string[],
): Side {
  return httpSide({
    generator,
    postgres,
    server: installed.hostkeep,
    requests: requestFile(postgres.directory, file, requests),
    connections: 64,
  });
}
