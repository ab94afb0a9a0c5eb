import { type Instant, isBefore } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Books } from './books.ts';
import type { CheckedDomain, DomainInfo, TransferInfo } from './commands.ts';
import { feesOf } from './fees.ts';
import { eppStatuses, graceStatuses } from './life.ts';
import { readName } from './policy.ts';
import type { Registration } from './registration.ts';
import { failure, type Reply, success } from './reply.ts';
import { availabilityOf } from './rules.ts';
import { transferInfo } from './transition.ts';

const registered = statement<{ name: string; due: boolean }>(
  'sandbox_registry_registered',
  `SELECT name, coalesce(due_at <= $2, false) AS due FROM sandbox.registry_domains WHERE name = ANY($1)`,
);
const below = statement<{ name: string }>(
  'sandbox_registry_hosts_below',
  'SELECT name FROM sandbox.registry_hosts WHERE superordinate = $1 ORDER BY name',
);

/** Which of these names somebody has now. */
export async function registeredNames(books: Books, names: readonly string[]): Promise<ReadonlySet<string>> {
  const find = () => books.db.run(registered, [names, books.clock.now()]);
  const rows = await find();
  const late = rows.filter((row) => row.due);
  for (const { name } of late) await books.pass(name);
  return new Set((late.length === 0 ? rows : await find()).map(({ name }) => name));
}

export async function checkDomains(
  books: Books,
  names: readonly string[],
): Promise<Reply<readonly CheckedDomain[]>> {
  const taken = await registeredNames(books, names);
  const checked = names.map((name): CheckedDomain => {
    const of = readName(name);
    if (of === null) return { name, available: false, reason: 'invalid', fees: null };
    const { reason } = taken.has(name) ? { reason: 'taken' as const } : availabilityOf(of.label);
    return { name, available: reason === null, reason, fees: feesOf(of, books.currency) };
  });
  return success(checked);
}

export function domainInfo(
  books: Books,
  registrar: string,
  name: string,
  authcode?: string,
): Promise<Reply<DomainInfo>> {
  return books.withDomain<DomainInfo>(name, async ({ tx, held, of, now }) => {
    const { domain, transfer } = held;
    if (authcode !== undefined && !opens(domain, authcode, now))
      return failure(2202, 'authcode', 'the authcode is wrong');
    const { id, updatedBy, updatedAt, transferredAt, createdBy, createdAt, expireAt, hosts, ds } = domain;
    const trusted = domain.sponsor === registrar || authcode !== undefined;
    const answer: DomainInfo = {
      name,
      roid: `D${id}-SANDBOX`,
      statuses: eppStatuses(domain, transfer, of.policy, now),
      grace: graceStatuses(domain, of.policy, now),
      registrant: trusted ? domain.registrant : null,
      contacts: trusted ? domain.contacts : [],
      hosts,
      subordinateHosts: (await tx.run(below, [name])).map((host) => host.name),
      ds,
      sponsor: domain.sponsor,
      createdBy,
      createdAt,
      updatedBy,
      updatedAt,
      transferredAt,
      expireAt,
      authcode: domain.sponsor === registrar ? liveAuthcode(domain, now) : null,
    };
    return { answer: success(answer), holding: held };
  });
}

export function queryTransfer(
  books: Books,
  registrar: string,
  name: string,
  authcode?: string,
): Promise<Reply<TransferInfo>> {
  return books.withDomain<TransferInfo>(name, ({ held, now }) => {
    const { domain, transfer } = held;
    if (authcode !== undefined && !opens(domain, authcode, now))
      return failure(2202, 'authcode', 'the authcode is wrong');
    if (transfer === null) return failure(2301, 'transfer', 'nobody ever asked for it');
    const party = [domain.sponsor, transfer.requestedBy, transfer.actedBy].includes(registrar);
    if (!party && authcode === undefined) return failure(2201, 'registrar', 'it is between others');
    return { answer: success(transferInfo(domain, transfer)), holding: held };
  });
}

/** The code that opens it now; null: none, or one whose time is over. */
export function liveAuthcode({ authcode, authcodeExpireAt: end }: Registration, now: Instant): string | null {
  return end !== null && !isBefore(now, end) ? null : authcode;
}

export function opens(domain: Registration, authcode: string, now: Instant): boolean {
  return liveAuthcode(domain, now) === authcode;
}
