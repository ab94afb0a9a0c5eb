import { canonicalJson, type Json, sha256 } from '../base/canonical.ts';
import type { Sealer } from '../base/seal.ts';
import type { Instant } from '../base/time.ts';
import { bulkInsert } from '../db/changes.ts';
import { statement } from '../db/statement.ts';
import type { Transaction } from '../db/transaction.ts';
import { Refusal } from '../errors.ts';
import type { Caller, Operation } from '../operation.ts';
import type { Answer } from './answer.ts';

/** A key as the client sent it, bound to the operation and to what it was sent with. */
export interface IdempotencyKey {
  /** The account, or the operation where no account stands behind the request. */
  readonly namespace: string;
  readonly key: string;
  readonly operation: string;
  readonly requestHash: Buffer;
}

/** What a key was used for, when its effect is committed. */
export interface RememberedAnswer {
  readonly operation: string;
  readonly requestHash: Buffer;
  readonly answer: Answer;
}

interface KeyRow {
  namespace: string;
  key: string;
  operation: string;
  request_hash: Buffer;
  code: number;
  answer_sealed: Buffer;
}

/** The key of a request, for what has an effect; null: it has none. Refuses one that is none, or where none is taken. */
export function idempotencyKey(
  operation: Operation,
  caller: Caller | null,
  key: string | undefined,
  raw: Json,
): IdempotencyKey | null {
  if (key === undefined) return null;
  if (!operation.idempotent || !isValidKey(key)) throw new Refusal('idempotency_key_invalid');
  return {
    namespace: caller === null ? operation.path : (caller.accountId ?? caller.userId),
    key,
    operation: operation.path,
    // Bound to the token as well: an answer may hold what another token of the account may not see.
    requestHash: sha256(canonicalJson([caller?.tokenId ?? null, raw])),
  };
}

const loadKeys = statement<KeyRow>(
  'load_idempotency_keys',
  `SELECT i.namespace, i.key, i.operation, i.request_hash, i.code, i.answer_sealed
   FROM unnest($1::text[], $2::text[]) k(namespace, key)
   JOIN idempotency_keys i ON i.namespace = k.namespace AND i.key = k.key`,
);

const claimKeys = statement<{ free: boolean }>(
  'claim_idempotency_keys',
  `SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended('idempotency ' || k.namespace || ' ' || k.key, 0))) AS free
   FROM unnest($1::text[], $2::text[]) k(namespace, key)`,
);

const keyInsert = bulkInsert<KeyRow & { created_at: Instant }>('idempotency_keys', {
  namespace: 'text',
  key: 'text',
  operation: 'text',
  request_hash: 'bytea',
  code: 'smallint',
  answer_sealed: 'bytea',
  created_at: 'timestamptz',
});

const PURPOSE = 'idempotent-answer';

export function keyName(key: IdempotencyKey): string {
  return `${key.namespace} ${key.key}`;
}

/**
 * Marks keys as under way until the transaction ends, without waiting; false when another transaction has one of them
 * under way. It decides nothing: it tells, of a transaction that waited in vain, what it waited for.
 */
export async function claim(tx: Transaction, keys: readonly IdempotencyKey[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const [row] = await tx.run(claimKeys, [keys.map((key) => key.namespace), keys.map((key) => key.key)]);
  return row?.free !== false;
}

/** The committed answers of these keys, by {@link keyName}. */
export async function loadRemembered(
  tx: Transaction,
  keys: readonly IdempotencyKey[],
  sealer: Sealer,
): Promise<Map<string, RememberedAnswer>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.run(loadKeys, [keys.map((key) => key.namespace), keys.map((key) => key.key)]);
  return new Map(
    rows.map((row) => [
      `${row.namespace} ${row.key}`,
      {
        operation: row.operation,
        requestHash: row.request_hash,
        answer: { status: row.code, headers: {}, body: sealer.openText(PURPOSE, row.answer_sealed) },
      },
    ]),
  );
}

/** The row that remembers an answer; it commits with the effect or not at all. The whole body is sealed. */
export function rememberRow(key: IdempotencyKey, answer: Answer, sealer: Sealer, now: Instant) {
  return {
    bulk: keyInsert,
    row: {
      namespace: key.namespace,
      key: key.key,
      operation: key.operation,
      request_hash: key.requestHash,
      code: answer.status,
      answer_sealed: sealer.seal(PURPOSE, answer.body),
      created_at: now,
    },
  };
}

/** `Idempotency-Key`: 1 to 255 visible ASCII characters. */
function isValidKey(key: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(key);
}
