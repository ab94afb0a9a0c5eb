import type { Executor } from '../../db/pool.ts';
import { type Statement, statement } from '../../db/statement.ts';

/** Rows read at a time. */
const BATCH = 1_000;

/** Where a page begins: at a moment, or at a place in a sequence. */
type Key = 'created_at' | 'issued_at' | 'sequence' | 'id';
type Row = Readonly<Record<Key, unknown>>;

/** A table's rows of one account as a file of JSON Lines. */
export interface TableFile {
  readonly name: string;
  readonly page: Statement<Row>;
  readonly key: readonly Key[];
}

/** `columns` are all that is told: nothing secret, and nothing that is another's. An index begins with the key. */
function tableFile(table: string, key: readonly Key[], columns: string, only = 'true'): TableFile {
  const keys = key.map((name) => `t.${name}`).join(', ');
  const after = key.map((_, index) => `$${index + 2}`).join(', ');
  return {
    name: `${table}.jsonl`,
    key,
    page: statement<Row>(
      `export_${table}`,
      `SELECT ${keys}, ${columns} FROM ${table} t
       WHERE t.account_id = $1 AND (${keys}) > (${after}) AND ${only} ORDER BY ${keys} LIMIT ${BATCH}`,
    ),
  };
}

const MADE = ['created_at', 'id'] as const;

/** With the name that each file has in the archive; of its own name no more than what says of which kind it is. */
export const ATTACHMENTS = tableFile(
  'ticket_attachments',
  MADE,
  `t.message_id, t.filename, t.content_type, t.size, t.sha256,
   'files/' || t.id || lower(coalesce(substring(t.filename FROM '\\.[A-Za-z0-9]{1,8}$'), '')) AS file`,
  'EXISTS (SELECT FROM ticket_messages m WHERE m.id = t.message_id AND NOT m.internal)',
);

