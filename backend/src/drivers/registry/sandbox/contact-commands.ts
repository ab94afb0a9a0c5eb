import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import type { Books } from './books.ts';
import type { ContactCard, ContactCommands, ContactInfo } from './commands.ts';
import { type Failure, failure, success } from './reply.ts';

interface Row {
  readonly handle: string;
  readonly id: bigint;
  readonly card: ContactCard;
  readonly sponsor: string;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly updatedBy: string | null;
  readonly updatedAt: Instant | null;
  readonly linked: boolean;
}

const find = statement<Row>(
  'sandbox_registry_contact',
  `SELECT handle, id, card, sponsor, created_by AS "createdBy", created_at AS "createdAt", updated_by AS "updatedBy",
     updated_at AS "updatedAt",
     EXISTS (SELECT FROM sandbox.registry_domains d WHERE d.registrant = c.handle
       UNION ALL SELECT FROM sandbox.registry_domains d
         WHERE d.contacts @> jsonb_build_array(jsonb_build_object('handle', c.handle))) AS linked
   FROM sandbox.registry_contacts c WHERE handle = $1`,
);
const lock = statement<object>(
  'sandbox_registry_lock_contact',
  'SELECT FROM sandbox.registry_contacts WHERE handle = $1 FOR UPDATE',
);
const known = statement<{ handle: string }>(
  'sandbox_registry_known_contacts',
  'SELECT handle FROM sandbox.registry_contacts WHERE handle = ANY($1)',
);
const insert = statement<{ handle: string }>(
  'sandbox_registry_add_contact',
  `INSERT INTO sandbox.registry_contacts (handle, card, sponsor, created_by, created_at)
   VALUES ($1, $2::jsonb, $3, $3, $4) ON CONFLICT (handle) DO NOTHING RETURNING handle`,
);
const update = statement<object>(
  'sandbox_registry_update_contact',
  `UPDATE sandbox.registry_contacts SET card = $2::jsonb, updated_by = $3, updated_at = $4 WHERE handle = $1`,
);
const remove = statement<object>(
  'sandbox_registry_remove_contact',
  'DELETE FROM sandbox.registry_contacts WHERE handle = $1',
);

export function contactCommands(books: Books, registrar: string): ContactCommands {
  return {
    async check(handles) {
      const taken = new Set((await books.db.run(known, [handles])).map(({ handle }) => handle));
      return success(handles.map((handle) => ({ handle, available: !taken.has(handle) })));
    },

    async info(handle) {
      const [row] = await books.db.run(find, [handle]);
      if (row === undefined) return unknown(handle);
      // Whose it is not may know that it exists (RFC 5733 §3.1.2 leaves the rest to the registry).
      if (row.sponsor !== registrar) return notYours();
      return success(told(row));
    },

    async create(handle, card) {
      const objection = cardObjection(card) ?? handleObjection(handle);
      if (objection !== null) return objection;
      const now = books.clock.now();
      const added = await books.db.run(insert, [handle, JSON.stringify(card), registrar, now]);
      if (added.length === 0) return failure(2302, 'contact', `there is a contact ${handle}`);
      return success({ handle, createdAt: now });
    },

    async update(handle, change) {
      return await transaction(books.db, async (tx) => {
        const row = await locked(tx, handle);
        if (row === undefined) return unknown(handle);
        if (row.sponsor !== registrar) return notYours();
        const card = { ...row.card, ...change };
        const objection = cardObjection(card);
        if (objection !== null) return objection;
        await tx.run(update, [handle, JSON.stringify(card), registrar, books.clock.now()]);
        return success(null);
      });
    },

    async delete(handle) {
      return await transaction(books.db, async (tx) => {
        const row = await locked(tx, handle);
        if (row === undefined) return unknown(handle);
        if (row.sponsor !== registrar) return notYours();
        if (row.linked) return failure(2305, 'contact', `domains have the contact ${handle}`);
        await tx.run(remove, [handle]);
        return success(null);
      });
    },
  };
}

/** What links it is looked for after the lock, which keeps anything further from linking it. */
async function locked(tx: Executor, handle: string): Promise<Row | undefined> {
  await tx.run(lock, [handle]);
  const [row] = await tx.run(find, [handle]);
  return row;
}

function told({ id, card, linked, ...row }: Row): ContactInfo {
  return { ...card, ...row, roid: `C${id}-SANDBOX`, statuses: linked ? ['linked', 'ok'] : ['ok'] };
}

function unknown(handle: string): Failure {
  return failure(2303, 'contact', `there is no contact ${handle}`);
}

function notYours(): Failure {
  return failure(2201, 'contact', 'the contact is not yours');
}

function handleObjection(handle: string): Failure | null {
  return /^[\w-]{3,16}$/.test(handle)
    ? null
    : failure(2005, 'contact', 'a handle has 3 to 16 letters, digits, - and _');
}

function cardObjection({ name, street, city, country, phone, email }: ContactCard): Failure | null {
  if (name.trim() === '' || city.trim() === '')
    return failure(2003, 'contact', 'a name or a city is missing');
  if (street.length > 3) return failure(2308, 'contact', 'a street has at most three lines');
  if (!/^[A-Z]{2}$/.test(country)) return failure(2005, 'contact', 'the country is no code of ISO 3166-1');
  if (phone !== null && !/^\+[0-9]{1,3}\.[0-9]{1,14}$/.test(phone))
    return failure(2005, 'contact', 'the telephone number is not +CC.number');
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return failure(2005, 'contact', 'the e-mail address is none');
  return null;
}
