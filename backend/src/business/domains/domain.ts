import type { Instant } from '../../base/time.ts';
import { bulkUpdate } from '../../db/changes.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { DelegationSigner, DomainRef, NameServerHost } from '../../drivers/registry/port.ts';
import type { Resource } from '../../operation.ts';
import { accountResource } from '../../unit-of-work/resource.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { TtlHoldOff } from '../dns/ttl-hold-off.ts';
import { zoneOfDomainLeaves } from '../dns/zone/hosting.ts';
import type { RecurringDiscountColumns } from '../selling/orders/recurring-discount.ts';
import { ENDS, type ServiceState } from '../selling/subscriptions/service.ts';
import { type DomainState, IS_OVER, type RegistryState, SHOWN_STATE } from './state.ts';

/** A domain with its service: everything the group's operations and jobs show or decide on. */
export interface Domain extends RecurringDiscountColumns, TtlHoldOff {
  readonly id: string;
  readonly number: bigint;
  readonly account_id: string;
  /** Punycode, lower case, without the root's dot. */
  readonly name: string;
  /** The TLD; the same as `tld`, as for every service. */
  readonly item: string;
  readonly custom_name: string | null;
  /** Of the service. */
  readonly state: ServiceState;
  readonly auto_renew: boolean;
  readonly duration: number;
  readonly duration_unit: 'hour' | 'month' | 'year';
  readonly anchor_day: number;
  /** The end of the term that was paid for. */
  readonly expire_at: Instant;
  readonly version: number;
  readonly announced_version: number | null;
  readonly delete_at: Instant | null;
  readonly created_at: Instant;
  readonly tld: string;
  readonly registry: string;
  readonly registry_state: RegistryState;
  readonly shown_state: DomainState;
  readonly registered_at: Instant | null;
  /** The registry's own end (rule F1); null: none is known. */
  readonly registry_expire_at: Instant | null;
  /** EPP's, as the registry last told them. */
  readonly statuses: readonly string[];
  readonly seen_at: Instant | null;
  readonly transfer_lock: boolean;
  readonly transfer_lock_until: Instant | null;
  readonly protection: boolean;
  readonly whois_privacy: boolean;
  /** Of one that was switched off: until when it was paid for; null: it never was on. */
  readonly whois_privacy_until: Instant | null;
  readonly owner_id: string | null;
  readonly admin_id: string | null;
  readonly tech_id: string | null;
  readonly zone_id: string | null;
  /** null: as the registry has it. */
  readonly nameservers: readonly NameServerHost[] | null;
  readonly dns_hosted: boolean;
  readonly dnssec: boolean;
  readonly ds: readonly DelegationSigner[];
  readonly premium: boolean;
  /** What a further year of a premium name may cost: its customer was shown it. */
  readonly premium_renewal: bigint | null;
  /** What its registry last asked for that. */
  readonly premium_asked: bigint | null;
  readonly authcode_sealed: Buffer | null;
  readonly authcode_expires_at: Instant | null;
  /** The reasons that its service is suspended for. */
  readonly suspensions: readonly string[];
  /** Whether it ends with its term, by its customer's wish. */
  readonly ends: boolean;
}

/** SQL for the columns of {@link Domain}, of services `s` and domains `v`. */
export const DOMAIN_COLUMNS = `s.id, s.number, s.account_id, s.name, s.item, s.custom_name, s.state, s.auto_renew,
  s.duration, s.duration_unit, s.anchor_day, s.expire_at, s.version, s.announced_version, s.delete_at, s.created_at,
  s.discount_code, s.discount_percent, s.discount_left, v.tld, v.registry, v.state AS registry_state,
  ${SHOWN_STATE} AS shown_state, v.registered_at, v.registry_expire_at, v.statuses, v.seen_at, v.transfer_lock,
  v.transfer_lock_until, v.protection, v.whois_privacy, v.whois_privacy_until, v.owner_id, v.admin_id, v.tech_id, v.zone_id, v.nameservers,
  v.dns_hosted, v.dnssec, v.ds, v.ds_remembered_until, v.ns_remembered_until, v.premium, v.premium_renewal, v.premium_asked, v.authcode_sealed,
  v.authcode_expires_at,
  ARRAY(SELECT p.reason FROM suspensions p WHERE p.service_id = s.id ORDER BY p.reason) AS suspensions,
  ${ENDS} AS ends`;