export const TABLE_FILES: readonly TableFile[] = [
  tableFile(
    'orders',
    MADE,
    `t.product, t.action, t.service_id, t.state, t.description, t.automatic, t.price_version, t.currency, t.lines, t.net,
     t.discount, t.discount_code, t.tax_kind, t.tax_country, t.tax_rate, t.tax, t.gross, t.duration, t.duration_unit,
     t.period_from, t.period_to, t.terms_version, t.consent_hash, host(t.consent_ip) AS consent_ip, t.entry_id,
     t.invoice_id, t.closed_at`,
  ),
  tableFile(
    'refunds',
    MADE,
    't.order_id, t.basis, t.gross, t.tax, t.period_from, t.reason, t.entry_id, t.invoice_id',
  ),
  tableFile(
    'services',
    MADE,
    `t.product, t.item, t.name, t.custom_name, t.state, t.auto_renew, t.duration, t.duration_unit, t.expire_at, t.ended_at,
     (SELECT jsonb_build_object('hostname', v.hostname, 'os', v.os, 'cores', v.cores, 'memory', v.memory, 'disk', v.disk,
        'addresses', (SELECT jsonb_agg(host(a.address) ORDER BY a.address) FROM addresses a WHERE a.server_id = v.id))
      FROM servers v WHERE v.id = t.id) AS server,
     (SELECT jsonb_agg(host(b.ip_address) ORDER BY b.ip_address) FROM license_bindings b WHERE b.license_id = t.id)
       AS ip_bindings,
     (SELECT jsonb_build_object('registered_at', v.registered_at, 'registry_expire_at', v.registry_expire_at,
        'statuses', v.statuses, 'transfer_lock', v.transfer_lock, 'whois_privacy', v.whois_privacy,
        'owner', v.owner_id, 'admin', v.admin_id, 'tech', v.tech_id, 'zone', v.zone_id, 'nameservers', v.nameservers,
        'dns_hosted', v.dns_hosted, 'dnssec', v.dnssec, 'ds', v.ds)
      FROM domains v WHERE v.id = t.id) AS domain`,
  ),
  tableFile('address_history', MADE, 't.server_id, text(t.address) AS address, t.released_at'),
  tableFile(
    'contacts',
    MADE,
    `t.handle, t.type, t.salutation, t.first_name, t.last_name, t.company, t.vat_id, t.company_number, t.street,
     t.house_number, t.address_addition, t.zip, t.city, t.region, t.country, t.phone, t.fax, t.email, t.birth_date,
     t.birth_place, t.birth_country, t.id_number, t.language, t.extra, t.verification, t.updated_at`,
  ),
  tableFile(
    'invoices',
    ['issued_at', 'id'],
    `t.kind, t.number, t.currency, t.lines, t.net, t.tax_kind, t.tax_rate, t.tax, t.gross, t.buyer, t.seller,
     t.corrects, t.issue_date`,
  ),
  tableFile(
    'payments',
    MADE,
    't.method, t.amount, t.currency, t.state, t.reference, t.automatic, t.received, t.refunded, t.disputed',
  ),
  tableFile('events', ['sequence'], 't.id, t.type, t.created_at, t.resource_type, t.resource_id, t.body'),
  tableFile(
    'tasks',
    MADE,
    't.type, t.state, t.resource_type, t.resource_id, t.order_id, t.error, t.started_at, t.finished_at',
  ),
  tableFile('ssh_keys', MADE, 't.name, t.public_key, t.fingerprint'),
  tableFile('mails', MADE, 't.template, t.state, t.sent_at'),
  tableFile(
    'tickets',
    MADE,
    `t.number, t.subject, t.department, t.priority, t.state, t.requester_id, t.resource_type, t.resource_id, t.rating,
     t.duplicate_of, t.merged_into, t.first_response_at, t.updated_at, t.reopened_at, t.closed_at`,
  ),
  tableFile('ticket_messages', MADE, 't.ticket_id, t.author_type, t.author_name, t.body', 'NOT t.internal'),
  ATTACHMENTS,
  tableFile(
    'audit',
    MADE,
    't.user_id, t.token_id, t.operation, host(t.ip) AS ip, t.subject, t.code',
    'EXISTS (SELECT FROM users u WHERE u.id = t.user_id AND u.account_id = t.account_id)',
  ),
  tableFile('webhooks', ['id'], 't.url, t.description, t.events, t.active, t.created_at, t.removed_at'),
  tableFile(
    'cancellations',
    ['id'],
    't.service_id, t.mode, t.reason, t.comment, t.requested_at, t.effective_at, t.revoked_at',
  ),
  tableFile(
    'console_sessions',
    ['id'],
    't.server_id, t.user_id, host(t.ip) AS ip, t.began_at, t.ended_at, t.reason',
    'EXISTS (SELECT FROM users u WHERE u.id = t.user_id AND u.account_id = t.account_id)',
  ),
  tableFile('payment_methods', ['id'], 't.provider, t.label, t.created_at, t.removed_at'),
  tableFile(
    'bank_entries',
    ['id'],
    't.booked_on, t.amount, t.currency, t.remittance, t.payment_id, t.entry_id, t.imported_at',
  ),
  tableFile('vat_checks', ['id'], 't.vat_id, t.state, t.name, t.address, t.reference, t.checked_at'),
  tableFile('affiliate_payouts', MADE, 't.amount, t.currency, t.method, t.state, t.entry_id'),
];

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);
const BEFORE_ALL: Row = {
  created_at: EPOCH,
  issued_at: EPOCH,
  sequence: 0n,
  id: '00000000-0000-0000-0000-000000000000',
};

/** The file, the oldest first, in pieces. */
export async function* tableLines(
  db: Executor,
  { page, key }: TableFile,
  accountId: string,
): AsyncGenerator<string> {
  for (let last = BEFORE_ALL; ; ) {
    const rows = await db.run(page, [accountId, ...key.map((name) => last[name])]);
    const newest = rows.at(-1);
    if (newest === undefined) return;
    yield rows.map((row) => `${plainJson(row)}\n`).join('');
    last = newest;
    if (rows.length < BATCH) return;
  }
}

/** Amounts as numbers in minor units, moments in ISO 8601, hashes in hexadecimal. */
export function plainJson(value: object): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, printed: unknown) {
    const given = this[name];
    if (typeof given === 'bigint') return Number(given);
    if (Buffer.isBuffer(given)) return given.toString('hex');
    return printed;
  });
}
