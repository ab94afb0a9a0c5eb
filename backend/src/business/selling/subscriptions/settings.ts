import type { Instant } from '../../../base/time.ts';
import { bulkUpdate } from '../../../db/changes.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { ServiceState } from './service.ts';

/** What customers set of a service, whatever the product. */
export interface Settings {
  readonly auto_renew: boolean;
  readonly custom_name: string | null;
}

/** In which states it still matters whether a service renews itself. */
export const RENEWAL_SETTABLE: readonly ServiceState[] = [
  'pending',
  'provisioning',
  'active',
  'suspended',
  'cancel_scheduled',
  'expired',
];

/**
 * Changes settings of a locked service; its version afterwards, which counts real changes only. Who switches
 * renewal on or off has the service looked at anew: an end that comes near may have to be announced, or paid for.
 * An expired service, though, does not come back by it: only a renewal of its own brings it back.
 */
export function changeSettings(
  uow: UnitOfWork,
  service: Settings & { readonly id: string; readonly version: number },
  wanted: Settings,
): number {
  const switched = wanted.auto_renew !== service.auto_renew;
  if (!switched && wanted.custom_name === service.custom_name) return service.version;
  uow.changes.add(settingsUpdate, {
    id: service.id,
    auto_renew: wanted.auto_renew,
    custom_name: wanted.custom_name,
    due_at: switched ? uow.now : null,
  });
  return service.version + 1;
}

const settingsUpdate = bulkUpdate<Settings & { readonly id: string; readonly due_at: Instant | null }>(
  'services',
  'settings',
  { id: 'uuid', auto_renew: 'boolean', custom_name: 'text', due_at: 'timestamptz' },
  `auto_renew = n.auto_renew, custom_name = n.custom_name, due_at = coalesce(n.due_at, services.due_at),
   version = services.version + 1`,
);
