import { type Check, sqlCheck } from '../check.ts';
import type { World } from '../world.ts';

interface Paid {
  id: string;
  service_id: string;
  product: string;
  action: string;
  item: string;
  price_version: number;
  duration: number;
  duration_unit: 'month' | 'year' | 'hour';
  period_from: Temporal.Instant;
  period_to: Temporal.Instant;
  /** Where the unbroken run of terms began that this one belongs to. */
  run_from: Temporal.Instant;
  /** Months of that run before this term. */
  run_months: number;
  gross: bigint;
  net: bigint;
  tax: bigint;
  tax_rate: number;
  tax_kind: string;
  percent: number | null;
  /** Of a domain. */
  domain_action: 'register' | 'transfer' | 'renew' | 'restore' | null;
}

interface Priced extends Paid {
  document: Catalogue;
}

interface Catalogue {
  readonly tax_rate: number;
  readonly license_packages: readonly Package[];
  readonly server_packages: readonly (Package & { readonly setup?: number })[];
  readonly tlds: readonly DomainPrices[];
}

interface DomainPrices {
  readonly tld: string;
  readonly register: number;
  readonly renew: number;
  readonly transfer: number | null;
  readonly restore: number;
}

interface Package {
  readonly uuid: string;
  readonly pricings: { readonly hour: number; readonly month: number; readonly year: number };
}

/** Terms and prices computed anew, by other formulas than the program's. */
const computedAnew: Check = {
  name: 'each term has the length and the price that its order says',
  async find({ pool }, { since }) {
    const { rows } = await pool.pg.query<Paid>(
      `WITH touched AS (SELECT DISTINCT service_id FROM orders WHERE state = 'completed' AND greatest(created_at, closed_at) >= $1),
       terms AS (
         SELECT o.*, CASE o.duration_unit WHEN 'year' THEN 12 ELSE 1 END * o.duration AS months,
           o.period_from IS DISTINCT FROM lag(o.period_to) OVER w
             OR 'hour' IN (o.duration_unit, lag(o.duration_unit) OVER w) OR lag(a.action) OVER w IN ('register', 'transfer') AS begins
         FROM orders o JOIN touched USING (service_id) LEFT JOIN domain_orders a ON a.order_id = o.id WHERE o.state = 'completed'
         WINDOW w AS (PARTITION BY o.service_id, o.action = 'extra' ORDER BY o.period_from)),
       numbered AS (SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY service_id, action = 'extra' ORDER BY period_from) AS run FROM terms)
       SELECT * FROM (SELECT greatest(n.created_at, n.closed_at) AS touched_at, n.id, n.service_id, n.product, n.action,
         s.item, n.price_version, n.duration, n.duration_unit, n.period_from, n.period_to, n.gross, n.net, n.tax, n.tax_rate, n.tax_kind, d.percent, a.action AS domain_action,
         min(n.period_from) OVER r AS run_from, (coalesce(sum(n.months) OVER (PARTITION BY n.service_id, n.action = 'extra', n.run
           ORDER BY n.period_from ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))::int AS run_months
       FROM numbered n JOIN services s ON s.id = n.service_id
         LEFT JOIN discount_codes d ON d.code = n.discount_code LEFT JOIN domain_orders a ON a.order_id = n.id
       WINDOW r AS (PARTITION BY n.service_id, n.action = 'extra', n.run)) x WHERE touched_at >= $1`,
      [since.toString()],
    );
    const documents = await cataloguesOf(pool, new Set(rows.map(({ price_version }) => price_version)));
    const priced = rows.map((paid): Priced => ({ ...paid, document: documents(paid.price_version) }));
    return priced.flatMap((paid) => [
      // The first term of a domain is its registry's, from when that was told: see the checks of domains.
      ...(paid.domain_action === 'register' ||
      paid.domain_action === 'transfer' ||
      endOf(paid).epochMilliseconds === paid.period_to.epochMilliseconds
        ? []
        : [`${this.name}: order ${paid.id} ends ${paid.period_to}, not ${endOf(paid)}`]),
      ...(grossOf(paid) === paid.gross && paid.net + paid.tax === paid.gross
        ? []
        : [`${this.name}: order ${paid.id} costs ${paid.gross}, not ${grossOf(paid)}`]),
    ]);
  },
};

/** Each document once: with every order it would be most of a day's look. */
async function cataloguesOf({ pg }: World['pool'], versions: ReadonlySet<number>) {
  const { rows } = await pg.query<{ version: number; document: Catalogue }>(
    'SELECT version, document FROM catalog_versions WHERE version = ANY($1)',
    [[...versions]],
  );
  const documents = new Map(rows.map(({ version, document }) => [version, document]));
  return (version: number): Catalogue => {
    const document = documents.get(version);
    if (document === undefined) throw new Error(`there is no catalogue ${version}`);
    return document;
  };
}

