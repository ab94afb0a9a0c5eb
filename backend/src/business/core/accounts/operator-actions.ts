import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** Something that an operator did to a customer's account, in their own name or in the customer's place. */
export interface OperatorAction {
  readonly id: string;
  readonly operation: string;
  readonly operator: string;
  readonly impersonating: boolean;
  readonly input: unknown;
  readonly created_at: Instant;
}

/** Rows of the audit that are looked through: operators' are few among the customer's own. */
const SEARCHED = 5_000;

const load = statement<OperatorAction>(
  'operator_actions',
  `SELECT a.id, a.operation, o.email AS operator, t.impersonated_by IS NOT NULL AS impersonating, a.input, a.created_at
   FROM (SELECT * FROM audit WHERE account_id = $1 AND code < 400 ORDER BY created_at DESC LIMIT ${SEARCHED}) a
   LEFT JOIN tokens t ON t.id = a.token_id
   JOIN users o ON o.id = coalesce(t.impersonated_by, a.user_id) AND o.role = 'staff'
   WHERE NOT a.input @> '{"read": true}'
   ORDER BY a.created_at DESC, a.id DESC LIMIT $2`,
);

/** The newest first, among the account's last 5,000 changes. */
export function operatorActions(db: Executor, accountId: string, limit: number): Promise<OperatorAction[]> {
  return db.run(load, [accountId, limit]);
}
