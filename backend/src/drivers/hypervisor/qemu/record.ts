import { z } from 'zod';
import { OPEN, WantedFirewall } from '../../../base/firewall.ts';

const Power = z.enum(['running', 'stopped', 'paused']);

/**
 * What a node keeps beside a machine's disk: how it is to be started, without any secret. Memory MiB, disk GiB, uplink
 * Mbit/s.
 */
export const MachineRecord = z.object({
  serverId: z.uuid(),
  host: z.string(),
  generation: z.int(),
  hostname: z.string(),
  /** The base image's digest. */
  image: z.string(),
  cores: z.int(),
  memory: z.int(),
  disk: z.int(),
  uplink: z.int(),
  ipv4: z.array(z.object({ address: z.ipv4(), gateway: z.ipv4() })),
  ipv6: z.array(z.object({ network: z.cidrv6(), gateway: z.ipv6() })),
  /** Whether it may connect to mail servers, and which of its addresses nothing comes to or from. */
  mail: z.boolean().default(false),
  nullRouted: z.array(z.string()).default([]),
  /** What its own firewall lets through. */
  firewall: WantedFirewall.default(OPEN),
  /** What is in its drive, by its digest, and whether it starts from that first. */
  medium: z.object({ sha256: z.string(), first: z.boolean() }).nullable().default(null),
  /** The system that it starts from instead of its own, and the digest of the image that this was made of. */
  rescue: z.object({ rescueId: z.uuid(), image: z.string() }).nullable().default(null),
  /** As it was last told to be: after a restart of the node it is brought there. */
  power: Power,
  /** Whether it is off because the system in it switched it off. */
  poweredOff: z.boolean().default(false),
  /** The number of the last reboot that was carried out, and of the one that waits for the system to shut down. */
  reboots: z.int(),
  rebooting: z.int().nullable(),
  passwordRevision: z.int(),
  /** Restores that were carried out. */
  restores: z.array(z.string()),
});
export type MachineRecord = z.output<typeof MachineRecord>;
