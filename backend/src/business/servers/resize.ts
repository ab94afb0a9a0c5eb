import { z } from 'zod';
import { bulkUpdate } from '../../db/changes.ts';
import type { Host } from '../core/catalog/schema/host.ts';
import type { Size } from './capacity/size.ts';
import { type Configuration, chosenConfiguration, type OutOfRange } from './configuration.ts';

export const RESIZE = 'server.resize';

/** What a change of size is to come to, as its job finds it. Money and capacity were held when it began. */
export const Resizing = z.object({
  cores: z.int(),
  memory: z.int(),
  disk: z.int(),
  uplink: z.int(),
  backup_slots: z.int(),
  /** What it is sold as from now on: a package's uuid, or CUSTOM, with its name for people. */
  item: z.string(),
  name: z.string(),
  /** The order whose money is on hold; null: it costs nothing. */
  order_id: z.uuid().nullable(),
  /** What of the paid term is given back when it is done; null: nothing. */
  refund: z
    .object({
      /** From when on less is delivered. */
      from: z.string(),
      /** Ten-thousandths of the major unit that a term cost before, and what it is less now. */
      price: z.string(),
      less: z.string(),
      /** No more than this, in minor units. */
      most: z.string(),
    })
    .nullable(),
});
export type Resizing = z.output<typeof Resizing>;

/** What of a server can be changed; what is left out stays. */
export type ChosenSize = { readonly [Field in keyof Size | 'backup_slots']?: number | undefined };

/**
 * A size of the customer's own with some of it changed. What stays as it is need not be what the host offers today.
 */
export function changedConfiguration(
  host: Host,
  current: Configuration,
  chosen: ChosenSize,
):
  | { readonly kind: 'configuration'; readonly configuration: Configuration }
  | { readonly kind: 'out_of_range'; readonly fields: readonly OutOfRange[] } {
  const { cores, memory, disk, uplink, ipv4, ipv6, backupSlots } = current;
  const wanted = {
    cores: chosen.cores ?? cores,
    memory: chosen.memory ?? memory,
    disk: chosen.disk ?? disk,
    uplink: chosen.uplink ?? uplink,
    backup_slots: chosen.backup_slots ?? backupSlots,
  };
  const choice = chosenConfiguration(host, { ...wanted, ipv4, ipv6 });
  if (choice.kind === 'configuration') return choice;
  const before = { cores, memory, disk, uplink, ipv4, backup_slots: backupSlots };
  const fields = choice.fields.filter(({ field }) => ({ ...before, ...wanted })[field] !== before[field]);
  if (fields.length > 0) return { kind: 'out_of_range', fields };
  const { backup_slots, ...size } = wanted;
  return { kind: 'configuration', configuration: { ...size, ipv4, ipv6, backupSlots: backup_slots } };
}

/** A server whose machine has another size now. */
export const serverResized = bulkUpdate<Size & { readonly id: string; readonly backup_slots: number }>(
  'servers',
  'resized',
  {
    id: 'uuid',
    cores: 'integer',
    memory: 'integer',
    disk: 'integer',
    uplink: 'integer',
    backup_slots: 'integer',
  },
  'cores = n.cores, memory = n.memory, disk = n.disk, uplink = n.uplink, backup_slots = n.backup_slots',
);

/** What its service is from now on, and is renewed as. */
export const serviceResized = bulkUpdate<{
  readonly id: string;
  readonly item: string;
  readonly name: string;
}>(
  'services',
  'resized',
  { id: 'uuid', item: 'text', name: 'text' },
  'item = n.item, name = n.name, version = services.version + 1',
);
