// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/database.ts';
import { statementTexts } from '../../db/statement.ts';
import './archive.ts';

/** Tables of accounts or people that the archive leaves out, and why it may. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  affiliate_clicks: 'how often others followed a link: counts, and none of the account',
  commission_progress: 'how far commissions are worked out: none of it is told by the account',
  console_tickets: 'secrets that open a screen for a moment; sessions of it are in console_sessions',
  discount_codes: 'what the provider offers; what came of a code is in the orders',
  discount_uses: 'the same as the discount codes of orders',
  exports: 'the archives themselves',
  holds: 'money that is held for an order until it is delivered; the orders say so',
  incoming_mails: 'mail that was taken is in ticket_messages; of other mail nobody knows whose it is',
  ledger_heads: 'ends of the chain that ledger.jsonl contains',
  ledger_marks: 'sums of what ledger.jsonl contains',
  mailed_links: 'secrets that open an account; which mails were sent is in mails',
  quotes: 'prices that were asked for, by a hash of the request',
  recovery_codes: 'hashes of secrets',
  ticket_counts: 'counts of the tickets',
  zone_drafts: 'records of a zone until its transfer, which then are in its file',
};

async function tablesOfCustomers(): Promise<string[]> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT a.attisdropped
         AND a.attname IN ('account_id', 'user_id') ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
    await database.drop();
  }
}

test("a table of customers' data is in the archive, or there is a reason why not", async () => {
  const archive = [...statementTexts()].filter(
    ([name]) => name.startsWith('export_') || name === 'journal_between',
  );
  const read = new Set(archive.flatMap(([, text]) => text.match(/(?<=\b(?:FROM|JOIN) )[a-z_]+/g) ?? []));
  const tables = await tablesOfCustomers();
  assert.deepEqual(
    tables.filter((table) => !read.has(table)),
    Object.keys(LEFT_OUT).sort(),
  );
});
