import { z } from 'zod';
import { currency, timestamp } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { unfinishedTask, wireTask } from '../../business/core/tasks/task.ts';
import { contactsById } from '../../business/domains/contacts/contact.ts';
import { domain } from '../../business/domains/domain.ts';
import { isTransferLocked } from '../../business/domains/transfer/transfer-lock.ts';
import { openCancellation } from '../../business/selling/subscriptions/cancellation/open-cancellation.ts';
import { lifecycleOf } from '../../business/selling/subscriptions/product.ts';
import { endAt, renewAt } from '../../business/selling/subscriptions/renewal/deadlines.ts';
import { furtherDuration } from '../../business/selling/subscriptions/renewal/renewal-price.ts';
import { operation } from '../../operation.ts';
import { contactSummary, wireContactSummary } from './contact.schema.ts';
import { domainPricing, wireDomainPrices } from './domain.schema.ts';
import { shownNameserver } from './nameserver.schema.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';
import { pricesOf, shownDomain, wireDomain } from './shown.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/details',
  summary: 'One of your domains',
  description: '`registry_status` is as the registry last told it.',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject(domainReference).superRefine(namesOneDomain),
  output: z.object({
    ...shownDomain,
    registry_status: z.array(z.string()).describe('EPP status codes'),
    registered_at: timestamp.nullable(),
    registry_expire_at: timestamp
      .nullable()
      .describe('The registry’s own end, which may lie beyond what was paid for; null where it has none.'),
    renew_at: timestamp.nullable().describe('When it renews itself.'),
    renew_deadline: timestamp.nullable().describe('Until when it can be renewed.'),
    pricing: domainPricing,
    currency,
    period: z.int().describe('Years that it renews itself for: see `domain/order`.'),
    premium: z.boolean(),
    transfer_lock_until: timestamp.nullable(),
    transferable: z.boolean(),
    whois_privacy: z.object({ supported: z.boolean(), enabled: z.boolean() }),
    nameservers: z.array(shownNameserver),
    dnssec: z.object({ enabled: z.boolean() }),
    contacts: z.object({
      owner: contactSummary.nullable(),
      admin: contactSummary.nullable(),
      tech: contactSummary.nullable(),
      zone: contactSummary.nullable(),
    }),
    protection: z.boolean(),
    cancellation: z.object({ cancel_at: timestamp, mode: z.string() }).nullable(),
    pending_task: task.nullable(),
    version: z.int(),
  }),
  message: { en: 'The domain was found.', de: 'Die Domain wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  async read(ctx, _input, found) {
    const { owner_id, admin_id, tech_id, zone_id } = found;
    const [contacts, cancellation, pending] = await Promise.all([
      contactsById(ctx.db, [owner_id, admin_id, tech_id, zone_id]),
      openCancellation(ctx.db, found.id),
      unfinishedTask(ctx.db, found.account_id, found.id),
    ]);
    const summary = (id: string | null) => {
      const contact = id === null ? undefined : contacts.get(id);
      return contact === undefined ? null : wireContactSummary(contact);
    };
    const life = lifecycleOf(ctx.catalog, { product: 'domain', item: found.item });
    const isOn = found.registry_state === 'active';
    const renews = isOn && found.auto_renew && !found.ends;
    const deadline = found.delete_at ?? found.expire_at.add({ hours: 24 * (life.delete_by_days ?? 0) });
    return {
      ...wireDomain(found, ctx.locale),
      registry_status: [...found.statuses],
      registered_at: wireTimeOrNull(found.registered_at),
      registry_expire_at: wireTimeOrNull(found.registry_expire_at),
      renew_at: renews ? wireTime(renewAt(found, life)) : null,
      renew_deadline: isOn ? wireTime(found.ends ? endAt(found, life) : deadline) : null,
      pricing: wireDomainPrices(pricesOf(ctx.catalog, found)),
      currency: ctx.catalog.content.currency,
      period: furtherDuration(
        { ...found, product: 'domain' },
        { current: ctx.catalog, announced: undefined },
      ),
      premium: found.premium,
      transfer_lock_until: wireTimeOrNull(found.transfer_lock_until),
      transferable: isOn && !isTransferLocked(found, ctx.now),
      whois_privacy: {
        supported: ctx.catalog.tlds.get(found.tld)?.features.whois_privacy ?? false,
        enabled: found.whois_privacy,
      },
      nameservers: (found.nameservers ?? []).map(({ hostname, ipv4, ipv6 }) => ({
        hostname,
        ipv4: [...ipv4],
        ipv6: [...ipv6],
      })),
      dnssec: { enabled: found.dnssec },
      contacts: {
        owner: summary(owner_id),
        admin: summary(admin_id),
        tech: summary(tech_id),
        zone: summary(zone_id),
      },
      protection: found.protection,
      cancellation:
        cancellation === null
          ? null
          : { cancel_at: wireTime(cancellation.effective_at), mode: cancellation.mode },
      pending_task: pending === null ? null : wireTask(pending, ctx.locale),
      version: found.version,
    };
  },
});
