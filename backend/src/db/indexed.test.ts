// Slow: 3 s

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/database.ts';
import { statementTexts } from './statement.ts';

/** What every day adds to, and nothing takes away: the tables that become too long to be looked through. */
const GROWING = [
  'address_history',
  'audit',
  'events',
  'invoices',
  'ledger_entries',
  'ledger_postings',
  'mails',
  'orders',
  'payments',
  'refunds',
  'server_metrics',
  'tasks',
  'ticket_messages',
  'zone_records',
  'zone_revisions',
];

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

function scansOf(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [`${plan['Relation Name']} ${plan.Filter ?? ''}`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

async function loadEveryModule(): Promise<void> {
  const source = new URL('../', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /^(business|drivers|operations|wire|work)\/.*\.ts$/.test(name)))
    if (!/\.(test|d)\.ts$/.test(file)) await import(new URL(file, source).href);
}

test('no statement needs to look through a table that grows for ever', async () => {
  await loadEveryModule();
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // Of no rows at all, an index is never quicker: a scan that is left is one that no index can replace.
    await client.query('SET enable_seqscan = off');
    const scans: string[] = [];
    for (const [name, text] of statementTexts()) {
      const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
      const found = scansOf(rows[0]['QUERY PLAN'][0].Plan);
      const long = found.filter((scan) => GROWING.some((table) => new RegExp(`^${table}[_ ]`).test(scan)));
      scans.push(...long.map((scan) => `${name}: ${scan}`));
    }
    assert.ok(statementTexts().size > 700);
    assert.deepEqual(scans, []);
  } finally {
    await client.end();
    await database.drop();
  }
});
