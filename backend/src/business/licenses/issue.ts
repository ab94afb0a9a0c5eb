import type { Sealer } from '../../base/seal.ts';
import type { Instant, TermUnit } from '../../base/time.ts';
import { bulkInsert } from '../../db/changes.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { LicensePackage } from '../core/catalog/schema/packages.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import { addService, type ServiceDraft } from '../selling/subscriptions/service.ts';
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
  readonly order: ServiceDraft['order'];
  readonly ipAddress: string | null;
}

/** Adds a license that was just paid: its service, its sealed key, its first binding and the event. */
export function issueLicense(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  sealer: Sealer,
  draft: LicenseDraft,
): void {
  addService(uow, catalog, {
    ...draft,
    product: 'license',
    item: draft.package.uuid,
    name: draft.package.name,
    state: 'active',
  });
  uow.changes.add(licenseInsert, {
    id: draft.id,
    key_hash: licenseKeyHash(draft.key),
    key_sealed: sealer.seal(KEY_PURPOSE, draft.key),
  });
  if (draft.ipAddress !== null) {
    uow.changes.add(bindingInsert, {
      license_id: draft.id,
      ip_address: draft.ipAddress,
      description: '',
      created_at: uow.now,
    });
  }
  emit(uow, lockedAccount(uow, draft.accountId), {
    type: 'license.issued',
    resource: { type: 'license', id: draft.id },
    body: { package_uuid: draft.package.uuid, expire_at: draft.order.price.periodTo },
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
