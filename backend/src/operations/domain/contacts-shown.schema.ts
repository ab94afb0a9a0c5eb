import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { contact, ROLES, wireContact } from './contact.schema.ts';
import type { ContactChange, Placed, Role } from './contact-change.schema.ts';

/** A contact of a domain; of a dry run, one that is not there yet has no uuid. */
export const placedContact = contact.extend({ uuid: uuid.nullable() });
const shownContact = placedContact.nullable();

/** By role; null: the registry has one that is not known here. */
export const domainContacts = z.object({
  owner: shownContact,
  admin: shownContact,
  tech: shownContact,
  zone: shownContact,
});

export function wireDomainContacts(placed: Readonly<Record<Role, Placed | null>>) {
  const shown = (one: Placed | null) => {
    if (one === null) return null;
    if (one.contact !== null) return wireContact(one.contact);
    const verification = { state: 'unverified' as const, deadline: null };
    return { ...one.card, extra: { ...one.card.extra }, uuid: null, verification, version: 1 };
  };
  return {
    owner: shown(placed.owner),
    admin: shown(placed.admin),
    tech: shown(placed.tech),
    zone: shown(placed.zone),
  };
}

/** Which roles can be changed: those that the registry knows. */
export function editableRoles(roles: readonly string[], changeable: boolean) {
  const is = (role: Role) => changeable && (role === 'owner' || roles.includes(role));
  const [owner, admin, tech, zone] = ROLES.map(is);
  return { owner: owner === true, admin: admin === true, tech: tech === true, zone: zone === true };
}

/** Whoever the new owner is, in few words. */
export function nameOfOwner({ placed }: Pick<ContactChange, 'placed'>): string {
  const card = placed.owner?.card;
  if (card === undefined) return '';
  const person = `${card.first_name} ${card.last_name}`.trim();
  return card.company === null ? person : `${card.company}, ${person}`;
}
