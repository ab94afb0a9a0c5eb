import { type Instant, isBefore } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import type { QueryPorts } from '../../drivers/ports.ts';
import { UNSERVED } from '../core/backends/probe.ts';
import { readDomain, refOf } from '../domains/domain.ts';
import type { DomainAction } from '../domains/price.ts';
import { isPublication, type OpenWork } from './open-work.ts';

const DEADLINE_MS = 3_000;
/** How long a back end that answers may take for work before an operator may give it up. */
const PATIENCE = { hours: 1 };
/** How far behind a registry's clock may be. */
const CLOCK_DIFFERENCE = { minutes: 1 };

/**
 * What a back end says of work that has not ended.
 * - `there`: all of it was done, and only our side has not heard of it;
 * - `absent`: nothing of what was ordered is there;
 * - `going_on`: it answers and has not had long, so the work ends by itself;
 * - `unsettled`: it answers, and cannot tell, or takes too long;
 * - `silent`: it does not answer.
 */
export type Seen = 'there' | 'absent' | 'going_on' | 'unsettled' | 'silent';

export type AskedPorts = Pick<QueryPorts, 'dns' | 'hypervisor' | 'registry' | 'webserver'>;

const serverPlace = statement<{ host: string; node: string }>(
  'place_of_server',
  'SELECT host, node FROM servers WHERE id = $1',
);
const webspacePlace = statement<{ host: string; username: string }>(
  'place_of_webspace',
  'SELECT host, username FROM webspaces WHERE id = $1',
);
const domainOrder = statement<{ action: DomainAction; believed_expire_at: Instant | null }>(
  'domain_order_of',
  'SELECT action, believed_expire_at FROM domain_orders WHERE order_id = $1',
);

/** Asks the back end of this work, with a deadline. */
export async function lookAt(db: Executor, ports: AskedPorts, work: OpenWork, now: Instant): Promise<Seen> {
  try {
    if (work.kind === 'order') return await ordered(db, ports, work);
    if (isPublication(work)) await ports.dns.zone(UNSERVED, DEADLINE_MS);
    else await asked(db, ports, work);
    return isBefore(now, work.created_at.add(PATIENCE)) ? 'going_on' : 'unsettled';
  } catch (error) {
    if (error instanceof BackendUnavailable) return 'silent';
    throw error;
  }
}

async function ordered(db: Executor, ports: AskedPorts, work: OpenWork): Promise<Seen> {
  if (work.product === 'domain') return await orderedDomain(db, ports, work);
  return (await asked(db, ports, work)) ? 'there' : 'absent';
}

/** Whether the back end has the thing that the work is about; throws where it does not answer. */
async function asked(
  db: Executor,
  ports: AskedPorts,
  { product, service_id: id }: OpenWork,
): Promise<boolean> {
  if (product === 'server') {
    const [place] = await db.run(serverPlace, [id]);
    if (place === undefined) return false;
    return (await ports.hypervisor.status({ serverId: id, ...place }, DEADLINE_MS)) !== null;
  }
  if (product === 'webspace') {
    const [place] = await db.run(webspacePlace, [id]);
    if (place === undefined) return false;
    return (await ports.webserver.status({ webspaceId: id, ...place }, DEADLINE_MS)) !== null;
  }
  const domain = product === 'domain' ? await readDomain(db, id) : null;
  return domain !== null && (await ports.registry.info(refOf(domain)))?.sponsoredHere === true;
}

async function orderedDomain(db: Executor, { registry }: AskedPorts, work: OpenWork): Promise<Seen> {
  const domain = await readDomain(db, work.service_id);
  const [order] = await db.run(domainOrder, [work.order_id]);
  if (domain === null || order === undefined) return 'absent';
  // Moved between customers of ours: no registry hears of it.
  if (domain.registry_state === 'pending_approval') return 'absent';
  const found = await registry.info(refOf(domain));
  if (found === null) return 'absent';
  switch (order.action) {
    case 'register': {
      const since = work.created_at.subtract(CLOCK_DIFFERENCE);
      const isNew = found.createdAt === null || !isBefore(found.createdAt, since);
      return found.sponsoredHere && isNew ? 'there' : 'absent';
    }
    case 'transfer':
      if (found.sponsoredHere) return 'there';
      return found.statuses.includes('pendingTransfer') ? 'unsettled' : 'absent';
    case 'renew': {
      const { believed_expire_at: believed } = order;
      if (believed === null || found.expireAt === null) return 'unsettled';
      return isBefore(believed, found.expireAt) ? 'there' : 'absent';
    }
    case 'restore':
      return found.sponsoredHere && !found.statuses.some((status) => KEPT.includes(status))
        ? 'there'
        : 'absent';
  }
}

const KEPT = ['redemptionPeriod', 'pendingDelete', 'pendingRestore'];
