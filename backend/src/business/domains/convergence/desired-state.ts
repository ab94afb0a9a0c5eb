import { type Instant, isBefore } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import type { ClientStatus, WantedContacts } from '../../../drivers/registry/port.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';
import { type Contact, contactsById } from '../contacts/contact.ts';
import { isDisclosed } from '../contacts/published-owner.ts';
import { registryContact } from '../contacts/registry-contact.ts';
import type { Domain } from '../domain.ts';
import { isTransferLocked } from '../transfer/transfer-lock.ts';

/** What the books want of a registration. */
export type WantedOfRegistration =
  /** In use, or kept from being reached while its service is off. */
  | 'on'
  | 'held'
  /** Given back to its registry. */
  | 'absent'
  /** Not asked for any more from the registrar that has it. */
  | 'withdrawn';

/** The one place that says so; null: nothing, or it is still being made. */
export function wantedOfRegistration(domain: Domain, now: Instant): WantedOfRegistration | null {
  const { registry_state: at, state } = domain;
  switch (at) {
    case 'transferred_out':
    case 'deleted':
    case 'failed':
    case 'pending':
    case 'pending_approval':
      return null;
    case 'pending_transfer':
      return state === 'cancelled' ? 'withdrawn' : null;
    case 'redemption':
    case 'pending_delete':
      return isToGo(domain, now) ? 'absent' : null;
    case 'active':
      if (isToGo(domain, now)) return 'absent';
      return state === 'active' || state === 'cancel_scheduled' ? 'on' : 'held';
  }
}

/** Its service is over, and so is the time that it was kept for. What the law wants kept stays. */
export function isToGo(domain: Domain, now: Instant): boolean {
  const { state, delete_at, suspensions } = domain;
  if (state !== 'expired' && state !== 'cancelled') return false;
  return delete_at !== null && !isBefore(now, delete_at) && !suspensions.includes('legal');
}

/** EPP statuses that we set, and no other of ours. */
export function wantedStatuses(domain: Domain, wanted: 'on' | 'held', now: Instant): readonly ClientStatus[] {
  return [
    ...(wanted === 'held' ? (['clientHold'] as const) : []),
    ...(isTransferLocked(domain, now) ? (['clientTransferProhibited'] as const) : []),
  ];
}

/**
 * The contacts of a domain as its registry is to have them; null: as it has them. Roles that the registry does not want
 * to know are not told (rule F3).
 */
export async function wantedContacts(
  db: Executor,
  domain: Domain,
  roles: Tld['policy']['contact_roles'],
): Promise<WantedContacts | null> {
  const contacts = await contactsById(db, [domain.owner_id, domain.admin_id, domain.tech_id, domain.zone_id]);
  const of = (id: string | null) => {
    const contact = id === null ? undefined : contacts.get(id);
    return contact === undefined ? null : told(contact, domain);
  };
  const registrant = of(domain.owner_id);
  if (registrant === null) return null;
  return {
    registrant,
    admin: roles.includes('admin') ? of(domain.admin_id) : null,
    tech: roles.includes('tech') ? of(domain.tech_id) : null,
    billing: roles.includes('zone') ? of(domain.zone_id) : null,
  };
}

function told(contact: Contact, domain: Domain) {
  return registryContact(contact, isDisclosed(contact, domain.whois_privacy));
}
