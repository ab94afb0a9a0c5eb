import { sql } from 'kysely';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Catalog } from './schema/schema.ts';
import { documentText } from './versions.ts';

export type ImportOutcome =
  | { readonly kind: 'imported'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  /** Something that services were sold as is missing: mark it `sold: false` instead. */
  | { readonly kind: 'in_use'; readonly items: readonly string[] };

const LOCK = 4_820_002;

/** Taken by what sells from a catalogue until it commits, so that an import finds it among what is in use. */
export const selling = statement<object>('selling', `SELECT pg_advisory_xact_lock_shared(${LOCK})`);

/**
 * Makes a catalogue the newest version. Running terms keep their price; what was sold must stay described, so
 * items in use cannot be dropped, nor hosts while machines are on them. Nodes and addresses follow the catalogue's hosts.
 */
export async function importCatalog(
  tx: Transaction,
  catalog: Catalog,
  note: string,
  now: Instant,
  syncInventories: (tx: Transaction, catalog: Catalog) => Promise<void>,
): Promise<ImportOutcome> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx.kysely);
  const missing = await itemsInUseBeyond(tx, catalog);
  if (missing.length > 0) return { kind: 'in_use', items: missing };
  const document = documentText(catalog);
  const newest = await tx.kysely
    .selectFrom('catalog_versions')
    .select(['version', sql<boolean>`document = ${document}::jsonb`.as('same')])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.same === true) return { kind: 'unchanged', version: newest.version };
  const version = (newest?.version ?? 0) + 1;
  await tx.kysely
    .insertInto('catalog_versions')
    .values({ version, document, note, created_at: now })
    .execute();
  await syncInventories(tx, catalog);
  return { kind: 'imported', version };
}

async function itemsInUseBeyond(tx: Transaction, catalog: Catalog): Promise<string[]> {
  const known = [
    `currency ${catalog.currency}`,
    ...catalog.license_packages.map((pack) => `license ${pack.uuid}`),
    ...catalog.server_packages.map((pack) => `server ${pack.uuid}`),
    ...catalog.webspace_packages.map((pack) => `webspace ${pack.uuid}`),
    ...catalog.hosts.map((host) => `host ${host.name}`),
    ...catalog.operating_systems.map((os) => `os ${os.name}`),
    ...catalog.web_hosts.map((host) => `web host ${host.name}`),
  ];
  const { rows } = await sql<{ item: string }>`
    SELECT DISTINCT item FROM (
      SELECT product || ' ' || item AS item FROM services WHERE ended_at IS NULL AND item ~ '^[0-9a-f-]{36}$'
      UNION ALL (SELECT 'currency ' || currency FROM accounts WHERE currency <> ${catalog.currency} LIMIT 1)
      UNION ALL SELECT 'host ' || v.host FROM servers v JOIN services s ON s.id = v.id
        WHERE v.removed_at IS NULL AND s.state <> 'error'
      UNION ALL SELECT 'web host ' || w.host FROM webspaces w WHERE w.removed_at IS NULL
      UNION ALL SELECT 'os ' || v.os FROM servers v JOIN services s ON s.id = v.id WHERE s.ended_at IS NULL
    ) used WHERE item <> ALL(${known}::text[]) ORDER BY item LIMIT 20`.execute(tx.kysely);
  return rows.map((row) => row.item);
}
