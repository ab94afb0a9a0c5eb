import { isIPv4, isIPv6 } from 'node:net';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { Books } from './books.ts';
import type { HostAddresses, HostCommands, HostInfo } from './commands.ts';
import { type Failure, failure, type Reply, success } from './reply.ts';

interface Row extends Omit<HostInfo, 'roid' | 'statuses'> {
  readonly id: bigint;
  readonly linked: boolean;
}

const MOST_ADDRESSES = 13;

const find = statement<Row>(
  'sandbox_registry_host',
  `SELECT name, id, ipv4, ipv6, sponsor, created_by AS "createdBy", created_at AS "createdAt",
     updated_by AS "updatedBy", updated_at AS "updatedAt",
     EXISTS (SELECT FROM sandbox.registry_domains d WHERE d.hosts @> ARRAY[h.name]) AS linked
   FROM sandbox.registry_hosts h WHERE name = $1`,
);
const lock = statement<object>(
  'sandbox_registry_lock_host',
  'SELECT FROM sandbox.registry_hosts WHERE name = $1 FOR UPDATE',
);
const known = statement<{ name: string }>(
  'sandbox_registry_known_hosts',
  'SELECT name FROM sandbox.registry_hosts WHERE name = ANY($1)',
);
const above = statement<{ name: string; sponsor: string }>(
  'sandbox_registry_domain_above',
  'SELECT name, sponsor FROM sandbox.registry_domains WHERE name = ANY($1) FOR KEY SHARE',
);
const insert = statement<{ name: string }>(
  'sandbox_registry_add_host',
  `INSERT INTO sandbox.registry_hosts (name, superordinate, ipv4, ipv6, sponsor, created_by, created_at)
   VALUES ($1, $2, $3, $4, $5, $5, $6) ON CONFLICT (name) DO NOTHING RETURNING name`,
);
const update = statement<object>(
  'sandbox_registry_update_host',
  `WITH renamed AS (UPDATE sandbox.registry_domains SET hosts = array_replace(hosts, $1, $2)
     WHERE $1 <> $2 AND hosts @> ARRAY[$1::text])
   UPDATE sandbox.registry_hosts SET name = $2, superordinate = $3, ipv4 = $4, ipv6 = $5, updated_by = $6,
     updated_at = $7
   WHERE name = $1`,
);
const remove = statement<object>(
  'sandbox_registry_remove_host',
  'DELETE FROM sandbox.registry_hosts WHERE name = $1',
);

export function hostCommands(books: Books, registrar: string): HostCommands {
  return {
    async check(names) {
      const taken = new Set((await books.db.run(known, [names])).map(({ name }) => name));
      return success(names.map((name) => ({ name, available: !taken.has(name) })));
    },

    async info(name) {
      const [row] = await books.db.run(find, [name]);
      if (row === undefined) return unknown(name);
      const { id, linked, ...host } = row;
      return success({ ...host, roid: `H${id}-SANDBOX`, statuses: linked ? ['linked', 'ok'] : ['ok'] });
    },

    create: (name, addresses) =>
      transaction(books.db, async (tx) => {
        const place = await placeFor(tx, registrar, name, addresses);
        if ('ok' in place) return place;
        const now = books.clock.now();
        const { ipv4, ipv6 } = addresses;
        const added = await tx.run(insert, [name, place.superordinate, ipv4, ipv6, registrar, now]);
        if (added.length === 0) return failure(2302, 'host', `there is a host ${name}`);
        return success({ name, createdAt: now });
      }),

    update: ({ name, add, remove: gone, newName = name }) =>
      transaction(books.db, async (tx): Promise<Reply<null>> => {
        const host = await locked(tx, name);
        if (host === undefined) return unknown(name);
        if (host.sponsor !== registrar) return notYours();
        if (newName !== name && (await tx.run(known, [[newName]])).length > 0)
          return failure(2302, 'host', `there is a host ${newName}`);
        const addresses = {
          ipv4: changed(host.ipv4, gone?.ipv4, add?.ipv4),
          ipv6: changed(host.ipv6, gone?.ipv6, add?.ipv6),
        };
        const place = await placeFor(tx, registrar, newName, addresses);
        if ('ok' in place) return place;
        const { ipv4, ipv6 } = addresses;
        await tx.run(update, [name, newName, place.superordinate, ipv4, ipv6, registrar, books.clock.now()]);
        return success(null);
      }),

    delete: (name) =>
      transaction(books.db, async (tx): Promise<Reply<null>> => {
        const host = await locked(tx, name);
        if (host === undefined) return unknown(name);
        if (host.sponsor !== registrar) return notYours();
        if (host.linked) return failure(2305, 'host', `domains are delegated to ${name}`);
        await tx.run(remove, [name]);
        return success(null);
      }),
  };
}

async function locked(tx: Executor, name: string): Promise<Row | undefined> {
  await tx.run(lock, [name]);
  const [row] = await tx.run(find, [name]);
  return row;
}

/** The domain that the host is below, which must be the registrar's; null: it is below none of ours. */
async function placeFor(
  tx: Transaction,
  registrar: string,
  name: string,
  { ipv4, ipv6 }: HostAddresses,
): Promise<{ readonly superordinate: string | null } | Failure> {
  const labels = name.split('.');
  if (labels.length < 2 || !labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)))
    return failure(2005, 'host', `${name} is no name of a host`);
  if (!ipv4.every(isIPv4) || !ipv6.every(isIPv6)) return failure(2005, 'host', 'an address is none');
  if (ipv4.length + ipv6.length > MOST_ADDRESSES)
    return failure(2308, 'host', `at most ${MOST_ADDRESSES} addresses`);
  const parents = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const [domain] = await tx.run(above, [parents]);
  if (domain === undefined) {
    // RFC 5732 §1.1: addresses are glue, so they are for hosts inside only.
    return ipv4.length + ipv6.length === 0
      ? { superordinate: null }
      : failure(2306, 'host', `${name} is below no domain of this registry: it needs no addresses`);
  }
  if (domain.sponsor !== registrar) return failure(2201, 'host', `${domain.name} is not yours`);
  return { superordinate: domain.name };
}

function changed(
  present: readonly string[],
  remove: readonly string[] = [],
  add: readonly string[] = [],
): readonly string[] {
  return [...new Set([...present.filter((address) => !remove.includes(address)), ...add])];
}

function unknown(name: string): Failure {
  return failure(2303, 'host', `there is no host ${name}`);
}

function notYours(): Failure {
  return failure(2201, 'host', 'the host is not yours');
}
