import { anchorDay, type Instant, keptAnchor, type TermUnit } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Renewing } from '../accounts/forecast.ts';
import type { CatalogVersion } from '../catalog/versions.ts';
import { licenseLines } from '../licenses/term.ts';
import { type PriceLine, priceOf } from '../orders/price.ts';
import { serverLines } from '../servers/price.ts';
import { pricedServer, server } from '../servers/server.ts';
import { renewalStart, type ServiceState } from './service.ts';

interface RenewingRow {
  readonly id: string;
  readonly product: string;
  readonly item: string;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly state: ServiceState;
}

const MOST = 10_000;

const loadRenewing = statement<RenewingRow>(
  'load_renewing',
  `SELECT id, product, item, duration, duration_unit, anchor_day, expire_at, state FROM services
   WHERE account_id = $1 AND auto_renew AND ended_at IS NULL AND state IN ('active', 'suspended')
   ORDER BY expire_at, id LIMIT ${MOST}`,
);

type Lines = (catalog: CatalogVersion) => readonly PriceLine[] | null;

/**
 * The services of an account that renew themselves and what a further term of each costs now, the soonest
 * first; at most 10,000. What is not sold for its term any more, or not at all, is left out: it cannot renew.
 */
export async function renewingServices(
  db: Executor,
  accountId: string,
  catalog: CatalogVersion,
  now: Instant,
): Promise<Renewing[]> {
  const rows = await db.run(loadRenewing, [accountId]);
  const servers = await serverRenewals(db, accountId, rows);
  return rows.flatMap((row) => {
    const lines = (row.product === 'server' ? servers.get(row.id) : licenseRenewal(row))?.(catalog);
    if (lines === undefined || lines === null) return [];
    const termFrom = renewalStart(row, now);
    const { gross } = priceOf({
      version: catalog.version,
      currency: catalog.content.currency,
      taxRate: catalog.content.tax_rate,
      lines,
      discount: 0,
      periodFrom: termFrom,
      periodTo: termFrom,
    });
    return [
      {
        id: row.id,
        product: row.product,
        duration: row.duration,
        unit: row.duration_unit,
        anchorDay: termFrom === row.expire_at ? keptAnchor(termFrom, row.anchor_day) : anchorDay(termFrom),
        termFrom,
        price: gross,
      },
    ];
  });
}

function licenseRenewal(row: RenewingRow): Lines | null {
  if (row.product !== 'license') return null;
  return licenseLines(row.item, row.duration, row.duration_unit, { renewal: true });
}

async function serverRenewals(
  db: Executor,
  accountId: string,
  rows: readonly RenewingRow[],
): Promise<Map<string, Lines>> {
  const keys = rows.filter((row) => row.product === 'server').map((row) => ({ accountId, uuid: row.id }));
  if (keys.length === 0) return new Map();
  const found = (await server.load(db, keys)).flatMap((one) => one ?? []);
  return new Map(
    found.map((one) => [
      one.id,
      serverLines(pricedServer(one), { duration: one.duration, unit: one.duration_unit, renewal: true }),
    ]),
  );
}
