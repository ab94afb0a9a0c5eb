import type { Instant } from '../../../base/time.ts';
import { isBefore, later } from '../../../base/time.ts';
import type { GraceStatus } from './commands.ts';
import type { RegistryPolicy } from './policy.ts';
import type { Registration, Transfer } from './registration.ts';

/** RFC 3915 §3.1: how long a registrar has for the report of a restore. */
const REPORT_DAYS = 7;

/** What the clock does to a domain without anybody's command. */
export type Happening = {
  readonly kind: 'autorenew' | 'expire' | 'purge' | 'approve_transfer' | 'lapse_restore';
  readonly at: Instant;
};

export function days(from: Instant, count: number): Instant {
  return from.add({ hours: count * 24 });
}

/** The same day of a later year; 29 February becomes the 28th. */
export function years(from: Instant, count: number): Instant {
  return from.toZonedDateTimeISO('UTC').add({ years: count }).toInstant();
}

/** What comes next by itself, and when; null: nothing ever. */
export function nextHappening(
  domain: Registration,
  transfer: Transfer | null,
  policy: RegistryPolicy,
): Happening | null {
  if (domain.restoreRequestedAt !== null)
    return { kind: 'lapse_restore', at: days(domain.restoreRequestedAt, REPORT_DAYS) };
  if (domain.deletedAt !== null) return { kind: 'purge', at: purgeAt(domain.deletedAt, policy) };
  const coming: Happening[] = [];
  if (transfer?.status === 'pending') coming.push({ kind: 'approve_transfer', at: transfer.actAt });
  if (domain.expireAt !== null && policy.atExpiry === 'renew')
    coming.push({ kind: 'autorenew', at: domain.expireAt });
  if (domain.expireAt !== null && policy.atExpiry === 'expire')
    coming.push({ kind: 'expire', at: days(domain.expireAt, policy.renewableDays) });
  // Of one moment, the transfer first: who asked for it in time is to have it.
  return coming.reduce<Happening | null>(
    (first, next) => (first === null || isBefore(next.at, first.at) ? next : first),
    null,
  );
}

export function redemptionEnd(deletedAt: Instant, policy: RegistryPolicy): Instant {
  return days(deletedAt, policy.redemptionDays);
}

function purgeAt(deletedAt: Instant, policy: RegistryPolicy): Instant {
  return days(deletedAt, policy.redemptionDays + policy.pendingDeleteDays);
}

/** RFC 3915: the grace periods and stages of deletion that the domain is in. */
export function graceStatuses(domain: Registration, policy: RegistryPolicy, now: Instant): GraceStatus[] {
  if (domain.restoreRequestedAt !== null) return ['pendingRestore'];
  if (domain.deletedAt !== null)
    return isBefore(now, redemptionEnd(domain.deletedAt, policy)) ? ['redemptionPeriod'] : ['pendingDelete'];
  return [...new Set(runningGraces(domain, now).map(({ period }) => period))];
}

/** Those whose charge would be paid back now. */
export function runningGraces({ graces }: Registration, now: Instant) {
  return graces.filter(({ until }) => isBefore(now, until));
}

export function isTransferLocked({ transferLockedUntil: until }: Registration, now: Instant): boolean {
  return until !== null && isBefore(now, until);
}

/** RFC 5731 §2.3, with what follows from dates; never empty. */
export function eppStatuses(
  domain: Registration,
  transfer: Transfer | null,
  policy: RegistryPolicy,
  now: Instant,
): string[] {
  const statuses = new Set<string>([...domain.clientStatuses, ...domain.serverStatuses]);
  if (domain.deletedAt !== null) statuses.add('pendingDelete');
  else if (isTransferLocked(domain, now)) statuses.add('serverTransferProhibited');
  if (transfer?.status === 'pending') statuses.add('pendingTransfer');
  if (isExpired(domain, policy, now)) statuses.add('serverHold');
  if (domain.hosts.length === 0) statuses.add('inactive');
  // RFC 5731: `ok` stands alone.
  if (statuses.size === 0) statuses.add('ok');
  return [...statuses].sort();
}

/** After its end, in the time in which it can still be renewed. */
function isExpired({ expireAt, deletedAt }: Registration, policy: RegistryPolicy, now: Instant): boolean {
  return policy.atExpiry === 'expire' && deletedAt === null && expireAt !== null && !isBefore(now, expireAt);
}

/** A registration lasts at most ten years from now, whatever adds to it. */
export function withinTenYears(expireAt: Instant, now: Instant): boolean {
  return !isBefore(years(now, 10), expireAt);
}

/** The end after a transfer, capped at ten years (Consensus Policy on transfers), and never earlier than it was. */
export function transferredEnd(expireAt: Instant, term: number, now: Instant): Instant {
  const extended = years(expireAt, term);
  return withinTenYears(extended, now) ? extended : later(expireAt, years(now, 10));
}
