import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import { plainJson } from './table-file.ts';

const load = statement<{
  account: object;
  address: object | null;
  affiliate: object | null;
  addresses: object;
  users: object;
  tokens: object;
  closing: object | null;
}>(
  'export_account',
  `SELECT
     (SELECT to_jsonb(x) FROM (SELECT id, number, state, currency, balance, reserved, credit_limit, tax_country,
        tax_business, ledger_seq, event_seq, created_at FROM accounts WHERE id = $1) x) AS account,
     (SELECT to_jsonb(b) - 'account_id' FROM billing_addresses b WHERE b.account_id = $1) AS address,
     (SELECT to_jsonb(f) - 'account_id' FROM affiliates f WHERE f.account_id = $1) AS affiliate,
     coalesce((SELECT jsonb_agg(to_jsonb(v) - 'account_id' ORDER BY v.version) FROM billing_address_versions v
        WHERE v.account_id = $1), '[]') AS addresses,
     coalesce((SELECT jsonb_agg(to_jsonb(x) ORDER BY x.created_at, x.id) FROM (
        SELECT id, email, email_verified_at, first_name, last_name, locale, timezone, role, state, totp_confirmed_at,
          created_at FROM users WHERE account_id = $1) x), '[]') AS users,
     coalesce((SELECT jsonb_agg(to_jsonb(x) ORDER BY x.created_at, x.id) FROM (
        SELECT id, user_id, kind, name, scopes, ip_allowlist, resource_allowlist, dry_run_only, may_order_new, spending_limit,
          created_at, expires_at, revoked_at, last_used_at FROM tokens WHERE account_id = $1) x), '[]') AS tokens,
     (SELECT to_jsonb(c) - ARRAY['account_id', 'closed_by', 'paid_by'] FROM account_closings c WHERE c.account_id = $1) AS closing`,
);

/** Who the account is: itself, its address and those before, people and tokens, without anything that opens something. */
export async function* accountFile(db: Executor, accountId: string): AsyncGenerator<string> {
  const [found] = await db.run(load, [accountId]);
  if (found === undefined) throw new Error(`account ${accountId} does not exist`);
  yield `${plainJson(found)}\n`;
}
