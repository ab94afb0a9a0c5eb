import { bulkUpdate } from '../../../db/changes.ts';
import type { IsoImage } from '../../core/catalog/schema/medium.ts';

/** The job that changes what is in a server's drive, and the type of its task. */
export const ISO = 'server.iso';

/** What is in its drive (null: nothing), and whether it starts from that before it does from its disk. */
export const serverMediumChanged = bulkUpdate<{ id: string; iso: string | null; iso_first: boolean }>(
  'servers',
  'medium',
  { id: 'uuid', iso: 'text', iso_first: 'boolean' },
  'iso = n.iso, iso_first = n.iso_first',
);

/** What a medium is shown as, also one that is not in the catalogue any more; null: there is none. */
export function shownMedium(
  isoImages: ReadonlyMap<string, IsoImage>,
  name: string | null,
): { name: string; displayname: string } | null {
  return name === null ? null : { name, displayname: isoImages.get(name)?.displayname ?? name };
}
