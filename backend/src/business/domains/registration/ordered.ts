import type { Instant } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { NameServerHost } from '../../../drivers/registry/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Order } from '../../selling/orders/order.ts';
import { recurringDiscountColumns } from '../../selling/orders/recurring-discount.ts';
import type { DomainAction, DomainPrices } from '../price.ts';

/** A domain that is ordered, before its order is decided. */
export interface ClaimedDomain {
  readonly id: string;
  readonly name: string;
  readonly tld: string;
  readonly registry: string;
  readonly state: 'pending' | 'pending_transfer' | 'pending_approval';
  readonly transferLock: boolean;
  readonly whoisPrivacy: boolean;
  readonly contacts: ContactIds;
  /** null: as the registry has them. */
  readonly nameservers: readonly NameServerHost[] | null;
  readonly dnsHosted: boolean;
  readonly dnssec: boolean;
  readonly premium: DomainPrices | null;
  /** What a transfer was ordered with. */
  readonly authcodeSealed: Buffer | null;
}

/** By role; null: as the registry has it. */
export interface ContactIds {
  readonly owner: string | null;
  readonly admin: string | null;
  readonly tech: string | null;
  readonly zone: string | null;
}

export const AS_THEY_ARE: ContactIds = { owner: null, admin: null, tech: null, zone: null };

// In the order of their names: of two orders with the same names, one waits for the other and not each for each.
const claim = statement<{ id: string }>(
  'claim_domains',
  `INSERT INTO domains (id, name, tld, registry, state, transfer_lock, whois_privacy, owner_id, admin_id, tech_id,
     zone_id, nameservers, dns_hosted, dnssec, premium, premium_renewal, authcode_sealed)
   SELECT id, name, tld, registry, state, transfer_lock, whois_privacy, owner_id, admin_id, tech_id, zone_id,
     nameservers, dns_hosted, dnssec, premium, premium_renewal, decode(authcode_sealed, 'base64')
   FROM jsonb_to_recordset($1) AS n(id uuid, name text, tld text, registry text, state text, transfer_lock boolean,
     whois_privacy boolean, owner_id uuid, admin_id uuid, tech_id uuid, zone_id uuid, nameservers jsonb,
     dns_hosted boolean, dnssec boolean, premium boolean, premium_renewal bigint, authcode_sealed text)
   ORDER BY name
   ON CONFLICT DO NOTHING RETURNING id`,
);

/**
 * Takes names for a customer, who must be given their services in the same transaction. Waits for whoever is about to
 * take one. The ids of those that it got: somebody has the others, or is having them transferred.
 */
export async function claimDomains(
  tx: Transaction,
  claimed: readonly ClaimedDomain[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.run(claim, [JSON.stringify(claimed.map(claimRow))]);
  return new Set(rows.map(({ id }) => id));
}

function claimRow({ contacts, ...claimed }: ClaimedDomain) {
  return {
    id: claimed.id,
    name: claimed.name,
    tld: claimed.tld,
    registry: claimed.registry,
    state: claimed.state,
    transfer_lock: claimed.transferLock,
    whois_privacy: claimed.whoisPrivacy,
    owner_id: contacts.owner,
    admin_id: contacts.admin,
    tech_id: contacts.tech,
    zone_id: contacts.zone,
    nameservers: claimed.nameservers,
    dns_hosted: claimed.dnsHosted,
    dnssec: claimed.dnssec,
    premium: claimed.premium !== null,
    premium_renewal: claimed.premium?.renew.toString() ?? null,
    authcode_sealed: claimed.authcodeSealed?.toString('base64') ?? null,
  };
}

/** What an order asks of a registry. */
export interface DomainOrder {
  readonly order: Pick<Order, 'id' | 'standing'>;
  readonly domainId: string;
  readonly action: DomainAction;
  /** 0: a transfer that brings no further term, or a restoration within a paid one. */
  readonly years: number;
  /** The end of the paid term; null: there is none yet. */
  readonly believedExpireAt: Instant | null;
  readonly premium: DomainPrices | null;
}

/** Adds it to what the transaction writes. */
export function addDomainOrder(uow: UnitOfWork, ordered: DomainOrder): void {
  const { order, action, premium } = ordered;
  uow.changes.add(domainOrderInsert, {
    order_id: order.id,
    domain_id: ordered.domainId,
    action,
    years: ordered.years,
    believed_expire_at: ordered.believedExpireAt,
    premium_price: premium?.[action] ?? null,
    premium_renewal: premium?.renew ?? null,
    ...recurringDiscountColumns(order.standing),
  });
}

const domainOrderInsert = bulkInsert<{
  order_id: string;
  domain_id: string;
  action: DomainAction;
  years: number;
  believed_expire_at: Instant | null;
  premium_price: bigint | null;
  premium_renewal: bigint | null;
  discount_code: string | null;
  discount_percent: number | null;
  discount_left: number | null;
}>('domain_orders', {
  order_id: 'uuid',
  domain_id: 'uuid',
  action: 'text',
  years: 'smallint',
  believed_expire_at: 'timestamptz',
  premium_price: 'bigint',
  premium_renewal: 'bigint',
  discount_code: 'text',
  discount_percent: 'integer',
  discount_left: 'integer',
});
