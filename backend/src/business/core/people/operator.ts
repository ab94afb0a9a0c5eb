import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { STAFF_ROLE_SCOPES, type StaffRole } from '../access/scope.ts';
import { endTokensBeyond } from '../access/token.ts';
import { dropLinks, issueLink } from './mailed-link.ts';

/** A person who works at the provider and belongs to no account. */
export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly state: 'active' | 'disabled';
  readonly staff_role: StaffRole | null;
  /** Since when a second factor is asked for; null: it is not. */
  readonly totp_confirmed_at: Instant | null;
  readonly created_at: Instant;
}

const COLUMNS = 'id, email, first_name, last_name, state, staff_role, totp_confirmed_at, created_at';
const list = statement<Operator>(
  'list_operators',
  `SELECT ${COLUMNS} FROM users WHERE role = 'staff' ORDER BY created_at, id`,
);
const lock = statement<Operator>(
  'lock_operator',
  `SELECT ${COLUMNS} FROM users WHERE role = 'staff' AND email = $1 FOR NO KEY UPDATE`,
);
const endInPlaces = statement<object>(
  'end_sessions_in_places',
  'UPDATE tokens SET revoked_at = $2 WHERE impersonated_by = $1 AND revoked_at IS NULL',
);
const setRole = statement<object>('set_staff_role', 'UPDATE users SET staff_role = $2 WHERE id = $1');
const setState = statement<object>('set_operator_state', 'UPDATE users SET state = $2 WHERE id = $1');

/** In the order that they came. */
export async function operators(db: Executor): Promise<readonly Operator[]> {
  return await db.run(list, []);
}

/** The operator who has this address, with the row locked; null: there is none. */
export async function lockOperator(tx: Transaction, email: string): Promise<Operator | null> {
  const [operator] = await tx.run(lock, [email]);
  return operator ?? null;
}

/** Gives an operator another role. Sessions end, those in customers' places too, and tokens that could do more. */
export async function setStaffRole(
  tx: Transaction,
  { id }: Operator,
  role: StaffRole,
  now: Instant,
): Promise<void> {
  await tx.run(setRole, [id, role]);
  await endTokensBeyond(tx, id, STAFF_ROLE_SCOPES[role], now);
  await tx.run(endInPlaces, [id, now]);
}

/** Shuts an operator out, with the sessions, those in customers' places, and open links; or lets them in again. */
export async function setOperatorState(
  tx: Transaction,
  { id }: Operator,
  state: Operator['state'],
  now: Instant,
): Promise<void> {
  await tx.run(setState, [id, state]);
  if (state === 'active') return;
  await endTokensBeyond(tx, id, [], now);
  await tx.run(endInPlaces, [id, now]);
  await dropLinks(tx, id, ['email_verification', 'password_reset']);
}

/** A link by which an operator sets their password, in place of any that is open; good once, for an hour. */
export async function passwordLink(
  tx: Transaction,
  operator: { readonly id: string; readonly email: string },
  context: { readonly publicUrl: string; readonly now: Instant },
): Promise<string> {
  await dropLinks(tx, operator.id, ['password_reset']);
  const draft = { user_id: operator.id, account_id: null, email: operator.email, role: null };
  const { link } = await issueLink(tx, 'password_reset', draft, context);
  return link;
}
