import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Caller, Locale } from '../../../operation.ts';
import { ROLE_SCOPES, STAFF_ROLE_SCOPES, type StaffRole } from '../access/scope.ts';

/** A person whose row this transaction has locked. */
export interface LockedPerson {
  readonly id: string;
  /** null for an operator. */
  readonly account_id: string | null;
  readonly email: string;
  readonly email_verified_at: Instant | null;
  readonly password_hash: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: Locale;
  readonly role: Caller['role'];
  /** What an operator may do; null for customers. */
  readonly staff_role: StaffRole | null;
  readonly state: 'active' | 'disabled';
  readonly totp_sealed: Buffer | null;
  /** Since when a second factor is asked for; null: it is not. */
  readonly totp_confirmed_at: Instant | null;
  readonly totp_step: bigint | null;
}

const lock = statement<LockedPerson>(
  'lock_person',
  `SELECT id, account_id, email, email_verified_at, password_hash, first_name, last_name, locale, role, staff_role,
     state, totp_sealed, totp_confirmed_at, totp_step
   FROM users WHERE id = $1 FOR NO KEY UPDATE`,
);

/**
 * Locks a person, after their account where that is locked too (rule A4): passwords, codes and roles are decided
 * on what is true until the transaction ends. Throws when there is none: persons are never deleted.
 */
export async function lockPerson(tx: Transaction, id: string): Promise<LockedPerson> {
  const [person] = await tx.run(lock, [id]);
  if (person === undefined) throw new Error(`person ${id} does not exist`);
  return person;
}

/** What a log-in of this person may do. */
export function scopesOf({ role, staff_role }: Pick<LockedPerson, 'role' | 'staff_role'>): readonly string[] {
  return role === 'staff' ? STAFF_ROLE_SCOPES[staff_role ?? 'support'] : ROLE_SCOPES[role];
}

/** How people call them. */
export function nameOf(person: {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}): string {
  return `${person.first_name} ${person.last_name}`.trim() || person.email;
}

/** As {@link nameOf}, for strangers: a name that a mail program would make a link of gives way to the address. */
export function plainNameOf(person: Parameters<typeof nameOf>[0]): string {
  const name = nameOf(person);
  return /[:/@]|\w\.\w/.test(name) ? person.email : name;
}
