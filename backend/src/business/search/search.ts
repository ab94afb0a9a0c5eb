import type { Instant } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { type SqlValue, statement } from '../../db/statement.ts';
import type { Asked } from './asked.ts';

export const FOUND_KINDS = ['customer', 'license', 'server', 'webspace', 'domain', 'invoice'] as const;
export const MATCHES = [
  'email',
  'ip_address',
  'ip_binding',
  'license_key',
  'hostname',
  'reverse_name',
  'webspace_hostname',
  'domain',
  'invoice_number',
] as const;

/** Something that answers to what was asked for, and whose it is. */
export interface Found {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly matched: (typeof MATCHES)[number];
  /** What matched; a license key is not repeated. */
  readonly value: string;
  /** The account, the service or the invoice. */
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** From when to when it answered to that; null: it still does. */
  readonly since: Instant;
  readonly until: Instant | null;
  readonly account_id: string;
  readonly customer_number: bigint;
  readonly account_state: 'active' | 'suspended' | 'closed';
  readonly email: string;
}

interface Hits {
  readonly matched: (typeof MATCHES)[number];
  readonly value: string;
  /** Tables, and the column that is the service's id. */
  readonly from: string;
  readonly id: string;
  readonly where: string;
  readonly account?: string;
  readonly since?: string;
  readonly until?: string;
}

function ofServices(hits: Hits): string {
  const { matched, value, from, id, where } = hits;
  const { account = 's.account_id', since = 's.created_at', until = 's.ended_at' } = hits;
  return `SELECT s.product AS kind, '${matched}' AS matched, ${value} AS value, s.id, s.name, s.state,
      ${since} AS since, ${until} AS until, ${account} AS account_id
    FROM ${from} JOIN services s ON s.id = ${id} WHERE ${where}`;
}

/**
 * Values: the moment ($1; null: any), the page ($2, $3), then what is asked for. One row at least, which has the total: of a page
 * behind the last one, too.
 */
function search(name: string, hits: readonly string[]) {
  return statement<{ total: number; found: boolean } & Found>(
    name,
    `WITH hits AS (${hits.join('\n UNION ALL ')}),
     found AS MATERIALIZED (
       SELECT * FROM hits
       WHERE $1::timestamptz IS NULL OR since <= $1 AND (until IS NULL OR until > $1))
     SELECT c.total, p.id IS NOT NULL AS found, p.*, a.number AS customer_number, a.state AS account_state, u.email
     FROM (SELECT count(*)::int AS total FROM found) c
     LEFT JOIN (SELECT * FROM found ORDER BY since DESC, value, id LIMIT $2 OFFSET $3) p ON true
     LEFT JOIN accounts a ON a.id = p.account_id
     LEFT JOIN LATERAL (SELECT email FROM users WHERE account_id = a.id AND role = 'owner'
       ORDER BY created_at LIMIT 1) u ON true
     ORDER BY p.since DESC, p.value, p.id`,
  );
}

// The index of bindings is of single addresses, in their order: a network is what lies between two of them.
const BOUND = `b.ip_address BETWEEN network($4::inet)
  AND set_masklen(broadcast($4::inet), CASE family($4::inet) WHEN 4 THEN 32 ELSE 128 END)`;

const searches = {
  ip_address: search('search_address', [
    ofServices({
      matched: 'ip_address',
      value: 'CASE family(h.address) WHEN 4 THEN host(h.address) ELSE text(h.address) END',
      from: 'address_history h',
      id: 'h.server_id',
      where: 'h.address && $4::inet',
      account: 'h.account_id',
      since: 'h.created_at',
      until: 'h.released_at',
    }),
    ofServices({
      matched: 'ip_binding',
      value: 'host(b.ip_address)',
      from: 'license_bindings b',
      id: 'b.license_id',
      where: BOUND,
      since: 'b.created_at',
    }),
  ]),
  license_key: search('search_license_key', [
    ofServices({
      matched: 'license_key',
      value: "''",
      from: 'licenses l',
      id: 'l.id',
      where: 'l.key_hash = $4::bytea',
    }),
  ]),
  email: search('search_email', [
    `SELECT 'customer' AS kind, 'email' AS matched, e.email AS value, c.id, e.first_name || ' ' || e.last_name AS name,
       c.state, e.created_at AS since, e.removed_at AS until, c.id AS account_id
     FROM users e JOIN accounts c ON c.id = e.account_id WHERE e.email = $4`,
  ]),
  name: search('search_name', [
    ofServices({
      matched: 'hostname',
      value: 'v.hostname',
      from: 'servers v',
      id: 'v.id',
      where: 'lower(v.hostname) = $4',
    }),
    ofServices({
      matched: 'reverse_name',
      value: 'n.rdns',
      from: 'addresses n',
      id: 'n.server_id',
      where: 'n.rdns IS NOT NULL AND lower(n.rdns) = $4',
    }),
    ofServices({
      matched: 'reverse_name',
      value: 'n.rdns',
      from: 'address_names n JOIN addresses k ON k.address = n.network',
      id: 'k.server_id',
      where: 'lower(n.rdns) = $4',
    }),
    ofServices({
      matched: 'webspace_hostname',
      value: 'w.hostname',
      from: 'webspace_domains w',
      id: 'w.webspace_id',
      where: 'w.hostname = $4',
    }),
    ofServices({
      matched: 'domain',
      value: 'd.name',
      from: 'domains d',
      id: 'd.id',
      where: 'd.name = ANY($5::text[])',
    }),
    `SELECT 'invoice' AS kind, 'invoice_number' AS matched, i.number AS value, i.id, i.number AS name, i.kind AS state,
       i.issued_at AS since, NULL::timestamptz AS until, i.account_id
     FROM invoices i WHERE i.number = $6`,
  ]),
};

/** What answers to it, now or earlier, or at one moment; the newest first. */
export async function searchAll(
  db: Executor,
  asked: Exclude<Asked, { kind: 'too_large' }>,
  at: Instant | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly found: readonly Found[]; readonly total: number }> {
  const rows = await db.run(searches[asked.kind], [at, page.limit, page.offset, ...valuesOf(asked)]);
  return { found: rows.filter(({ found }) => found), total: rows[0]?.total ?? 0 };
}

function valuesOf(asked: Exclude<Asked, { kind: 'too_large' }>): SqlValue[] {
  switch (asked.kind) {
    case 'ip_address':
      return [asked.network];
    case 'license_key':
      return [asked.hash];
    case 'email':
      return [asked.email];
    case 'name':
      return [asked.name, asked.domains, asked.number];
  }
}
