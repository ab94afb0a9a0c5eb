import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** How large a machine is. Memory MiB, disk GiB, uplink Mbit/s. */
export interface Size {
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
}

/** What a node gives to servers. */
type Capacity = Pick<Size, 'cores' | 'memory' | 'disk'>;

const FIELDS = ['cores', 'memory', 'disk'] as const;

// What does not grow is not tested: a node may have less by now than was sold of it.
const FITS = `host = $1 AND name = $2 AND ($3::int = 0 OR cores_used + $3 <= cores_total)
  AND ($4::int = 0 OR memory_used + $4 <= memory_total) AND ($5::int = 0 OR disk_used + $5 <= disk_total)`;
const look = statement<object>('look_at_growth', `SELECT name FROM nodes WHERE ${FITS}`);
// The row is locked before it is changed, and tested again when the lock was waited for.
const hold = statement<object>(
  'hold_growth',
  `UPDATE nodes SET cores_used = cores_used + $3, memory_used = memory_used + $4, disk_used = disk_used + $5
   WHERE ${FITS} RETURNING name`,
);
const give = statement<object>(
  'give_capacity_back',
  `UPDATE nodes SET cores_used = cores_used - $3, memory_used = memory_used - $4, disk_used = disk_used - $5
   WHERE host = $1 AND name = $2`,
);

interface Placed extends Capacity {
  readonly host: string;
  readonly node: string;
}

/** Whether a server's node has room for what it is to have more. A glance: only {@link holdGrowth} counts. */
export async function hasGrowth(tx: Transaction, server: Placed, wanted: Capacity): Promise<boolean> {
  return (await tx.run(look, [server.host, server.node, ...growth(server, wanted)])).length > 0;
}

/** Reserves on a server's node what it is to have more; false: there is no room, and nothing has changed. */
export async function holdGrowth(tx: Transaction, server: Placed, wanted: Capacity): Promise<boolean> {
  const more = growth(server, wanted);
  if (more.every((amount) => amount === 0)) return true;
  return (await tx.run(hold, [server.host, server.node, ...more])).length > 0;
}

function growth(server: Capacity, wanted: Capacity): number[] {
  return FIELDS.map((field) => Math.max(0, wanted[field] - server[field]));
}

/** Gives back what was reserved for a change that did not come about. */
export async function releaseGrowth(tx: Transaction, server: Placed, wanted: Capacity): Promise<void> {
  await giveBack(tx, server, (field) => wanted[field] - server[field]);
}

/** Gives back what a server had more than it has now. */
export async function releaseShrinkage(tx: Transaction, server: Placed, now: Capacity): Promise<void> {
  await giveBack(tx, server, (field) => server[field] - now[field]);
}

async function giveBack(
  tx: Transaction,
  { host, node }: Placed,
  surplus: (field: (typeof FIELDS)[number]) => number,
): Promise<void> {
  const amounts = FIELDS.map((field) => Math.max(0, surplus(field)));
  if (amounts.some((amount) => amount > 0)) await tx.run(give, [host, node, ...amounts]);
}