/** The end of a run of months counts from its beginning: no day is lost in short months. */
function endOf({ period_from, run_from, run_months, duration, duration_unit }: Paid): Temporal.Instant {
  if (duration_unit === 'hour') return period_from.add({ hours: duration });
  const months = run_months + duration * (duration_unit === 'year' ? 12 : 1);
  return run_from.toZonedDateTimeISO('UTC').add({ months }, { overflow: 'constrain' }).toInstant();
}

/** In hundredths of a cent, before discounts. */
function listedOf({
  product,
  action,
  item,
  document,
  duration,
  duration_unit,
  domain_action,
}: Priced): bigint {
  const cents = (price: number) => BigInt(Math.round(price * 100));
  if (product === 'domain') {
    const tld = document.tlds.find((one) => one.tld === item);
    if (tld === undefined) return -1n;
    const further = cents(tld.renew) * BigInt(domain_action === 'register' ? duration - 1 : duration);
    switch (domain_action) {
      case 'register':
        return (cents(tld.register) + further) * 100n;
      case 'transfer':
        return cents(tld.transfer ?? 0) * 100n;
      case 'restore':
        // Within the term the rest of it comes back too, and is paid for already.
        return (cents(tld.restore) + (action === 'extra' ? 0n : further)) * 100n;
      default:
        return further * 100n;
    }
  }
  const packages: readonly (Package & { readonly setup?: number })[] =
    product === 'license' ? document.license_packages : document.server_packages;
  const pack = packages.find(({ uuid }) => uuid === item);
  if (pack === undefined) return -1n;
  let listed = cents(pack.pricings[duration_unit]) * BigInt(duration);
  if (product === 'server' && duration === 1 && duration_unit === 'year')
    listed = (listed * 925n * 100n) / 1000n;
  else listed *= 100n;
  if (action === 'create') listed += cents(pack.setup ?? 0) * 100n;
  return listed;
}

function grossOf(paid: Priced): bigint {
  const { document, tax_kind, percent } = paid;
  const numerator = listedOf(paid) * BigInt(10_000 - (percent ?? 0));
  const untaxed = tax_kind === 'reverse_charge' || tax_kind === 'export';
  const [dividend, divisor] = untaxed
    ? [numerator * 100n, 10_000n * BigInt(100 + document.tax_rate) * 100n]
    : [numerator, 10_000n * 100n];
  return (2n * dividend + divisor) / (2n * divisor);
}

export default [
  computedAnew,
  sqlCheck(
    'at home the tax is that of the day of the sale',
    `SELECT 'order ' || o.id || ' at ' || o.tax_rate AS problem FROM orders o WHERE o.created_at >= $1
       AND o.tax_kind = 'standard' AND o.tax_country IN ('', 'DE') AND o.tax_rate <> 100 * (
         SELECT (c.document ->> 'tax_rate')::numeric FROM catalog_versions c
         WHERE c.created_at <= o.created_at ORDER BY c.version DESC LIMIT 1)`,
  ),
  sqlCheck(
    'no time is paid for twice',
    `SELECT 'order ' || id AS problem FROM (SELECT id, period_from, lag(period_to) OVER
         (PARTITION BY service_id ORDER BY period_from) AS before FROM orders o WHERE state = 'completed' AND action <> 'extra' AND service_id IN
         (SELECT service_id FROM orders WHERE created_at >= $1 AND state = 'completed')) o
     WHERE period_from < before`,
  ),
  sqlCheck(
    'a service is paid until where its last order says',
    `SELECT 'service ' || s.id || ' until ' || s.expire_at AS problem FROM services s
     JOIN (SELECT service_id, max(period_to) AS paid FROM orders WHERE state = 'completed' AND service_id IN
       (SELECT service_id FROM orders WHERE state = 'completed' AND closed_at >= $1) GROUP BY service_id) o
       ON o.service_id = s.id
     WHERE s.expire_at <> o.paid`,
  ),
  sqlCheck(
    'nothing runs unpaid beyond its grace, and nothing paid is off for want of money',
    `SELECT 'service ' || id || ' is ' || state || ' until ' || expire_at AS problem FROM services
     WHERE (state IN ('active', 'cancel_scheduled') AND expire_at < $2::timestamptz - interval '7 hours'
         - CASE WHEN product IN ('server', 'domain') THEN interval '3 days' ELSE interval '0' END)
       OR (expire_at > $2 AND (state = 'expired' OR id IN (SELECT service_id FROM suspensions WHERE reason = 'unpaid')))
       -- A registry that keeps a domain no longer needs some days to release it.
       OR (state IN ('suspended', 'expired') AND delete_at < $2::timestamptz - interval '7 hours'
         - CASE product WHEN 'domain' THEN interval '6 days' ELSE interval '0' END) AND $1::timestamptz IS NOT NULL`,
  ),
];
