import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../base/canonical.ts';
import { readableCode } from '../../../base/readable-code.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { RegistryContact } from '../../../drivers/registry/port.ts';
import type { StoredAddress } from '../../core/accounts/address.ts';
import { IS_OVER } from '../state.ts';

/** What a customer says of a contact. */
export interface ContactCard {
  readonly type: RegistryContact['type'];
  readonly salutation: 'mr' | 'ms' | 'mx' | 'none';
  readonly first_name: string;
  readonly last_name: string;
  readonly company: string | null;
  readonly vat_id: string | null;
  readonly company_number: string | null;
  readonly street: string;
  readonly house_number: string;
  readonly address_addition: string | null;
  readonly zip: string;
  readonly city: string;
  readonly region: string | null;
  readonly country: string;
  readonly phone: string;
  readonly fax: string | null;
  readonly email: string;
  /** `YYYY-MM-DD` */
  readonly birth_date: string | null;
  readonly birth_place: string | null;
  readonly birth_country: string | null;
  readonly id_number: string | null;
  /** BCP 47 */
  readonly language: string;
  /** What a TLD asks for besides, as the catalogue's `contact_schema` names it. */
  readonly extra: Readonly<Record<string, Json>>;
}

export type Verification = 'unverified' | 'pending' | 'verified' | 'failed';

/** A contact as it is kept. */
export interface Contact extends ContactCard {
  readonly id: string;
  readonly account_id: string;
  /** What registries know it by. */
  readonly handle: string;
  readonly verification: Verification;
  readonly verification_deadline: Instant | null;
  readonly version: number;
}

const CARD = `type, salutation, first_name, last_name, company, vat_id, company_number, street, house_number,
  address_addition, zip, city, region, country, phone, fax, email, birth_date::text AS birth_date, birth_place,
  birth_country, id_number, language, extra`;
/** SQL for the columns of {@link Contact}, where no other table has such names. */
export const CONTACT_COLUMNS = `id, account_id, handle, ${CARD}, verification, verification_deadline, version`;

/** SQL: whether a contact of the account `$1` is one of a domain `v` of that account which is not over. */
export const IS_NAMED = `v.id IN (SELECT s.id FROM services s WHERE s.account_id = $1)
  AND contacts.id IN (v.owner_id, v.admin_id, v.tech_id, v.zone_id) AND NOT ${IS_OVER}`;

const loadMany = statement<Contact>(
  'load_contacts',
  `SELECT ${CONTACT_COLUMNS} FROM contacts WHERE id = ANY($1::uuid[])`,
);
const loadOwn = statement<Contact>(
  'load_own_contacts',
  `SELECT ${CONTACT_COLUMNS} FROM contacts WHERE account_id = $1 AND id = ANY($2::uuid[])
     AND ($3::uuid[] IS NULL OR EXISTS (SELECT FROM domains v WHERE v.id = ANY($3) AND ${IS_NAMED}))`,
);
// Somebody who orders a hundred domains is one person, not a hundred.
const loadAlike = statement<Contact>(
  'load_contacts_alike',
  `SELECT ${CONTACT_COLUMNS} FROM contacts
   WHERE account_id = $1 AND email = ANY($2::text[]) ORDER BY created_at LIMIT 1000`,
);

/** Contacts by their ids, whoever's they are. */
export async function contactsById(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, Contact>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows = wanted.length === 0 ? [] : await db.run(loadMany, [wanted]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those of them that are the account's, and a contact of one of the domains `only`; null: of any or of none. */
export async function ownContacts(
  db: Executor,
  accountId: string,
  ids: readonly string[],
  only: readonly string[] | null,
): Promise<ReadonlyMap<string, Contact>> {
  const rows = ids.length === 0 ? [] : await db.run(loadOwn, [accountId, ids, only]);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The ids of the account's contacts with exactly these cards, in order; those that it does not have yet are added.
 * The account must be locked.
 */
export async function ensureContacts(
  tx: Transaction,
  accountId: string,
  cards: readonly ContactCard[],
  now: Instant,
): Promise<readonly string[]> {
  if (cards.length === 0) return [];
  const known = [...(await tx.run(loadAlike, [accountId, cards.map((card) => card.email)]))];
  const ids: string[] = [];
  for (const card of cards) {
    const same = known.find((contact) => isDeepStrictEqual(cardOf(contact), cardOf(card)));
    const id = same?.id ?? randomUUIDv7();
    ids.push(id);
    if (same !== undefined) continue;
    const handle = newHandle();
    await tx.kysely
      .insertInto('contacts')
      .values({
        ...cardOf(card),
        id,
        account_id: accountId,
        handle,
        extra: JSON.stringify(card.extra),
        created_at: now,
        updated_at: now,
      })
      .execute();
    known.push({
      ...cardOf(card),
      id,
      account_id: accountId,
      handle,
      verification: 'unverified',
      verification_deadline: null,
      version: 1,
    });
  }
  return ids;
}

/** About 58 bits, in at most the 16 characters that every registry takes. */
function newHandle(): string {
  return `HK-${readableCode(13)}`;
}

/** Nothing but the card of whatever has one. */
export function cardOf(card: ContactCard): ContactCard {
  return {
    type: card.type,
    salutation: card.salutation,
    first_name: card.first_name,
    last_name: card.last_name,
    company: card.company,
    vat_id: card.vat_id,
    company_number: card.company_number,
    street: card.street,
    house_number: card.house_number,
    address_addition: card.address_addition,
    zip: card.zip,
    city: card.city,
    region: card.region,
    country: card.country,
    phone: card.phone,
    fax: card.fax,
    email: card.email,
    birth_date: card.birth_date,
    birth_place: card.birth_place,
    birth_country: card.birth_country,
    id_number: card.id_number,
    language: card.language,
    extra: card.extra,
  };
}

/** The account's address as a contact; `email` is that of its owner, for an address without one. */
export function cardOfAddress(address: StoredAddress, email: string, language: string): ContactCard {
  return {
    type: address.company === null ? 'person' : 'organisation',
    salutation: address.salutation,
    first_name: address.first_name,
    last_name: address.last_name,
    company: address.company,
    vat_id: address.vat_id,
    company_number: null,
    street: address.street,
    house_number: address.house_number,
    address_addition: address.address_addition,
    zip: address.zip,
    city: address.city,
    region: address.region,
    country: address.country,
    phone: address.phone,
    fax: null,
    email: address.email ?? email,
    birth_date: null,
    birth_place: null,
    birth_country: null,
    id_number: null,
    language,
    extra: {},
  };
}
