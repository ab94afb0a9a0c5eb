import type { Instant } from '../../base/time.ts';
import { statement } from '../../db/statement.ts';
import { accountResource } from '../../unit-of-work/resource.ts';
import { ENDS, type ServiceState } from '../selling/subscriptions/service.ts';

/** A license with its service and its bindings: everything the group's operations show or decide on. */
export interface License {
  readonly id: string;
  readonly number: bigint;
  readonly account_id: string;
  /** The package's uuid. */
  readonly item: string;
  readonly custom_name: string | null;
  readonly state: ServiceState;
  readonly auto_renew: boolean;
  readonly duration: number;
  readonly duration_unit: 'hour' | 'month' | 'year';
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly version: number;
  readonly created_at: Instant;
  readonly key_sealed: Buffer;
  readonly last_validated_at: Instant | null;
  readonly bindings: readonly StoredBinding[] | null;
  readonly suspensions: readonly string[];
  /** Whether it ends with its term, by its customer's wish. */
  readonly ends: boolean;
  readonly announced_version: number | null;
  readonly discount_code: string | null;
  readonly discount_percent: number | null;
  readonly discount_left: number | null;
}

/** A binding as it comes inside JSON. */
export interface StoredBinding {
  readonly id: number;
  readonly ip_address: string;
  readonly description: string;
  readonly created_at: string;
}

const COLUMNS = `s.id, s.number, s.account_id, s.item, s.custom_name, s.state, s.auto_renew, s.duration, s.duration_unit,
  s.anchor_day, s.expire_at, s.version, s.created_at, s.discount_code, s.discount_percent, s.discount_left, s.announced_version, l.key_sealed,
  l.last_validated_at,
  (SELECT json_agg(json_build_object('id', b.id, 'ip_address', host(b.ip_address), 'description', b.description,
     'created_at', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')) ORDER BY b.id)
   FROM license_bindings b WHERE b.license_id = l.id) AS bindings,
  ARRAY(SELECT p.reason FROM suspensions p WHERE p.service_id = s.id ORDER BY p.reason) AS suspensions,
  ${ENDS} AS ends`;

const load = statement<License & { ord: bigint }>(
  'load_licenses',
  `SELECT k.ord, ${COLUMNS}
   FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY k(account_id, id, ord)
   JOIN services s ON s.id = k.id AND s.account_id = k.account_id
   JOIN licenses l ON l.id = s.id`,
);

const lock = statement<License>(
  'lock_license',
  `SELECT ${COLUMNS} FROM services s JOIN licenses l ON l.id = s.id
   WHERE s.id = $2 AND s.account_id = $1 FOR UPDATE OF s`,
);

const lockMany = statement<License>(
  'lock_licenses',
  // Only of accounts that this transaction holds: those of others are held by whoever holds theirs.
  `WITH held AS MATERIALIZED (
     SELECT id FROM accounts WHERE id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
   SELECT ${COLUMNS} FROM services s JOIN held ON held.id = s.account_id JOIN licenses l ON l.id = s.id
   WHERE s.id = ANY($1::uuid[]) ORDER BY s.id FOR UPDATE OF s`,
);

/** A license among the caller's own. */
export const license = accountResource<License>('license', load, lock);

export { lockMany as lockLicenses };

export const KEY_PURPOSE = 'license-key';
