import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { QueuedJob } from '../../../work/queue.ts';

/** The job that gives a server's machine the uplink that the books say. */
export const UPLINK = 'server.uplink';

export function uplinkJob(serverId: string): QueuedJob {
  return { name: UPLINK, payload: { server_id: serverId }, key: `${UPLINK}:${serverId}` };
}

const limited = statement<object>(
  'uplink_limited',
  'UPDATE servers SET uplink_due = false WHERE id = $1 AND uplink_due',
);

/** The machine of a server, whose account is locked, has the uplink that the books say, or never will. */
export async function uplinkSettled(tx: Transaction, serverId: string): Promise<void> {
  await tx.run(limited, [serverId]);
}

/** What the machine is to have, Mbit/s: the server's own uplink, or less while its traffic is used up. */
export function uplinkOf(server: { readonly uplink: number; readonly throttled_to: number | null }): number {
  return Math.min(server.uplink, server.throttled_to ?? server.uplink);
}
