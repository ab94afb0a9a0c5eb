import type { Instant } from '../base/time.ts';
import { bulkInsert } from '../db/changes.ts';
import type { Concerned } from '../errors.ts';
import type { Context, Operation } from '../operation.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';

interface AuditRow {
  id: string;
  created_at: Instant;
  account_id: string | null;
  user_id: string | null;
  token_id: string | null;
  operation: string;
  request_id: string;
  ip: string | null;
  subject: string | null;
  code: number;
  input: string;
}

const auditInsert = bulkInsert<AuditRow>('audit', {
  id: 'uuid',
  created_at: 'timestamptz',
  account_id: 'uuid',
  user_id: 'uuid',
  token_id: 'uuid',
  operation: 'text',
  request_id: 'uuid',
  ip: 'inet',
  subject: 'uuid',
  code: 'smallint',
  input: 'jsonb',
});

const ALWAYS_SECRET = ['password', 'token', 'license_key', 'secret', 'user_data', 'authcode'];

/** Records that an operation took effect: who, from where, on what, with which input less its secrets. */
export function audit(
  uow: UnitOfWork,
  operation: Operation,
  ctx: Context,
  input: unknown,
  code: number,
  signedIn: Concerned | null,
): void {
  const subject = (input as { uuid?: unknown } | null)?.uuid;
  uow.changes.add(auditInsert, {
    id: ctx.requestId,
    created_at: uow.now,
    account_id: signedIn === null ? concerned(uow, operation, ctx) : signedIn.accountId,
    user_id: signedIn?.userId ?? ctx.caller?.userId ?? null,
    token_id: signedIn?.tokenId ?? ctx.caller?.tokenId ?? null,
    operation: operation.path,
    request_id: ctx.requestId,
    ip: ctx.ip,
    subject: typeof subject === 'string' ? subject : null,
    code,
    input: redact(input, operation.secrets),
  });
}

/**
 * Whose history it belongs to: the caller's account; of an operator's work, and of what follows a mailed link, the one
 * that it locked, also when whoever follows the link is logged in as somebody else.
 */
function concerned(uow: UnitOfWork, { audience }: Operation, { caller }: Context): string | null {
  const own = caller?.accountId ?? null;
  if (own !== null && audience !== 'public') return own;
  const [locked] = uow.accounts.keys();
  return locked ?? own;
}

function redact(input: unknown, secrets: readonly string[]): string {
  return JSON.stringify(input, (name, value) =>
    name !== '' && (secrets.includes(name) || ALWAYS_SECRET.includes(name)) ? '[secret]' : value,
  );
}
