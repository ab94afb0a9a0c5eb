import { z } from 'zod';

// Sockets are below the state directory, and their paths must not be longer than 107 characters (unix(7)).
const MOST_STATE = 48;
const Path = z
  .string()
  .regex(/^\/[A-Za-z0-9_./-]*[A-Za-z0-9_-]$/, 'must be an absolute path of plain characters');
const Interface = z.string().regex(/^[a-z][a-z0-9._-]{0,14}$/, 'must be the name of a network interface');
const Networks = z.array(z.union([z.cidrv4(), z.cidrv6()]));

/** How a node runs machines. */
export const NodeSettings = z.strictObject({
  /** Everything that the driver keeps on the node, of this installation alone. */
  state: Path.max(MOST_STATE).default('/var/lib/hostkeep-qemu'),
  /** Never guessed: a /dev/kvm that is there may not be fit for guests (rule G4). */
  accelerator: z.enum(['kvm', 'tcg']),
  /** As guests see it; without, the node's own under kvm and all that is emulated under tcg. */
  processor: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.+-]*$/)
    .optional(),
  network: z.strictObject({
    /** The network namespace of bridge and machines; made if it is not there. Without, the node's own. */
    namespace: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,30}$/)
      .optional(),
    /** Made if it is not there. */
    bridge: Interface.default('hostkeep0'),
    /** The gateways' addresses, where the node itself is the machines' router. */
    addresses: Networks.default([]),
    /** The interface to the outside that becomes a port of the bridge, where a router is elsewhere. */
    uplink: Interface.optional(),
    /** Where machines must not connect to: the management networks (rule G2). */
    closed: Networks.default([]),
    /** The name servers that machines are told. */
    resolvers: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  }),
  /** Where backups go: storage that is mounted here, and not the disk that the machines are on. */
  backups: Path.optional(),
  /** Names of tables and control groups; other than the default only where one machine plays several nodes. */
  mark: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,20}$/)
    .default('hostkeep_qemu'),
});
export type NodeSettings = z.output<typeof NodeSettings>;
