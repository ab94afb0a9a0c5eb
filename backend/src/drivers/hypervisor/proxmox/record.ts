import { z } from 'zod';

/**
 * What a machine's description holds of it, without any secret: enough to write its configuration again, and what was
 * carried out already. Memory MiB, disk GiB, uplink Mbit/s.
 */
export const MachineRecord = z.object({
  serverId: z.uuid(),
  host: z.string(),
  generation: z.int(),
  hostname: z.string(),
  cores: z.int(),
  memory: z.int(),
  disk: z.int(),
  uplink: z.int(),
  ipv4: z.array(z.object({ address: z.ipv4(), gateway: z.ipv4() })),
  ipv6: z.array(z.object({ network: z.cidrv6(), gateway: z.ipv6() })),
  /** Whether it may connect to mail servers, and which of its addresses nothing comes to or from. */
  mail: z.boolean().default(false),
  nullRouted: z.array(z.string()).default([]),
  /** What its own firewall does where no rule of it fits; the rules stand there. */
  policies: z
    .object({ policyIn: z.enum(['accept', 'drop']), policyOut: z.enum(['accept', 'drop']) })
    .default({ policyIn: 'accept', policyOut: 'accept' }),
  /** The rescue that was begun, the seed that was in the drive before, and whether the machine starts from its system. */
  rescue: z
    .object({ rescueId: z.uuid(), seed: z.string().nullable(), ready: z.boolean() })
    .nullable()
    .default(null),
  /** The number of the last reboot that was carried out, and of the one that waits for the system to shut down. */
  reboots: z.int(),
  rebooting: z.int().nullable(),
  passwordRevision: z.int(),
  /** Restores that were carried out. */
  restores: z.array(z.string()),
  /** Who makes the machine at this moment, and until when nobody else does. Milliseconds since 1970. */
  lease: z.object({ by: z.uuid(), until: z.int() }).nullable(),
});
export type MachineRecord = z.output<typeof MachineRecord>;

const MOST_RESTORES = 20;
const LINE = /^hostkeep: (\{.*\})$/m;

export function descriptionOf(record: MachineRecord): string {
  const kept = { ...record, restores: record.restores.slice(-MOST_RESTORES) };
  return `A server of Hostkeep. The line below belongs to it: please leave it as it is.\n\nhostkeep: ${JSON.stringify(kept)}`;
}

/** null: whoever wrote the description, it was not Hostkeep. */
export function readRecord(description: string): MachineRecord | null {
  const json = LINE.exec(description)?.[1];
  if (json === undefined) return null;
  try {
    return MachineRecord.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
