import { type Instant, later, type TermUnit } from '../../base/time.ts';
import type { Bulk } from '../../db/changes.ts';
import type { Transaction } from '../../db/transaction.ts';
import { emit, type Frame, lockedAccount } from '../accounts/frame.ts';
import { serviceRenew } from '../services/service.ts';
import { type License, lockLicenses } from './license.ts';

/** Locks licenses of these accounts for renewal (after the accounts). By id; what is not theirs is missing. */
export async function loadForRenewal(
  tx: Transaction,
  keys: readonly { accountId: string; uuid: string }[],
): Promise<Map<string, License>> {
  const rows = await tx.run(lockLicenses, [keys.map((key) => key.uuid), keys.map((key) => key.accountId)]);
  return new Map(rows.map((row) => [`${row.account_id} ${row.id}`, { ...row }]));
}

/** Where the next term of a license begins. */
export function licenseTermStart(license: License, now: Instant): Instant {
  // A license has no grace: it is off from its end on (verdictOf), whatever its state is called.
  return later(license.expire_at, now);
}

/** Adds a paid renewal: the new end, the state that payment alone can restore, and the event. */
export function renewLicense(
  frame: Frame,
  license: License,
  renewal: { expireAt: Instant; duration: number; unit: TermUnit; anchorDay: number; autoRenew: boolean },
): License {
  const others = license.suspensions.filter((reason) => reason !== 'unpaid');
  if (license.suspensions.includes('unpaid')) {
    frame.changes.add(unpaidLifted, { service_id: license.id, reason: 'unpaid' });
  }
  const renewed: License = {
    ...license,
    state: others.length > 0 ? 'suspended' : 'active',
    suspensions: others,
    auto_renew: renewal.autoRenew,
    duration: renewal.duration,
    duration_unit: renewal.unit,
    anchor_day: renewal.anchorDay,
    expire_at: renewal.expireAt,
    version: license.version + 1,
  };
  frame.changes.add(serviceRenew, {
    id: renewed.id,
    state: renewed.state,
    auto_renew: renewed.auto_renew,
    duration: renewed.duration,
    duration_unit: renewed.duration_unit,
    anchor_day: renewed.anchor_day,
    expire_at: renewed.expire_at,
  });
  emit(frame, lockedAccount(frame, license.account_id), {
    type: 'license.renewed',
    resource: { type: 'license', id: license.id },
    body: { previous_expire_at: license.expire_at.toString(), expire_at: renewal.expireAt.toString() },
  });
  return renewed;
}

/** Payment lifts the suspension for non-payment and no other (rule E1). */
export const unpaidLifted: Bulk<{ service_id: string; reason: string }> = {
  name: '-suspensions',
  columns: { service_id: 'uuid', reason: 'text' },
  sql: (rows) =>
    `DELETE FROM suspensions USING ${rows} n WHERE suspensions.service_id = n.service_id AND suspensions.reason = n.reason`,
  key: (row) => `${row.service_id} ${row.reason}`,
};
