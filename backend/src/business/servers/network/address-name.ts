import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** How many single IPv6 addresses of a server may have names (rule F11). */
export const MOST_NAMES = 256;

/** A single IPv6 address with a name. */
export interface AddressName {
  readonly address: string;
  readonly network: string;
  readonly rdns: string;
}

/** An address of a server's as a customer names it: one of its IPv4 addresses, or one in its IPv6 networks. */
export interface OwnAddress {
  /** In canonical form (RFC 5952). */
  readonly address: string;
  readonly family: 4 | 6;
  /** The row that it is, or is in. */
  readonly assigned: string;
  readonly rdns: string | null;
}

const find = statement<OwnAddress>(
  'own_address',
  `SELECT host($2::inet) AS address, a.family, a.address::text AS assigned,
     CASE a.family WHEN 4 THEN a.rdns ELSE n.rdns END AS rdns
   FROM addresses a LEFT JOIN address_names n ON n.address = $2::inet
   WHERE a.server_id = $1 AND a.address >>= $2::inet`,
);
const list = statement<AddressName>(
  'address_names',
  `SELECT host(n.address) AS address, n.network::text AS network, n.rdns
   FROM address_names n JOIN addresses a ON a.address = n.network WHERE a.server_id = $1 ORDER BY n.address`,
);
const name4 = statement<object>('name_ipv4', 'UPDATE addresses SET rdns = $2 WHERE address = $1');
const name6 = statement<object>(
  'name_ipv6',
  `INSERT INTO address_names (address, network, rdns) VALUES ($1, $2, $3)
   ON CONFLICT (address) DO UPDATE SET rdns = excluded.rdns`,
);
const unname6 = statement<object>('unname_ipv6', 'DELETE FROM address_names WHERE address = $1');

/** null: it is none of the server's. */
export async function ownAddress(
  db: Executor,
  serverId: string,
  address: string,
): Promise<OwnAddress | null> {
  const [found] = await db.run(find, [serverId, address]);
  return found ?? null;
}

export function addressNames(db: Executor, serverId: string): Promise<AddressName[]> {
  return db.run(list, [serverId]);
}

/** Writes what an address is to be called; null: as its pool calls it. */
export async function nameAddress(
  tx: Transaction,
  { address, family, assigned }: OwnAddress,
  rdns: string | null,
): Promise<void> {
  if (family === 4) await tx.run(name4, [address, rdns]);
  else if (rdns === null) await tx.run(unname6, [address]);
  else await tx.run(name6, [address, assigned, rdns]);
}
