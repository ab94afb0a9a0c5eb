import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { macAddress } from '../../base/mac-address.ts';
import { CHANGEABLE } from '../../business/servers/changes/change.ts';
import { shownMedium } from '../../business/servers/changes/medium.ts';
import { server } from '../../business/servers/server.ts';
import { uplinkOf } from '../../business/servers/traffic/uplink.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';
import { shownIso } from './medium.schema.ts';

const DEADLINE_MS = 3_000;

const range = z.object({ min: z.int(), max: z.int(), step: z.int() });

export default operation({
  method: 'GET',
  path: 'server/hardware',
  summary: 'What a server is built of',
  description: 'Asked of the hypervisor. `limits` is what `server/resize` takes: disks only grow.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    machine: z.string().describe('The chipset'),
    firmware: z.enum(['bios', 'uefi']),
    cpu: z.object({
      type: z.string(),
      sockets: z.int(),
      cores: z.int(),
      limit: z.number().nullable().describe('Of cores; null: all of them may be used whole.'),
    }),
    memory: z.object({ size: z.int().describe('MiB'), minimum: z.int(), ballooning: z.boolean() }),
    disks: z.array(
      z.object({
        name: z.string(),
        size: z.int().describe('GiB'),
        bus: z.enum(['scsi', 'virtio', 'sata', 'ide']),
        storage_class: z.enum(['nvme', 'ssd', 'hdd']),
        read_iops: z.int().nullable(),
        write_iops: z.int().nullable(),
      }),
    ),
    network: z.array(
      z.object({
        name: z.string(),
        model: z.string(),
        mac_address: z.string(),
        uplink: z.int().describe('Mbit/s'),
        firewall: z.boolean().describe('Whether packets with the addresses of others are dropped.'),
      }),
    ),
    iso: shownIso.nullable(),
    boot_order: z.array(z.string()),
    host: z.object({ processor: z.string(), memory: z.string(), disk: z.string() }),
    limits: z.object({ cores: range, memory: range, disk: range, uplink: range }),
    version: z.int(),
  }),
  message: { en: 'This is the hardware of the server.', de: 'Das ist die Hardware des Servers.' },
  errors: ['not_found', 'state_conflict', 'backend_unavailable'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async read(ctx, _input, found) {
    const machine = { serverId: found.id, host: found.host, node: found.node };
    const built = await ctx.ports.hypervisor.hardware(machine, DEADLINE_MS).catch((error) => {
      if (!(error instanceof BackendUnavailable)) throw error;
      throw ctx.refusal('backend_unavailable', { members: { backend: 'hypervisor' } });
    });
    const host = ctx.catalog.hosts.get(found.host);
    if (built === null || host === undefined) {
      const members = { current_state: found.state, allowed_states: CHANGEABLE };
      throw ctx.refusal('state_conflict', { members });
    }
    const { cores, memory, disk, uplink } = host.configuration;
    return {
      uuid: found.id,
      machine: built.machine,
      firmware: built.firmware,
      cpu: { type: built.processor, sockets: built.sockets, cores: found.cores, limit: null },
      memory: { size: found.memory, minimum: found.memory, ballooning: built.ballooning },
      disks: [
        {
          ...built.disk,
          size: found.disk,
          storage_class: storageClass(host.hardware.disk),
          read_iops: null,
          write_iops: null,
        },
      ],
      network: [
        {
          ...built.network,
          mac_address: macAddress(found.id),
          uplink: uplinkOf(found),
          // Every driver filters what a server sends (rule G2).
          firewall: true,
        },
      ],
      iso: shownMedium(ctx.catalog.isoImages, found.iso),
      boot_order: [...built.bootOrder],
      host: host.hardware,
      limits: { cores, memory, disk: { ...disk, min: Math.max(disk.min, found.disk) }, uplink },
      version: found.version,
    };
  },
});

/** The operator's words for the disks of a host, as one of three kinds. */
function storageClass(words: string): 'nvme' | 'ssd' | 'hdd' {
  if (/nvme/i.test(words)) return 'nvme';
  return /ssd|flash/i.test(words) ? 'ssd' : 'hdd';
}