// By its uuid, or by its name: of several of one name, the one that is not over, else the last. No name is a uuid: it has a dot.
const found = (account: string, ref: string) => `SELECT v.id FROM domains v JOIN services s ON s.id = v.id
  WHERE s.account_id = ${account} AND (v.name = ${ref}
    OR v.id = CASE WHEN ${ref} ~ '^[0-9a-f-]{36}$' THEN ${ref}::uuid END)
  ORDER BY ${IS_OVER}, s.number DESC LIMIT 1`;

const load = statement<Domain & { ord: bigint }>(
  'load_domains',
  `SELECT k.ord, ${DOMAIN_COLUMNS} FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY k(account_id, ref, ord)
   JOIN LATERAL (${found('k.account_id', 'k.ref')}) f ON true
   JOIN services s ON s.id = f.id JOIN domains v ON v.id = s.id`,
);
const lock = statement<Domain>(
  'lock_domain',
  `SELECT ${DOMAIN_COLUMNS} FROM services s JOIN domains v ON v.id = s.id
   WHERE s.id = (${found('$1::uuid', '$2::text')}) FOR UPDATE OF s, v`,
);

/** What an operation on one domain names it by. */
export interface DomainReference {
  readonly uuid?: string | undefined;
  readonly domain?: string | undefined;
}

/** A domain among the caller's own, by its uuid or its name. */
export const domain: Resource<Domain> = {
  ...accountResource<Domain>('domain', load, lock),
  belongsTo: (one) => one.id,
  keyOf: (input) => {
    const { uuid, domain: name } = input as DomainReference;
    return uuid ?? name ?? '';
  },
};

const lockOne = statement<Domain>(
  'lock_domain_by_id',
  `SELECT ${DOMAIN_COLUMNS} FROM services s JOIN domains v ON v.id = s.id WHERE s.id = $1 FOR UPDATE OF s, v`,
);
const readOne = statement<Domain>(
  'read_domain_by_id',
  `SELECT ${DOMAIN_COLUMNS} FROM services s JOIN domains v ON v.id = s.id WHERE s.id = $1`,
);
const readLive = statement<Domain>(
  'read_live_domains',
  `SELECT ${DOMAIN_COLUMNS} FROM services s JOIN domains v ON v.id = s.id
   WHERE v.name = ANY($1::text[]) AND v.state IN ('active', 'redemption', 'pending_delete')`,
);

/** Whoever's it is, its row locked; its account must be locked before. null: there is none. */
export async function lockDomain(db: Executor, id: string): Promise<Domain | null> {
  return (await db.run(lockOne, [id]))[0] ?? null;
}

export async function readDomain(db: Executor, id: string): Promise<Domain | null> {
  return (await db.run(readOne, [id]))[0] ?? null;
}

/** The domains of these names that are in our hands, whoever's they are, by their names. */
export async function sponsoredDomains(
  db: Executor,
  names: readonly string[],
): Promise<ReadonlyMap<string, Domain>> {
  const found = await db.run(readLive, [names]);
  return new Map(found.map((domain) => [domain.name, domain]));
}

export function refOf(one: Pick<Domain, 'name' | 'tld' | 'registry'>): DomainRef {
  return { domain: one.name, tld: one.tld, registry: one.registry };
}

/** What its registry told of a domain. */
export const domainObserved = bulkUpdate<{
  id: string;
  state: RegistryState;
  registered_at: Instant | null;
  registry_expire_at: Instant | null;
  statuses: string;
  seen_at: Instant;
}>(
  'domains',
  'seen',
  {
    id: 'uuid',
    state: 'text',
    registered_at: 'timestamptz',
    registry_expire_at: 'timestamptz',
    statuses: 'jsonb',
    seen_at: 'timestamptz',
  },
  `state = n.state, registered_at = coalesce(n.registered_at, domains.registered_at),
   registry_expire_at = n.registry_expire_at, statuses = n.statuses, seen_at = n.seen_at`,
);

const domainOver = bulkUpdate<{ id: string; state: RegistryState }>(
  'domains',
  'over',
  { id: 'uuid', state: 'text' },
  `state = n.state, statuses = '[]', authcode_sealed = NULL, authcode_expires_at = NULL`,
);

/** A domain is over, or came to nothing: no secret of it is kept. */
export function endDomain(
  uow: UnitOfWork,
  id: string,
  state: Extract<RegistryState, 'transferred_out' | 'deleted' | 'failed'>,
): void {
  uow.changes.add(domainOver, { id, state });
  zoneOfDomainLeaves(uow, id, state === 'transferred_out');
}
