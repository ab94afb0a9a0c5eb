import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../../base/time.ts';
import { isGeneric, type Tld } from '../../business/core/catalog/schema/tld.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import {
  type Contact,
  type ContactCard,
  cardOf,
  contactsById,
  ensureContacts,
} from '../../business/domains/contacts/contact.ts';
import type { AskedOwner } from '../../business/domains/contacts/owner-approval.ts';
import { isOwnerChange } from '../../business/domains/contacts/owner-change.ts';
import type { Domain } from '../../business/domains/domain.ts';
import { type ContactRef, ROLES } from './contact.schema.ts';
import { cardsOf, incomplete, type NamingContext, problemsOf } from './ordering/contacts.ts';

type Tx = Parameters<typeof ensureContacts>[0];

export type Role = (typeof ROLES)[number];
export type RoleRefs = { readonly [R in Role]?: ContactRef | undefined };

/** A contact in a role: one that is there, or a card of one that is not yet. */
export type Placed = { readonly card: ContactCard; readonly contact: Contact | null };

/** The contacts that a domain is to have. */
export interface ContactChange {
  readonly placed: Readonly<Record<Role, Placed | null>>;
  /** Roles that get another contact. */
  readonly changed: readonly Role[];
  /** null: the registry has one that is not known here. */
  readonly ownerBefore: ContactCard | null;
  /** Whether the domain gets another owner. */
  readonly trade: boolean;
  readonly generic: boolean;
}

/** Works out a change of contacts; nothing is written. Refuses what the TLD's registry would. */
export async function plannedContacts(
  tx: Tx,
  ctx: NamingContext,
  found: Domain,
  tld: Tld,
  refs: RoleRefs,
): Promise<ContactChange> {
  const stated = ROLES.flatMap((role) => {
    const ref = refs[role];
    return ref === undefined ? [] : [{ role, ref, pointer: `/contacts/${role}` }];
  });
  const cards = await cardsOf(tx, ctx, stated);
  const problems = stated.flatMap(({ pointer }, at) => problemsOf(tld, cards[at], pointer));
  if (found.owner_id === null && refs.owner === undefined) {
    const message = 'The registry has an owner that is not known here: name one.';
    problems.push({ pointer: '/contacts/owner', error: 'required', message });
  }
  if (problems.length > 0) throw incomplete(ctx, problems);
  const present = await contactsOf(tx, found);
  const placed: Record<Role, Placed | null> = { owner: null, admin: null, tech: null, zone: null };
  for (const role of ROLES) placed[role] = present[role];
  const named = await contactsById(
    tx,
    stated.map(({ ref }) => ('contact_uuid' in ref ? ref.contact_uuid : null)),
  );
  for (const [at, { role, ref }] of stated.entries()) {
    const card = cards[at];
    const contact = 'contact_uuid' in ref ? named.get(ref.contact_uuid) : null;
    if (card !== undefined) placed[role] = { card, contact: contact ?? null };
  }
  const changed = ROLES.filter((role) => !isSame(present[role], placed[role]));
  const generic = isGeneric(tld);
  const [before, after] = [present.owner, placed.owner];
  // Of one that was transferred here the registry has an owner whom nobody here knows: it may be anybody else.
  const trade = after !== null && (before === null || isOwnerChange(before.card, after.card, generic));
  return { placed, changed, ownerBefore: before?.card ?? null, trade, generic };
}

/** By role; null: as the registry has it. */
export async function contactsOf(
  db: Parameters<typeof contactsById>[0],
  { owner_id, admin_id, tech_id, zone_id }: Domain,
): Promise<Record<Role, Placed | null>> {
  const contacts = await contactsById(db, [owner_id, admin_id, tech_id, zone_id]);
  const of = (id: string | null): Placed | null => {
    const contact = id === null ? undefined : contacts.get(id);
    return contact === undefined ? null : { card: cardOf(contact), contact };
  };
  return { owner: of(owner_id), admin: of(admin_id), tech: of(tech_id), zone: of(zone_id) };
}

function isSame(a: Placed | null, b: Placed | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.contact !== null && b.contact !== null) return a.contact.id === b.contact.id;
  return isDeepStrictEqual(cardOf(a.card), cardOf(b.card));
}

/**
 * The columns that make the change true; contacts that are not there yet are added. A contact never becomes another: what
 * changes of one is a new one, for this domain alone, and other domains keep theirs.
 */
export async function contactColumns(
  tx: Tx,
  accountId: string,
  { placed, changed }: ContactChange,
  now: Instant,
) {
  const cards = changed.map((role) => placed[role]?.card).filter((card) => card !== undefined);
  const ids = await ensureContacts(tx, accountId, cards, now);
  return Object.fromEntries(
    changed.map((role, at) => [`${role}_id`, placed[role]?.contact?.id ?? ids[at] ?? null]),
  );
}

/** The fee of the registry for another owner, as a unit price. */
export function tradeFee({ tlds }: CatalogVersion, tld: string): bigint {
  return tlds.get(tld)?.trade ?? 0n;
}

/**
 * Whose agreement a change of owner wants; where both have one address, it is asked once. For a present owner whom
 * nobody here knows, whoever looks after the account answers: `accountEmail`.
 */
export function ownersAsked(
  { ownerBefore, placed }: ContactChange,
  accountEmail: string,
): readonly AskedOwner[] {
  const owners: AskedOwner[] = [];
  const after = placed.owner?.card.email;
  if (after !== undefined) owners.push({ side: 'new', email: after });
  const before = ownerBefore?.email ?? accountEmail;
  if (before.toLowerCase() !== after?.toLowerCase()) owners.push({ side: 'present', email: before });
  return owners;
}
