import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Concerned } from '../../../errors.ts';
import type { Caller } from '../../../operation.ts';
import { verifyPassword } from './password.ts';

/** A person whose address and password were right. */
export interface Person {
  readonly id: string;
  readonly account_id: string | null;
  readonly role: Caller['role'];
  /** What the password was compared with. */
  readonly password_hash: string;
}

interface CredentialRow extends Omit<Person, 'password_hash'> {
  password_hash: string | null;
  admitted: boolean;
}

export interface CredentialCheck {
  readonly person: Person | null;
  /** Whose address it is, also if they did not get in: for the audit. */
  readonly concerns?: Concerned;
}

const loadCredentials = statement<CredentialRow>(
  'load_credentials',
  `SELECT u.id, u.account_id, u.role, u.password_hash,
     u.state = 'active' AND coalesce(a.state <> 'closed', true) AS admitted
   FROM users u LEFT JOIN accounts a ON a.id = u.account_id WHERE u.email = $1`,
);

/**
 * The person that an address and a password belong to, if they are right. Unknown address, wrong password, disabled user
 * and closed account look alike and take as long. Throws `Overloaded` when too many are being checked.
 */
export async function checkCredentials(
  db: Executor,
  email: string,
  password: string,
): Promise<CredentialCheck> {
  const [row] = await db.run(loadCredentials, [email]);
  const right = await verifyPassword(row?.password_hash ?? null, password);
  const concerns = row === undefined ? {} : { concerns: { accountId: row.account_id, userId: row.id } };
  if (row === undefined || row.password_hash === null || !right || !row.admitted)
    return { person: null, ...concerns };
  const { id, account_id, role, password_hash } = row;
  return { person: { id, account_id, role, password_hash }, ...concerns };
}

const loadHash = statement<{ password_hash: string | null }>(
  'load_password_hash',
  'SELECT password_hash FROM users WHERE id = $1',
);

/** Of somebody who is known already; null: they have no password. */
export async function passwordHashOf(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db.run(loadHash, [userId]);
  return row?.password_hash ?? null;
}
