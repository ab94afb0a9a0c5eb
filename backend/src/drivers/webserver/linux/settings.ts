import { z } from 'zod';

/** The numbers that users of webspaces have; the platform gives none below. */
export const FIRST_UID = 200_000;
export const LAST_UID = 2_000_000_000;

const Path = z
  .string()
  .regex(/^\/[A-Za-z0-9_./-]*[A-Za-z0-9_-]$/, 'must be an absolute path of plain characters');
const Port = z.int().min(1).max(65_535);
const Addresses = z.array(z.union([z.ipv4(), z.ipv6()]));

/** How a host of webspaces is laid out. Everything that the driver keeps is below these directories. */
export const HostSettings = z.strictObject({
  /** Configuration: `sites`, `nginx`, `php`, `keys`, `tls`. */
  etc: Path.default('/etc/hostkeep-web'),
  /** Where the sites are: a btrfs file system with quotas. */
  sites: Path.default('/srv/hostkeep-web'),
  run: Path.default('/run/hostkeep-web'),
  log: Path.default('/var/log/hostkeep-web'),
  /** What nginx keeps while it is received; not in memory. Uploads to sites are kept beside these. */
  spool: Path.default('/var/spool/hostkeep-web'),
  http: z
    .strictObject({ addresses: Addresses.default(['0.0.0.0', '::']), port: Port.default(80) })
    .prefault({}),
  https: z.strictObject({ port: Port.default(443) }).prefault({}),
  sftpPort: Port.default(22),
  /** The program by its version. */
  php: z.record(z.string().regex(/^[0-9]+\.[0-9]+$/), Path),
  webUser: z.string().default('www-data'),
  mariadb: z
    .strictObject({ socket: Path.default('/run/mysqld/mysqld.sock'), port: Port.default(3306) })
    .prefault({}),
  /** What programs of webspaces may ask for names; all else in private networks is closed to them. */
  resolvers: Addresses.default([]),
  /** Networks of the operator's that programs of webspaces must not reach, besides private ones and the host itself. */
  closed: z.array(z.union([z.cidrv4(), z.cidrv6()])).default([]),
  /** The public addresses of the host, which names must lead to before a certificate is ordered. */
  addresses: Addresses.default([]),
  /** How many processes one webspace may have. */
  processes: z.int().min(4).default(64),
  /** The users whom the rules of the firewall are about; fewer only where one machine plays several hosts. */
  users: z
    .strictObject({
      first: z.int().min(FIRST_UID).default(FIRST_UID),
      last: z.int().max(LAST_UID).default(LAST_UID),
    })
    .prefault({}),
  /** Names of tables and groups; other than the default only where one machine plays several hosts. */
  mark: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,20}$/)
    .default('hostkeep_web'),
  /** Certificates; null: none are ordered. */
  acme: z
    .strictObject({
      directory: z.url(),
      contact: z.email(),
      /** What CAA records must name, if there are any. */
      caaIdentities: z.array(z.string()).min(1),
      /** Asked about A, AAAA and CAA; none: the machine's own. */
      nameServers: z.array(z.string()).default([]),
    })
    .nullable()
    .default(null),
});
export type HostSettings = z.output<typeof HostSettings>;
