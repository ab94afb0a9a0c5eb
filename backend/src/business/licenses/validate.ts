import type { Instant } from '../../base/time.ts';
import { bulkUpdate } from '../../db/changes.ts';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { ServiceState } from '../selling/subscriptions/service.ts';
import { licenseKeyHash } from './key.ts';

export type Verdict = 'active' | 'not_found' | 'expired' | 'suspended' | 'ip_not_bound' | 'ip_limit_reached';

/** A license as the licensed product's question finds it. */
export interface ValidatedLicense {
  readonly key_hash: Buffer;
  readonly id: string;
  readonly item: string;
  readonly state: ServiceState;
  readonly expire_at: Instant;
  readonly last_validated_at: Instant | null;
  readonly addresses: readonly string[];
}

const loadByKey = statement<ValidatedLicense>(
  'licenses_by_key',
  `SELECT l.key_hash, s.id, s.item, s.state, s.expire_at, l.last_validated_at,
     ARRAY(SELECT host(b.ip_address) FROM license_bindings b WHERE b.license_id = l.id) AS addresses
   FROM unnest($1::bytea[]) k(hash) JOIN licenses l ON l.key_hash = k.hash JOIN services s ON s.id = l.id`,
);

/** Finds licenses by their keys; the map's key is the hash in hexadecimal. */
export async function loadByKeys(
  db: Executor,
  keys: readonly string[],
): Promise<Map<string, ValidatedLicense>> {
  const rows = await db.run(loadByKey, [keys.map(licenseKeyHash)]);
  return new Map(rows.map((row) => [row.key_hash.toString('hex'), row]));
}

/** What the product is told. An address must be bound by the customer; asking does not bind it. */
export function verdictOf(
  license: ValidatedLicense | undefined,
  address: string,
  limit: number,
  now: Instant,
): Verdict {
  if (license === undefined) return 'not_found';
  if (license.state === 'suspended') return 'suspended';
  if (license.state !== 'active' && license.state !== 'cancel_scheduled') return 'expired';
  if (Temporal.Instant.compare(license.expire_at, now) <= 0) return 'expired';
  if (license.addresses.includes(address)) return 'active';
  return license.addresses.length >= limit ? 'ip_limit_reached' : 'ip_not_bound';
}

const MARK_HOURS = 1;

/** Notes that a license was asked about, at most once an hour: products ask often, and a row is a write. */
export function markValidated(uow: UnitOfWork, license: ValidatedLicense): void {
  const due = license.last_validated_at?.add({ hours: MARK_HOURS });
  if (due !== undefined && Temporal.Instant.compare(due, uow.now) > 0) return;
  uow.changes.add(validatedMark, { id: license.id, last_validated_at: uow.now });
}

const validatedMark = bulkUpdate<{ id: string; last_validated_at: Instant }>(
  'licenses',
  'validated',
  { id: 'uuid', last_validated_at: 'timestamptz' },
  'last_validated_at = n.last_validated_at',
);
