import type { Sealer } from '../../base/seal.ts';
import { anchorDay, type Instant, type TermUnit } from '../../base/time.ts';
import { bulkInsert } from '../../db/changes.ts';
import { emit, type Frame, lockedAccount } from '../accounts/frame.ts';
import type { LicensePackage } from '../catalog/packages.ts';
import { serviceInsert } from '../services/service.ts';
import { licenseKeyHash } from './key.ts';
import { KEY_PURPOSE } from './license.ts';

export interface LicenseDraft {
  readonly id: string;
  readonly accountId: string;
  readonly package: LicensePackage;
  readonly key: string;
  readonly customName: string | null;
  readonly autoRenew: boolean;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly expireAt: Instant;
  readonly ipAddress: string | null;
}

/** Adds a license that was just paid: its service, its sealed key, its first binding and the event. */
export function issueLicense(frame: Frame, sealer: Sealer, draft: LicenseDraft): void {
  frame.changes.add(serviceInsert, {
    id: draft.id,
    account_id: draft.accountId,
    product: 'license',
    item: draft.package.uuid,
    name: draft.package.name,
    custom_name: draft.customName,
    state: 'active',
    auto_renew: draft.autoRenew,
    duration: draft.duration,
    duration_unit: draft.unit,
    anchor_day: anchorDay(frame.now),
    expire_at: draft.expireAt,
    created_at: frame.now,
  });
  frame.changes.add(licenseInsert, {
    id: draft.id,
    key_hash: licenseKeyHash(draft.key),
    key_sealed: sealer.seal(KEY_PURPOSE, draft.key),
  });
  if (draft.ipAddress !== null) {
    frame.changes.add(bindingInsert, {
      license_id: draft.id,
      ip_address: draft.ipAddress,
      description: '',
      created_at: frame.now,
    });
  }
  emit(frame, lockedAccount(frame, draft.accountId), {
    type: 'license.issued',
    resource: { type: 'license', id: draft.id },
    body: { package_uuid: draft.package.uuid, expire_at: draft.expireAt.toString() },
  });
}

const licenseInsert = bulkInsert<{ id: string; key_hash: Buffer; key_sealed: Buffer }>('licenses', {
  id: 'uuid',
  key_hash: 'bytea',
  key_sealed: 'bytea',
});

export const bindingInsert = bulkInsert<{
  license_id: string;
  ip_address: string;
  description: string;
  created_at: Instant;
}>('license_bindings', {
  license_id: 'uuid',
  ip_address: 'inet',
  description: 'text',
  created_at: 'timestamptz',
});
