import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Catalog } from '../core/catalog/schema/schema.ts';

const upsert = statement<object>(
  'upsert_web_hosts',
  `INSERT INTO web_hosts (name, webspaces_total, disk_total)
   SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[]) ORDER BY 1
   ON CONFLICT (name) DO UPDATE SET webspaces_total = excluded.webspaces_total, disk_total = excluded.disk_total,
     active = true`,
);
const retire = statement<object>(
  'retire_web_hosts',
  'UPDATE web_hosts SET active = false WHERE active AND name <> ALL ($1::text[])',
);

/** Brings the web hosts in line with the catalogue's; those that it no longer has take no more webspaces. */
export async function syncWebHosts(tx: Transaction, { web_hosts: hosts }: Catalog): Promise<void> {
  const names = hosts.map(({ name }) => name);
  await tx.run(upsert, [
    names,
    hosts.map(({ capacity }) => capacity.webspaces),
    hosts.map(({ capacity }) => capacity.disk),
  ]);
  await tx.run(retire, [names]);
}
