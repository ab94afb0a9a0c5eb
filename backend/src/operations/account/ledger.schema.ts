import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import type { JournalEntry } from '../../business/core/ledger/journal.ts';
import { transactionType } from './transaction.schema.ts';

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256, hexadecimal');
const signature = z.string().describe('Ed25519, base64url');
const keyId = z.string().describe('`kid` of a key of `panel/public-key`');

/** An entry of the journal with both its sides; amounts are signed. */
export const journalEntry = z.object({
  seq: z.int().describe('From 1 on, without gaps.'),
  uuid: uuid.describe('The `transaction_uuid`.'),
  type: transactionType,
  currency,
  amount: money,
  amount_minor: z.int().describe('What it did to the balance; negative for a charge.'),
  tax_minor: z.int(),
  balance_after: money,
  balance_after_minor: z.int(),
  description: z.string(),
  reference: z.object({ type: z.string(), uuid }).nullable(),
  order_id: uuid.nullable(),
  postings: z
    .array(z.object({ account: z.string(), amount: money, amount_minor: z.int() }))
    .describe('They sum to zero; the first is yours.'),
  created_at: timestamp,
  prev_hash: hash,
  hash,
});

export const signedHead = z
  .object({ seq: z.int(), hash, signed_at: timestamp, key_id: keyId, signature })
  .describe('Signed as `hostkeep-head-1 <account> <seq> <hash> <signed_at>`.');

export const provenRoot = z
  .object({
    day: z.string(),
    accounts: z.int(),
    root: hash,
    seq: z.int().describe('The entry that was your newest then: the leaf of the tree.'),
    path: z.array(z.object({ side: z.enum(['left', 'right']), hash })).describe('From the leaf to the root.'),
    key_id: keyId,
    signature,
  })
  .describe('Signed as `hostkeep-root-1 <day> <root>`.');

export function wireJournalEntry(entry: JournalEntry): z.input<typeof journalEntry> {
  return {
    seq: Number(entry.seq),
    uuid: entry.id,
    type: transactionType.parse(entry.kind),
    currency: entry.currency,
    amount: wireAmount(entry.amount),
    amount_minor: Number(entry.amount),
    tax_minor: Number(entry.tax),
    balance_after: wireAmount(entry.balance_after),
    balance_after_minor: Number(entry.balance_after),
    description: entry.description,
    reference:
      entry.resource_type === null || entry.resource_id === null
        ? null
        : { type: entry.resource_type, uuid: entry.resource_id },
    order_id: entry.order_id,
    postings: entry.postings.map((posting) => ({
      account: posting.ledgerAccount,
      amount: wireAmount(posting.amount),
      amount_minor: Number(posting.amount),
    })),
    created_at: wireTime(entry.created_at),
    prev_hash: entry.prev_hash.toString('hex'),
    hash: entry.hash.toString('hex'),
  };
}
