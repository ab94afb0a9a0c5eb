import { z } from 'zod';
import { HostName, Line, Name } from './label.ts';

const Port = z.int().min(1).max(65_535);

export const PhpVersion = z.string().regex(/^[0-9]+\.[0-9]+$/, "must be a version in quotes such as '8.4'");

/** A host that carries webspaces. Packages name none: each is sold wherever its PHP versions and its disk are. */
export const WebHost = z.strictObject({
  name: Name,
  displayname: Line,
  datacenter: Name,
  sold: z.boolean().default(true),
  /** The configured web server connection that runs it. */
  webserver: Name,
  /** What customers connect to with SFTP. */
  hostname: HostName,
  ip_address: z.ipv4(),
  ipv6_address: z.ipv6().nullable().default(null),
  /** Every webspace is reached at a name of its own below this one: the operator's, with a wildcard record. */
  site_domain: HostName,
  /** What may be sold on it; disk in MiB. */
  capacity: z.strictObject({ webspaces: z.int().min(1), disk: z.int().min(1) }),
  php_versions: z.array(PhpVersion).min(1).max(20),
  sftp_port: Port.default(22),
  /** As programs of the webspace reach it. */
  database: z.strictObject({ host: Line, port: Port }).prefault({ host: '127.0.0.1', port: 3306 }),
  /** First certificates that are ordered in a week for names of one registered domain: below what the authority allows. */
  certificates_per_week: z.int().min(1).max(100_000).default(45),
  nameservers: z.array(HostName).max(13).default([]),
});
export type WebHost = z.output<typeof WebHost>;
