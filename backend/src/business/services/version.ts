import { bulkUpdate } from '../../db/changes.ts';
import type { Frame } from '../accounts/frame.ts';

const versionBump = bulkUpdate<{ id: string }>(
  'services',
  'version',
  { id: 'uuid' },
  'version = services.version + 1',
);

/** Counts a change of a service, so that a client's expected_version notices it. */
export function bumpVersion(frame: Frame, serviceId: string): void {
  frame.changes.add(versionBump, { id: serviceId });
}
