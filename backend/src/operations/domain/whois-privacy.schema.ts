import { z } from 'zod';
import { currency, money, timestamp } from '../../api/field.ts';
import { amountOf, wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import type { ContactCard } from '../../business/domains/contacts/contact.ts';
import { privacyMode } from '../../business/domains/contacts/published-owner.ts';
import type { Domain } from '../../business/domains/domain.ts';

export const whoisPrivacy = z.object({
  supported: z.boolean(),
  enabled: z.boolean(),
  mode: z.enum(['proxy', 'redaction', 'none']).describe('Persons are hidden in any case.'),
  price: money.describe('For a year.'),
  currency,
  updated_at: timestamp,
});

export function wireWhoisPrivacy(
  { tlds, content }: CatalogVersion,
  found: Domain,
  owner: ContactCard | null,
  enabled: boolean = found.whois_privacy,
) {
  const tld = tlds.get(found.tld);
  return {
    supported: tld?.features.whois_privacy === true,
    enabled,
    mode: privacyMode(tld, owner, enabled),
    price: wireAmount(amountOf(tld?.whois_privacy ?? 0n)),
    currency: content.currency,
    updated_at: wireTime(found.seen_at ?? found.created_at),
  };
}
