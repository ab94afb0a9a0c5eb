import { canonicalJson, type Json, sha256 } from '../../../base/canonical.ts';
import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { LockedAccount, UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Price } from './price.ts';
import type { TermDiscount } from './recurring-discount.ts';

/** What an order would cost now, beside the balance. */
export interface Quote {
  readonly id: string | null;
  readonly price: Price;
  readonly discountCode: string | null;
  /** Whether the code would hold for several terms, and is used for this one only. */
  readonly isCodeCut: boolean;
  /** What the first renewal after it will cost at today's prices, less what is left of its discount. */
  readonly renewalGross: Amount;
  readonly balanceBefore: Amount;
  readonly balanceAfter: Amount;
  readonly sufficientFunds: boolean;
  readonly validUntil: Instant;
}

/** A quote as it is kept, bound to the request that it was made for. */
export interface StoredQuote {
  id: string;
  account_id: string;
  request_hash: Buffer;
  price_version: number;
  gross: bigint;
  valid_until: Instant;
}

const QUOTE_HOURS = 24;

const loadQuotes = statement<StoredQuote>(
  'load_quotes',
  'SELECT id, account_id, request_hash, price_version, gross, valid_until FROM quotes WHERE id = ANY($1::uuid[])',
);

/** The quotes of these ids that are kept. */
export async function loadStoredQuotes(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, StoredQuote>> {
  const rows = ids.length === 0 ? [] : await tx.run(loadQuotes, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a quote would cost now, beside the balance. `id` is null when it is only shown with a refusal. */
export function quoteOf(
  uow: UnitOfWork,
  account: LockedAccount,
  {
    price,
    discount,
    renewalGross,
  }: { readonly discount: TermDiscount } & Pick<Quote, 'price' | 'renewalGross'>,
  id: string | null,
): Quote {
  const available = account.balance - account.reserved + account.creditLimit;
  return {
    id,
    price,
    discountCode: discount.now?.code ?? null,
    isCodeCut: discount.isCut,
    renewalGross,
    balanceBefore: account.balance,
    balanceAfter: account.balance - price.gross,
    sufficientFunds: available >= price.gross,
    validUntil: uow.now.add({ hours: QUOTE_HOURS }),
  };
}

/** What a quote is bound to: the request without its price guard. */
export function fingerprintHash(fingerprint: Json): Buffer {
  return sha256(canonicalJson(fingerprint));
}

/** Keeps a quote until it expires. */
export function storeQuote(uow: UnitOfWork, account: LockedAccount, quote: Quote, fingerprint: Json): void {
  uow.changes.add(quoteInsert, {
    id: quote.id ?? '',
    account_id: account.id,
    request_hash: fingerprintHash(fingerprint),
    price_version: quote.price.version,
    net: quote.price.net,
    gross: quote.price.gross,
    created_at: uow.now,
    valid_until: quote.validUntil,
  });
}

const quoteInsert = bulkInsert<{
  id: string;
  account_id: string;
  request_hash: Buffer;
  price_version: number;
  net: bigint;
  gross: bigint;
  created_at: Instant;
  valid_until: Instant;
}>('quotes', {
  id: 'uuid',
  account_id: 'uuid',
  request_hash: 'bytea',
  price_version: 'integer',
  net: 'bigint',
  gross: 'bigint',
  created_at: 'timestamptz',
  valid_until: 'timestamptz',
});
