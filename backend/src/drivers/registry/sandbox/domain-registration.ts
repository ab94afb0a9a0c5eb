import type { Instant } from '../../../base/time.ts';
import { transaction } from '../../../db/transaction.ts';
import type { Books } from './books.ts';
import type { CreatedDomain, DomainRenewal, Fee, NewDomain } from './commands.ts';
import { contactObjection, delegationObjection, dsObjection } from './domain-links.ts';
import { feeObjection, feesOf } from './fees.ts';
import { days, withinTenYears, years } from './life.ts';
import { readName } from './policy.ts';
import type { Registration } from './registration.ts';
import { failure, type Reply, success } from './reply.ts';
import { availabilityOf } from './rules.ts';
import { addHolding } from './store.ts';
import { charged, type Held } from './transition.ts';

/** RFC 9154 §4.3: how long an authcode opens a domain. */
export const AUTHCODE_DAYS = 30;

export async function createDomain(
  books: Books,
  registrar: string,
  wanted: NewDomain,
): Promise<Reply<CreatedDomain>> {
  const of = readName(wanted.name);
  if (of === null) return failure(2005, 'name', `${wanted.name} is no name that is registered here`);
  // A name that fell free a moment ago is free.
  await books.pass(of.name);
  const { reason } = availabilityOf(of.label);
  if (reason === 'taken') return failure(2302, 'name', `${of.name} is registered`);
  if (reason === 'reserved') return failure(2306, 'name', `${of.name} is reserved`);
  if (reason !== null) return failure(2005, 'name', `${of.name} is not allowed`);
  const { policy } = of;
  const term = wanted.years ?? policy.periods[0] ?? 1;
  if (!policy.periods.includes(term)) return failure(2004, 'period', `not for ${term} years`);
  const fees = feesOf(of, books.currency);
  const fee: Fee = { amount: fees.create * BigInt(term), currency: books.currency };
  const objection = feeObjection(fee, fees, wanted.fee) ?? dsObjection(wanted.ds);
  if (objection !== null) return objection;
  return await transaction(books.db, async (tx) => {
    const now = books.clock.now();
    const linked =
      (await contactObjection(tx, wanted, policy)) ??
      (await delegationObjection(tx, wanted.hosts)) ??
      (await books.credit(tx, registrar, fee.amount));
    if (linked !== null) return linked;
    const domain = registration(wanted, registrar, now, {
      expireAt: policy.atExpiry === 'never' ? null : years(now, term),
      lockedUntil: policy.lockDays === 0 ? null : days(now, policy.lockDays),
    });
    const held = charged(
      { domain, transfer: null, charges: [], messages: [] },
      { registrar, kind: 'create', amount: fee.amount, years: term, at: now },
      { period: 'addPeriod', days: policy.addDays },
    );
    if (!(await addHolding(tx, held, policy))) return failure(2302, 'name', `${of.name} is registered`);
    return success({ name: of.name, createdAt: now, expireAt: domain.expireAt, fee });
  });
}

function registration(
  { name, registrant, contacts, hosts, ds, authcode }: NewDomain,
  registrar: string,
  now: Instant,
  { expireAt, lockedUntil }: { readonly expireAt: Instant | null; readonly lockedUntil: Instant | null },
): Registration {
  return {
    id: 0n,
    name,
    sponsor: registrar,
    createdBy: registrar,
    createdAt: now,
    updatedBy: null,
    updatedAt: null,
    transferredAt: null,
    expireAt,
    registrant,
    contacts,
    hosts: [...new Set(hosts)],
    ds,
    clientStatuses: [],
    serverStatuses: [],
    authcode,
    authcodeExpireAt: days(now, AUTHCODE_DAYS),
    transferLockedUntil: lockedUntil,
    graces: [],
    deletedAt: null,
    restoreRequestedAt: null,
  };
}

export function renewDomain(
  books: Books,
  registrar: string,
  { name, currentExpiry, years: term, fee: accepted }: DomainRenewal,
): Promise<Reply<{ name: string; expireAt: Instant; fee: Fee }>> {
  return books.withDomain(name, async ({ tx, held, of: { policy }, fees, now }) => {
    const { domain, transfer } = held;
    if (domain.sponsor !== registrar) return failure(2201, 'registrar', 'it is not yours');
    if (domain.expireAt === null)
      return failure(2102, 'period', 'a registration here has no end to be moved');
    if (domain.deletedAt !== null) return failure(2304, 'status', 'it is deleted');
    if (transfer?.status === 'pending') return failure(2304, 'status', 'a transfer is pending');
    if (prohibits(domain, 'RenewProhibited')) return failure(2304, 'status', 'renewals are prohibited');
    if (domain.expireAt.toString().slice(0, 10) !== currentExpiry)
      return failure(2004, 'expiry', `it does not end on ${currentExpiry}`);
    const early = policy.renewWithinDays;
    if (early !== null && Temporal.Instant.compare(now, days(domain.expireAt, -early)) < 0)
      return failure(2105, 'period', `not earlier than ${early} days before the end`);
    const expireAt = years(domain.expireAt, term);
    if (!policy.periods.includes(term) || !withinTenYears(expireAt, now))
      return failure(2004, 'period', `not for ${term} years`);
    const fee = { amount: fees.renew * BigInt(term), currency: books.currency };
    const objection = feeObjection(fee, fees, accepted) ?? (await books.credit(tx, registrar, fee.amount));
    if (objection !== null) return objection;
    const renewed: Held = { ...held, domain: { ...domain, expireAt, updatedBy: registrar, updatedAt: now } };
    const holding = charged(
      renewed,
      { registrar, kind: 'renew', amount: fee.amount, years: term, at: now },
      { period: 'renewPeriod', days: policy.renewDays },
    );
    return { answer: success({ name, expireAt, fee }), holding };
  });
}

/** Whether the sponsor or the registry has set the status against something. */
export function prohibits({ clientStatuses, serverStatuses }: Registration, what: string): boolean {
  return [...clientStatuses, ...serverStatuses].some(
    (status) => status === `client${what}` || status === `server${what}`,
  );
}
