import { isWithin } from '../../../base/dns/name.ts';
import { type Instant, isBefore } from '../../../base/time.ts';
import type { NameServerHost, RegisteredDomain } from '../../../drivers/registry/port.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';
import type { Domain } from '../domain.ts';
import { missingYears } from '../renewal/term.ts';
import { isOver } from '../state.ts';
import { wantedOfRegistration, wantedStatuses } from './desired-state.ts';
import { stateOf } from './observed.ts';

/** A domain as the books have it. */
export interface RecordedDomain extends Domain {
  /** Work is under way: what is found meanwhile means nothing. */
  readonly busy: boolean;
}

export const DIFFERENCE_KINDS = [
  'domain_missing',
  'domain_unknown',
  'domain_elsewhere',
  'domain_state_differs',
  'domain_status_differs',
  'domain_expiry_differs',
  'domain_nameservers_differ',
  'domain_ds_differs',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference {
  readonly kind: DifferenceKind;
  readonly booked: Readonly<Record<string, unknown>> | null;
  readonly found: Readonly<Record<string, unknown>> | null;
}

/** How far apart two records of one moment may be: not every registry tells fractions of a second. */
const SAME_MOMENT_MS = 1000;

/**
 * Compares the books' word on a name with its registry's. `booked`: the one that is not over, else the last; null: the
 * name was never here. `tld`: the catalogue's, where it has it still.
 */
export function compareDomain(
  booked: RecordedDomain | null,
  told: RegisteredDomain | null,
  tld: Tld | undefined,
  now: Instant,
): readonly Difference[] {
  if (booked === null || isOver(booked.registry_state)) return unbooked(booked, told);
  const { registry_state: state } = booked;
  if (booked.busy || (state !== 'active' && state !== 'redemption' && state !== 'pending_delete')) return [];
  const wanted = wantedOfRegistration(booked, now);
  if (told === null) {
    return wanted === 'absent'
      ? []
      : [{ kind: 'domain_missing', booked: { state, expire_at: booked.expire_at }, found: null }];
  }
  if (!told.sponsoredHere)
    return [{ kind: 'domain_elsewhere', booked: { state }, found: { registrar: told.registrar } }];
  if (stateOf(told) !== state)
    return [{ kind: 'domain_state_differs', booked: { state }, found: { statuses: told.statuses } }];
  if (wanted !== 'on' && wanted !== 'held') return [];
  return [
    ...differing(
      'domain_status_differs',
      'statuses',
      statusesOf(booked, told, wanted, now),
      locksIn(told.statuses),
    ),
    ...endDiffers(booked, told, tld, now),
    ...delegationDiffers(booked, told),
  ];
}

/** What the books leave to the registry is not compared. */
function delegationDiffers(booked: RecordedDomain, told: RegisteredDomain): readonly Difference[] {
  const { name, nameservers } = booked;
  if (nameservers === null) return [];
  const [wanted, found] = [hostsOf(name, nameservers), hostsOf(name, told.nameservers)];
  return [
    ...differing('domain_nameservers_differ', 'nameservers', wanted, found),
    ...differing('domain_ds_differs', 'ds', signersOf(booked), signersOf(told)),
  ];
}

/** One that is registered here and that nobody is charged for. What its registry is about to drop is none. */
function unbooked(booked: RecordedDomain | null, told: RegisteredDomain | null): readonly Difference[] {
  if (told === null || !told.sponsoredHere || stateOf(told) !== 'active') return [];
  const found = { created_at: told.createdAt, expire_at: told.expireAt, statuses: told.statuses };
  return [{ kind: 'domain_unknown', booked: booked && { state: booked.registry_state }, found }];
}

/**
 * The end that was last seen (rule F1), and what the customer has paid for. A registry that renews by itself does so
 * without a word: a later end is no surprise then.
 */
function endDiffers(
  { registry_expire_at: seen, expire_at: paidUntil }: RecordedDomain,
  { expireAt: end }: RegisteredDomain,
  tld: Tld | undefined,
  now: Instant,
): readonly Difference[] {
  const isSame = (a: Instant, b: Instant) =>
    Math.abs(a.epochMilliseconds - b.epochMilliseconds) < SAME_MOMENT_MS;
  const isRenewed =
    tld?.policy.autorenew_at_registry === true &&
    seen !== null &&
    end !== null &&
    !isBefore(now, seen) &&
    isBefore(seen, end);
  const isKnown = seen === null || end === null ? seen === end : isSame(seen, end) || isRenewed;
  const isPaidFor = end === null || missingYears(end, paidUntil) === 0;
  if (isKnown && isPaidFor) return [];
  const booked = { registry_expire_at: seen, paid_until: paidUntil };
  return [{ kind: 'domain_expiry_differs', booked, found: { expire_at: end } }];
}

/** Ours, as they are wanted, and the registry's own that were seen before: those it may take off without a word. */
function statusesOf(
  booked: RecordedDomain,
  told: RegisteredDomain,
  wanted: 'on' | 'held',
  now: Instant,
): readonly string[] {
  const known = booked.statuses.filter((status) => status.startsWith('server'));
  const kept = known.filter((status) => told.statuses.includes(status));
  return [...wantedStatuses(booked, wanted, now), ...kept].toSorted();
}

/** Those that somebody sets; the others come and go by themselves. */
function locksIn(statuses: readonly string[]): readonly string[] {
  return statuses.filter((status) => /^(client|server)/.test(status)).toSorted();
}

/** Addresses only where they are the domain's to tell. */
function hostsOf(domain: string, hosts: readonly NameServerHost[]): readonly string[] {
  return hosts
    .map(({ hostname, ipv4, ipv6 }) => {
      const glue = isWithin(hostname.toLowerCase(), domain) ? [...ipv4, ...ipv6].toSorted() : [];
      return [hostname.toLowerCase(), ...glue].join(' ');
    })
    .toSorted();
}

function signersOf({ ds }: Pick<RegisteredDomain, 'ds'>): readonly string[] {
  return ds
    .map(
      ({ keyTag, algorithm, digestType, digest }) =>
        `${keyTag} ${algorithm} ${digestType} ${digest.toUpperCase()}`,
    )
    .toSorted();
}

function differing(
  kind: DifferenceKind,
  what: string,
  booked: readonly string[],
  found: readonly string[],
): readonly Difference[] {
  const isSame = booked.length === found.length && booked.every((one, at) => one === found[at]);
  return isSame ? [] : [{ kind, booked: { [what]: booked }, found: { [what]: found } }];
}
