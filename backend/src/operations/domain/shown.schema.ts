import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { unicodeName } from '../../base/domain-name.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import type { Domain } from '../../business/domains/domain.ts';
import { type DomainPrices, domainPrices, premiumRenewal } from '../../business/domains/price.ts';
import { DOMAIN_STATES, domainStateText } from '../../business/domains/state.ts';
import type { Locale } from '../../operation.ts';

export const domainState = z.enum(DOMAIN_STATES);

/** What lists and details of domains have in common. */
export const shownDomain = {
  uuid,
  id: z.int(),
  domain: z.string().describe('Punycode'),
  domain_unicode: z.string(),
  tld: z.string(),
  state: domainState,
  state_text: z.string(),
  custom_name: z.string().nullable(),
  created_at: timestamp,
  expire_at: timestamp
    .nullable()
    .describe('The end of the term that was paid for; null while it is being made.'),
  auto_renew: z.boolean(),
  transfer_lock: z.boolean(),
  dns_hosted: z.boolean(),
};

type Shown = Pick<
  Domain,
  | 'id'
  | 'number'
  | 'name'
  | 'tld'
  | 'shown_state'
  | 'registry_state'
  | 'custom_name'
  | 'created_at'
  | 'expire_at'
  | 'auto_renew'
  | 'transfer_lock'
  | 'dns_hosted'
>;

/** The fields of {@link shownDomain}. */
export function wireDomain(domain: Shown, locale: Locale) {
  const { registry_state: at } = domain;
  const isMade =
    at !== 'pending' && at !== 'pending_transfer' && at !== 'pending_approval' && at !== 'failed';
  return {
    uuid: domain.id,
    id: Number(domain.number),
    domain: domain.name,
    domain_unicode: unicodeName(domain.name),
    tld: domain.tld,
    state: domain.shown_state,
    state_text: domainStateText(domain.shown_state, locale),
    custom_name: domain.custom_name,
    created_at: wireTime(domain.created_at),
    expire_at: wireTimeOrNull(isMade ? domain.expire_at : null),
    auto_renew: domain.auto_renew,
    transfer_lock: domain.transfer_lock,
    dns_hosted: domain.dns_hosted,
  };
}

const NOT_SOLD: DomainPrices = { register: 0n, renew: 0n, transfer: null, restore: 0n };

/** What a domain costs its customer; zeros where the catalogue has forgotten its TLD. */
export function pricesOf(
  { tlds }: CatalogVersion,
  domain: Pick<Domain, 'tld' | 'premium_renewal'>,
): DomainPrices {
  const tld = tlds.get(domain.tld);
  if (tld === undefined) return NOT_SOLD;
  const { premium_renewal: premium } = domain;
  const list = domainPrices(tld, null, null);
  return premium === null ? list : { ...list, renew: premiumRenewal(premium).renew };
}
