import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { CONTACT_COLUMNS, type Contact, IS_NAMED } from './contact.ts';

/** null: whatever it is. */
export interface ContactFilter {
  /** A LIKE pattern. */
  readonly text: string | null;
  /** Domains, of which one must name it. */
  readonly only: readonly string[] | null;
}

export interface ContactPage {
  readonly sort: 'created_at' | 'last_name';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

export interface ListedContact extends Contact {
  /** How many domains name it that are not over. */
  readonly domains: number;
}

const FOUND = `FROM contacts WHERE account_id = $1
  AND ($2::text IS NULL OR first_name || ' ' || last_name ILIKE $2 OR company ILIKE $2 OR email ILIKE $2)
  AND ($3::uuid[] IS NULL OR EXISTS (SELECT FROM domains v WHERE v.id = ANY($3) AND ${IS_NAMED}))`;

const pageOf = (sort: ContactPage['sort'], order: ContactPage['order']) =>
  statement<ListedContact>(
    `list_contacts_${sort}_${order}`,
    `SELECT ${CONTACT_COLUMNS}, (SELECT count(*)::int FROM domains v WHERE ${IS_NAMED}) AS domains
     ${FOUND} ORDER BY ${sort} ${order}, id ${order} LIMIT $4 OFFSET $5`,
  );
const pages = {
  created_at: { asc: pageOf('created_at', 'asc'), desc: pageOf('created_at', 'desc') },
  last_name: { asc: pageOf('last_name', 'asc'), desc: pageOf('last_name', 'desc') },
} as const;
const count = statement<{ total: number }>('count_contacts', `SELECT count(*)::int AS total ${FOUND}`);

/** A page of an account's contacts, and how many match. */
export async function listContacts(
  db: Executor,
  accountId: string,
  { text, only }: ContactFilter,
  page: ContactPage,
): Promise<{ readonly contacts: readonly ListedContact[]; readonly total: number }> {
  const values = [accountId, text, only];
  const [contacts, [counted]] = await Promise.all([
    db.run(pages[page.sort][page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { contacts, total: counted?.total ?? 0 };
}
