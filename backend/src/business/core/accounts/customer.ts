import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Caller, Locale } from '../../../operation.ts';
import type { StaffRole } from '../access/scope.ts';

/** A person who is going to log in. */
export interface PersonDraft {
  /** Lower-case, and an address (the shape `email` makes it so); one person each. */
  readonly email: string;
  /** PHC text; null: cannot log in until a password is set. */
  readonly passwordHash: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
  /** IANA name. */
  readonly timezone: string;
  /** When the address was proved; not yet without. */
  readonly emailVerifiedAt?: Instant;
}

const lockAddress = statement<object>(
  'lock_email',
  `SELECT pg_advisory_xact_lock(hashtextextended('email ' || $1, 0))`,
);
const findAddress = statement<{ id: string }>('find_email', 'SELECT id FROM users WHERE email = $1');

/**
 * Whether nobody has the address, and nobody else takes it until the transaction ends. Whatever gives an
 * address to a user asks here first.
 */
export async function claimEmail(tx: Transaction, email: string): Promise<boolean> {
  await tx.run(lockAddress, [email]);
  // A statement of its own: it sees what was committed while the lock was waited for.
  return (await tx.run(findAddress, [email])).length === 0;
}

const insertAccount = statement<{ number: bigint }>(
  'insert_account',
  `INSERT INTO accounts (id, state, currency, created_at) VALUES ($1, 'active', $2, $3) RETURNING number`,
);
const insertUser = statement<object>(
  'insert_user',
  `INSERT INTO users (id, account_id, email, password_hash, first_name, last_name, locale, timezone, role, state,
     created_at, email_verified_at, staff_role)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $10, $11, $12)`,
);

export type CustomerOutcome =
  | { readonly kind: 'exists' }
  | {
      readonly kind: 'created';
      readonly accountId: string;
      readonly userId: string;
      readonly customerNumber: string;
    };

/** Opens an account without money, in the currency of what is sold, and its owner. */
export async function createCustomer(
  tx: Transaction,
  draft: PersonDraft & { readonly currency: string },
  now: Instant,
): Promise<CustomerOutcome> {
  if (!(await claimEmail(tx, draft.email))) return { kind: 'exists' };
  const accountId = randomUUIDv7();
  const userId = randomUUIDv7();
  const [account] = await tx.run(insertAccount, [accountId, draft.currency, now]);
  if (account === undefined) throw new Error('an insert returned no row');
  await insertPerson(tx, userId, accountId, 'owner', draft, now);
  return { kind: 'created', accountId, userId, customerNumber: customerNumber(account.number) };
}

export type StaffOutcome =
  | { readonly kind: 'exists' }
  | { readonly kind: 'created'; readonly userId: string };

/** Adds an operator, who belongs to no account. */
export async function createStaff(
  tx: Transaction,
  draft: PersonDraft & { readonly staffRole: StaffRole },
  now: Instant,
): Promise<StaffOutcome> {
  if (!(await claimEmail(tx, draft.email))) return { kind: 'exists' };
  const userId = randomUUIDv7();
  await insertPerson(tx, userId, null, 'staff', draft, now);
  return { kind: 'created', userId };
}

/** Adds a person, whose address was claimed before ({@link claimEmail}). */
export async function insertPerson(
  tx: Transaction,
  userId: string,
  accountId: string | null,
  role: Caller['role'],
  draft: PersonDraft & { readonly staffRole?: StaffRole },
  now: Instant,
): Promise<void> {
  await tx.run(insertUser, [
    userId,
    accountId,
    draft.email,
    draft.passwordHash,
    draft.firstName,
    draft.lastName,
    draft.locale,
    draft.timezone,
    role,
    now,
    draft.emailVerifiedAt ?? null,
    draft.staffRole ?? null,
  ]);
}

/** What people see and say instead of the uuid. */
export function customerNumber(number: bigint): string {
  return number.toString().padStart(5, '0');
}

export interface FoundCustomer {
  readonly account_id: string;
  readonly user_id: string;
  readonly email: string;
}

const byName = statement<FoundCustomer>(
  'find_customer',
  `SELECT a.id AS account_id, u.id AS user_id, u.email FROM users u JOIN accounts a ON a.id = u.account_id
   WHERE u.role = 'owner'
     AND (u.email = lower($1) OR a.id::text = lower($1) OR a.number::text = ltrim($1, '0')
       OR (starts_with(u.email, lower($1) || '@')))
   ORDER BY u.email = lower($1) DESC, a.number LIMIT 2`,
);

/**
 * The customer that an operator means: by e-mail address, uuid, customer number, or by what stands before the
 * address's @ when one customer only has it. null: there is none, or more than one.
 */
export async function findCustomer(db: Executor, name: string): Promise<FoundCustomer | null> {
  const [first, second] = await db.run(byName, [name]);
  if (first === undefined) return null;
  return second === undefined || first.email === name.toLowerCase() ? first : null;
}
