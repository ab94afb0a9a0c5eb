import { bulkUpdate } from '../../../db/changes.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

const versionBump = bulkUpdate<{ id: string }>(
  'services',
  'version',
  { id: 'uuid' },
  'version = services.version + 1',
);

/** Counts a change of a service, so that a client's expected_version notices it. */
export function bumpVersion(uow: UnitOfWork, serviceId: string): void {
  uow.changes.add(versionBump, { id: serviceId });
}

const rename = bulkUpdate<{ id: string; custom_name: string | null }>(
  'services',
  'rename',
  { id: 'uuid', custom_name: 'text' },
  'custom_name = n.custom_name, version = services.version + 1',
);

/** Gives a service the name that its customer wants to see; null takes it away. */
export function renameService(uow: UnitOfWork, serviceId: string, name: string | null): void {
  uow.changes.add(rename, { id: serviceId, custom_name: name });
}
