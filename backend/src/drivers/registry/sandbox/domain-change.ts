import { statement } from '../../../db/statement.ts';
import type { ClientStatus } from '../port.ts';
import type { Books, Found } from './books.ts';
import type { DomainChange } from './commands.ts';
import { contactObjection, delegationObjection, dsObjection, sameSigner } from './domain-links.ts';
import { AUTHCODE_DAYS, prohibits } from './domain-registration.ts';
import { days } from './life.ts';
import type { Registration } from './registration.ts';
import { type Failure, type FailureField, failure, type Reply, success } from './reply.ts';
import { deleted } from './transition.ts';

const neededElsewhere = statement<{ name: string }>(
  'sandbox_registry_hosts_needed_elsewhere',
  `SELECT h.name FROM sandbox.registry_hosts h
   WHERE h.superordinate = $1 AND EXISTS (
     SELECT FROM sandbox.registry_domains d WHERE d.hosts @> ARRAY[h.name] AND d.name <> $1)
   LIMIT 1`,
);

export function updateDomain(books: Books, registrar: string, change: DomainChange): Promise<Reply<null>> {
  return books.withDomain<null>(change.name, async ({ tx, held, of: { policy }, now }) => {
    const objection = changeObjection(held, registrar, change);
    if (objection !== null) return objection;
    const changed = applied(held.domain, change);
    if ('ok' in changed) return changed;
    const linked =
      (change.registrant !== undefined || change.addContacts || change.removeContacts
        ? await contactObjection(tx, changed, policy)
        : null) ??
      (await delegationObjection(tx, changed.hosts)) ??
      dsObjection(changed.ds);
    if (linked !== null) return linked;
    const { authcode } = change;
    const coded =
      authcode === undefined
        ? changed
        : { ...changed, authcode, authcodeExpireAt: authcode === null ? null : days(now, AUTHCODE_DAYS) };
    return {
      answer: success(null),
      holding: { ...held, domain: { ...coded, updatedBy: registrar, updatedAt: now } },
    };
  });
}

function changeObjection(
  { domain, transfer }: Found['held'],
  registrar: string,
  change: DomainChange,
): Failure | null {
  if (domain.sponsor !== registrar) return failure(2201, 'registrar', 'it is not yours');
  if (domain.deletedAt !== null) return failure(2304, 'status', 'it is deleted');
  if (transfer?.status === 'pending') return failure(2304, 'status', 'a transfer is pending');
  // RFC 5731 §2.3: only an update that takes the status away is let through.
  const unlocks = change.removeStatuses?.includes('clientUpdateProhibited') === true;
  if (
    domain.serverStatuses.includes('serverUpdateProhibited') ||
    (prohibits(domain, 'UpdateProhibited') && !unlocks)
  )
    return failure(2304, 'status', 'updates are prohibited');
  return null;
}

/** The domain with the change, or what of it does not fit. */
function applied(domain: Registration, change: DomainChange): Registration | Failure {
  const same = <T>(a: T, b: T) => a === b;
  const hosts = merged('host', domain.hosts, change.removeHosts, change.addHosts, same);
  if ('ok' in hosts) return hosts;
  const contacts = merged(
    'contact',
    domain.contacts,
    change.removeContacts,
    change.addContacts,
    (a, b) => a.role === b.role && a.handle === b.handle,
  );
  if ('ok' in contacts) return contacts;
  const statuses = merged<ClientStatus>(
    'status',
    domain.clientStatuses,
    change.removeStatuses,
    change.addStatuses,
    same,
  );
  if ('ok' in statuses) return statuses;
  const removedDs = change.removeAllDs === true ? domain.ds : change.removeDs;
  const ds = merged('ds', domain.ds, removedDs, change.addDs, sameSigner);
  if ('ok' in ds) return ds;
  const registrant = change.registrant ?? domain.registrant;
  return { ...domain, hosts, contacts, clientStatuses: statuses, ds, registrant };
}

/** RFC 5731 §3.2.5: nothing is removed that is not there, nothing added that is. */
function merged<T>(
  field: FailureField,
  present: readonly T[],
  remove: readonly T[] = [],
  add: readonly T[] = [],
  same: (a: T, b: T) => boolean,
): readonly T[] | Failure {
  const has = (list: readonly T[], item: T) => list.some((other) => same(other, item));
  if (remove.some((item) => !has(present, item)))
    return failure(2303, field, `a ${field} to remove is not there`);
  const kept = present.filter((item) => !has(remove, item));
  if (add.some((item) => has(kept, item))) return failure(2302, field, `a ${field} to add is there`);
  return [...kept, ...add];
}

export function deleteDomain(books: Books, registrar: string, name: string): Promise<Reply<null>> {
  return books.withDomain<null>(name, async ({ tx, held, of: { policy }, now }) => {
    const { domain, transfer } = held;
    if (domain.sponsor !== registrar) return failure(2201, 'registrar', 'it is not yours');
    if (domain.deletedAt !== null) return failure(2304, 'status', 'it is deleted');
    if (transfer?.status === 'pending') return failure(2304, 'status', 'a transfer is pending');
    if (prohibits(domain, 'DeleteProhibited')) return failure(2304, 'status', 'deletion is prohibited');
    const [host] = await tx.run(neededElsewhere, [name]);
    if (host !== undefined) return failure(2305, 'host', `other domains need ${host.name}`);
    const holding = deleted(held, policy, now);
    return { answer: success(null, holding.domain === null ? 1000 : 1001), holding };
  });
}
