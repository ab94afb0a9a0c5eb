import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Caller } from '../../operation.ts';
import { verifyPassword } from './password.ts';

/** A person whose address and password were right. */
export interface Person {
  readonly id: string;
  readonly account_id: string | null;
  readonly role: Caller['role'];
}

interface CredentialRow extends Person {
  password_hash: string | null;
  admitted: boolean;
}

const loadCredentials = statement<CredentialRow>(
  'load_credentials',
  `SELECT u.id, u.account_id, u.role, u.password_hash,
     u.state = 'active' AND coalesce(a.state <> 'closed', true) AS admitted
   FROM users u LEFT JOIN accounts a ON a.id = u.account_id WHERE u.email = $1`,
);

/**
 * The person that an address and a password belong to, or null. Unknown address, wrong password, disabled user
 * and closed account look alike and take as long. Throws `Overloaded` when too many are being checked.
 */
export async function checkCredentials(
  db: Executor,
  email: string,
  password: string,
): Promise<Person | null> {
  const [row] = await db.run(loadCredentials, [email]);
  const right = await verifyPassword(row?.password_hash ?? null, password);
  return row !== undefined && right && row.admitted
    ? { id: row.id, account_id: row.account_id, role: row.role }
    : null;
}
