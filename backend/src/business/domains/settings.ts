import { bulkUpdate } from '../../db/changes.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { changeSettings } from '../selling/subscriptions/settings.ts';
import { bumpVersion } from '../selling/subscriptions/version.ts';
import type { Domain } from './domain.ts';
import { convergeDomain } from './domain-jobs.ts';

/** What customers set of a domain. */
export type DomainSettings = Pick<Domain, 'auto_renew' | 'custom_name' | 'transfer_lock' | 'protection'>;

/** Changes settings of a locked domain; its version afterwards, which counts real changes only. */
export function changeDomainSettings(uow: UnitOfWork, domain: Domain, wanted: DomainSettings): number {
  const version = changeSettings(uow, domain, wanted);
  const { transfer_lock, protection } = wanted;
  const locks = transfer_lock !== domain.transfer_lock;
  if (!locks && protection === domain.protection) return version;
  uow.changes.add(locksUpdate, { id: domain.id, transfer_lock, protection });
  if (locks) convergeDomain(uow, domain.id);
  // The service's own settings have counted themselves.
  if (version === domain.version) bumpVersion(uow, domain.id);
  return domain.version + 1;
}

const locksUpdate = bulkUpdate<{ id: string; transfer_lock: boolean; protection: boolean }>(
  'domains',
  'locks',
  { id: 'uuid', transfer_lock: 'boolean', protection: 'boolean' },
  'transfer_lock = n.transfer_lock, protection = n.protection',
);
