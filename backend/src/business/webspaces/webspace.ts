import type { Instant } from '../../base/time.ts';
import { bulkInsert, bulkUpdate } from '../../db/changes.ts';
import { statement } from '../../db/statement.ts';
import { accountResource } from '../../unit-of-work/resource.ts';
import type { RecurringDiscountColumns } from '../selling/orders/recurring-discount.ts';
import { ENDS, type ServiceState } from '../selling/subscriptions/service.ts';

/** The job that makes a webspace that was ordered, and the type of its task. */
export const PROVISION = 'webspace.provision';

/** Seals what the back end does not have yet: log-in and database passwords. */
export const PASSWORD_PURPOSE = 'webspace-password';

/** What a webspace can have changed in: it is there and is on. */
export const CHANGEABLE: readonly ServiceState[] = ['active', 'cancel_scheduled'];

/** A host name of a webspace, claimed or proven. */
export interface StoredDomain {
  readonly id: string;
  readonly hostname: string;
  readonly document_root: string;
  readonly proof: 'provider' | 'account' | 'txt' | null;
  readonly challenge: string;
  readonly tls_state: 'none' | 'pending' | 'active' | 'failed';
  /** ISO 8601, as JSON has it. */
  readonly tls_expire_at: string | null;
}

/** A webspace with its service and its names: everything the group's operations show or decide on. */
export interface Webspace extends RecurringDiscountColumns {
  readonly id: string;
  readonly number: bigint;
  readonly account_id: string;
  /** The package's uuid. */
  readonly item: string;
  readonly name: string;
  readonly custom_name: string | null;
  readonly state: ServiceState;
  readonly auto_renew: boolean;
  readonly duration: number;
  readonly duration_unit: 'hour' | 'month' | 'year';
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly version: number;
  /** Of the catalogue, whose price for the next term its customer was told; null: none yet. */
  readonly announced_version: number | null;
  readonly created_at: Instant;
  readonly host: string;
  readonly uid: number;
  readonly username: string;
  readonly php_version: string;
  /** MiB. */
  readonly disk: number;
  readonly disk_used: number;
  readonly inodes_used: bigint | null;
  readonly sampled_at: Instant | null;
  /** The provider's own name first, then in order of their claims. */
  readonly domains: readonly StoredDomain[];
  readonly databases: number;
  /** The reasons that it is suspended for. */
  readonly suspensions: readonly string[];
  /** Whether it ends with its term, by its customer's wish. */
  readonly ends: boolean;
}

/** SQL for the columns of {@link Webspace}, of services `s` and webspaces `w`. */
export const WEBSPACE_COLUMNS = `s.id, s.number, s.account_id, s.item, s.name, s.custom_name, s.state, s.auto_renew,
  s.duration, s.duration_unit, s.anchor_day, s.expire_at, s.version, s.announced_version, s.created_at, s.discount_code, s.discount_percent,
  s.discount_left, w.host, w.uid, w.username, w.php_version, w.disk, w.disk_used, w.inodes_used, w.sampled_at,
  (SELECT coalesce(json_agg(json_build_object('id', d.id, 'hostname', d.hostname, 'document_root', d.document_root,
     'proof', d.proof, 'challenge', d.challenge, 'tls_state', d.tls_state, 'tls_expire_at', d.tls_expire_at)
     ORDER BY d.proof IS DISTINCT FROM 'provider', d.created_at, d.id), '[]'::json)
   FROM webspace_domains d WHERE d.webspace_id = w.id) AS domains,
  (SELECT count(*)::int FROM webspace_databases b WHERE b.webspace_id = w.id AND b.deleted_at IS NULL) AS databases,
  ARRAY(SELECT p.reason FROM suspensions p WHERE p.service_id = s.id ORDER BY p.reason) AS suspensions,
  ${ENDS} AS ends`;

const load = statement<Webspace & { ord: bigint }>(
  'load_webspaces',
  `SELECT k.ord, ${WEBSPACE_COLUMNS}
   FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY k(account_id, id, ord)
   JOIN services s ON s.id = k.id AND s.account_id = k.account_id
   JOIN webspaces w ON w.id = s.id`,
);

const lock = statement<Webspace>(
  'lock_webspace',
  `SELECT ${WEBSPACE_COLUMNS} FROM services s JOIN webspaces w ON w.id = s.id
   WHERE s.id = $2 AND s.account_id = $1 FOR UPDATE OF s`,
);

/** A webspace among the caller's own. */
export const webspace = accountResource<Webspace>('webspace', load, lock);

/** The name that it goes by: the first of its customer's own that is proven, else the provider's. */
export function mainHostname(domains: readonly Pick<StoredDomain, 'hostname' | 'proof'>[]): string {
  const own = domains.find(({ proof }) => proof === 'account' || proof === 'txt');
  return own?.hostname ?? domains[0]?.hostname ?? '';
}

/** The first name of its customer's own, proven or not; null: there is none. */
export function ownHostname(domains: readonly Pick<StoredDomain, 'hostname' | 'proof'>[]): string | null {
  return domains.find(({ proof }) => proof !== 'provider')?.hostname ?? null;
}

export interface WebspaceDraft {
  readonly id: string;
  readonly host: string;
  readonly username: string;
  readonly php_version: string;
  readonly disk: number;
  readonly password_sealed: Buffer;
}

export const webspaceInsert = bulkInsert<WebspaceDraft>('webspaces', {
  id: 'uuid',
  host: 'text',
  username: 'text',
  php_version: 'text',
  disk: 'integer',
  password_sealed: 'bytea',
});

/** A webspace of which nothing is left, or of which nothing ever came: no secret of it is kept. */
export const webspaceRemoved = bulkUpdate<{ id: string; removed_at: Instant }>(
  'webspaces',
  'removed',
  { id: 'uuid', removed_at: 'timestamptz' },
  'removed_at = n.removed_at, password_sealed = NULL',
);
