import { z } from 'zod';

const Path = z.string().regex(/^\//, 'must be an absolute path');
const StorageId = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]*[A-Za-z0-9]$/, 'must be the name of a storage');
const NodeName = z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, 'must be the name of a node');
const Vmid = z.int().min(100).max(999_999_999);

/** How machines of one cluster of Proxmox VE (8.2 or newer) are made. */
export const ClusterSettings = z.strictObject({
  driver: z.literal('proxmox'),
  /** The API of one or more nodes: the next is asked when one cannot be reached. */
  urls: z
    .array(z.url({ protocol: /^https$/ }).transform((url) => url.replace(/\/+$/, '')))
    .min(1)
    .max(32),
  /** Of the certificate of each of these nodes: SHA-256, as `pvenode cert info` prints it. */
  fingerprints: z
    .array(z.string().regex(/^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/, 'must be a SHA-256 fingerprint'))
    .min(1)
    .optional(),
  /** Of an authority that signed them instead; without either, one that the machine trusts. */
  ca_file: Path.optional(),
  /** An API token, `user@realm!name=secret`: in a file, or in a variable of the environment. */
  token: z.union([
    z.strictObject({ file: Path }),
    z.strictObject({ env: z.string().regex(/^[A-Z][A-Z0-9_]*$/) }),
  ]),
  /** Marks what is ours; installations that share a cluster have different ones. */
  installation: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}$/)
    .default('hostkeep'),
  /** The nodes of each host of the catalogue, which names its nodes as the cluster does. */
  hosts: z.record(z.string(), z.array(NodeName).min(1)),
  /** Templates for each operating system of the catalogue; one on the node itself comes first. */
  images: z.record(z.string(), z.array(Vmid).min(1)),
  /** Volumes with the media of the catalogue: `local:iso/debian-13-netinst.iso`. */
  media: z
    .record(
      z.string(),
      z.string().regex(/^[A-Za-z][A-Za-z0-9._-]*:iso\/[^\s,]+$/, 'must be a volume of type iso'),
    )
    .default({}),
  /** Machines get their numbers from here, by their id; nothing else should. */
  vmids: z
    .strictObject({ from: Vmid, to: Vmid })
    .refine(({ from, to }) => to - from >= 99_999, 'must hold 100,000 numbers')
    .default({ from: 100_000_000, to: 999_999_999 }),
  clone: z.enum(['linked', 'full']).default('full'),
  /** For the disks of full clones and of restored backups, and whose room is reported. */
  storage: StorageId,
  /** A storage of files with the content type `iso`, for seeds. */
  seeds: StorageId.default('local'),
  backups: StorageId.optional(),
  pool: z.string().optional(),
  network: z.strictObject({
    bridge: z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,14}$/),
    model: z.enum(['virtio', 'e1000', 'vmxnet3']).default('virtio'),
    vlan: z.int().min(1).max(4094).optional(),
    /** Where machines must not connect to: the management networks (rule G2). */
    closed: z.array(z.union([z.cidrv4(), z.cidrv6()])).default([]),
    resolvers: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  }),
});
export type ClusterSettings = z.output<typeof ClusterSettings>;
