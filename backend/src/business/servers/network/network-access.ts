import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { QueuedJob } from '../../../work/queue.ts';

/** The job that has a server's machine reach what the books say. */
export const REACH = 'server.network_access';

export function networkAccessJob(serverId: string): QueuedJob {
  return { name: REACH, payload: { server_id: serverId }, key: `${REACH}:${serverId}` };
}

const due = statement<object>('reach_due', 'UPDATE servers SET reach_due = true WHERE id = $1');
const reached = statement<object>(
  'reached',
  'UPDATE servers SET reach_due = false WHERE id = $1 AND reach_due',
);

/** Enqueues it, to run once the unit of work's changes are committed, and remembers that it has to be done. */
async function convergeNetworkAccess(tx: Transaction, uow: UnitOfWork, serverId: string): Promise<void> {
  await tx.run(due, [serverId]);
  uow.jobs.push(networkAccessJob(serverId));
}

/** The machine of a server, whose account is locked, reaches what the books say, or never will. */
export async function networkAccessApplied(tx: Transaction, serverId: string): Promise<void> {
  await tx.run(reached, [serverId]);
}

const setMail = statement<object>('set_mail_open', 'UPDATE servers SET mail_open = $2 WHERE id = $1');
const setNullRoute = statement<{ address: string }>(
  'set_null_route',
  'UPDATE addresses SET null_route = $3 WHERE server_id = $1 AND address = $2::inet RETURNING address',
);
const holder = statement<{ server_id: string }>(
  'holder_of_address',
  "SELECT server_id FROM addresses WHERE address >>= $1::inet AND state = 'assigned'",
);

/** Lets a server, whose service is locked, connect to mail servers, or keeps it from them (rule G2). */
export async function openMail(
  tx: Transaction,
  uow: UnitOfWork,
  serverId: string,
  open: boolean,
): Promise<void> {
  await tx.run(setMail, [serverId, open]);
  await convergeNetworkAccess(tx, uow, serverId);
}

/** The server that has an address, or the network that it is in; null: none has. */
export async function serverOfAddress(tx: Transaction, address: string): Promise<string | null> {
  const [found] = await tx.run(holder, [address]);
  return found?.server_id ?? null;
}

/** Lets nothing come to or from an address of a server, whose service is locked; null lifts it. false: it has it no more. */
export async function nullRoute(
  tx: Transaction,
  uow: UnitOfWork,
  serverId: string,
  address: string,
  reason: string | null,
): Promise<boolean> {
  const changed = await tx.run(setNullRoute, [serverId, address, reason]);
  if (changed.length === 0) return false;
  await convergeNetworkAccess(tx, uow, serverId);
  return true;
}
