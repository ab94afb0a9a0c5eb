import { z } from 'zod';
import { isHostname } from '../base/hostname.ts';
import type { CatalogVersion } from '../business/core/catalog/versions.ts';
import { defaultName } from '../business/servers/network/reverse-name.ts';
import type { StoredAddress } from '../business/servers/server.ts';

/** Fields and objects of the server group. */

const USER_DATA_BYTES = 64 * 1024;

export const hostname = z
  .string()
  .max(253)
  .refine(isHostname, 'This must be a fully qualified host name (RFC 1123), such as web.example.com.');

export const serverPassword = z
  .string()
  .min(12, 'At least 12 characters.')
  .max(128, 'At most 128 characters.')
  .regex(/^\P{C}*$/u, 'Control characters are not allowed.');

export const userData = z
  .string()
  .max(USER_DATA_BYTES, 'At most 64 KiB.')
  .refine((text) => Buffer.byteLength(text) <= USER_DATA_BYTES, 'At most 64 KiB in UTF-8.');

export const datacenter = z.object({ name: z.string(), country: z.string(), city: z.string() });

export const hostsystem = z.object({
  datacenter,
  node: z.string(),
  processor: z.string(),
  memory: z.string(),
  disk: z.string(),
});

export const os = z.object({ name: z.string(), displayname: z.string() });

/** Numbers as text, as the interface fixes them: memory MiB, disk GiB, uplink Mbit/s. */
const numericText = z.string().regex(/^\d+$/);

/** `password` is "" where there is none to show; only an order's own answer may have null. */
export function config<P extends z.ZodType>(password: P) {
  return z.object({
    cores: numericText,
    memory: numericText,
    disk: numericText,
    os,
    username: z.string(),
    password,
    hostname: z.string(),
    uplink: numericText,
    ipv4: z.object({
      ip_address: z.string(),
      ip_gateway: z.string(),
      ddos_protection: z.string(),
      rdns: z.string(),
    }),
    ipv6: z.object({ ip_address: z.string(), ip_gateway: z.string() }),
  });
}

export const powerState = z.enum(['running', 'stopped', 'paused', 'unknown']);
export const serviceState = z.enum([
  'pending',
  'provisioning',
  'active',
  'suspended',
  'cancel_scheduled',
  'expired',
  'cancelled',
  'deleted',
  'error',
]);

/** Where a server is. What the catalogue has forgotten since the server ended is "". */
export function wireDatacenter(catalog: CatalogVersion, hostName: string) {
  const name = catalog.hosts.get(hostName)?.datacenter ?? '';
  const known = catalog.datacenters.get(name);
  return { name, country: known?.country ?? '', city: known?.city ?? '' };
}

export function wireHostsystem(catalog: CatalogVersion, hostName: string, node: string) {
  const hardware = catalog.hosts.get(hostName)?.hardware;
  return {
    datacenter: wireDatacenter(catalog, hostName),
    node,
    processor: hardware?.processor ?? '',
    memory: hardware?.memory ?? '',
    disk: hardware?.disk ?? '',
  };
}

export function wireOs(catalog: CatalogVersion, name: string) {
  return { name, displayname: catalog.operatingSystems.get(name)?.displayname ?? name };
}

/** What a configuration is made from: a stored server, or one that is being ordered. */
export interface ShownServer {
  readonly host: string;
  readonly hostname: string;
  readonly os: string;
  readonly username: string;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  readonly addresses: readonly Omit<StoredAddress, 'id' | 'null_routed'>[] | null;
}

export function wireConfig<P>(catalog: CatalogVersion, server: ShownServer, password: P) {
  const host = catalog.hosts.get(server.host);
  const primary = (family: 4 | 6) => server.addresses?.find((given) => given.family === family);
  const [ipv4, ipv6] = [primary(4), primary(6)];
  return {
    cores: String(server.cores),
    memory: String(server.memory),
    disk: String(server.disk),
    os: wireOs(catalog, server.os),
    username: server.username,
    password,
    hostname: server.hostname,
    uplink: String(server.uplink),
    ipv4: {
      ip_address: ipv4?.address ?? '',
      ip_gateway: ipv4?.gateway ?? '',
      ddos_protection: ipv4 === undefined ? '' : (host?.ddos_protection[0] ?? ''),
      rdns: ipv4 === undefined ? '' : (ipv4.rdns ?? defaultName(catalog, server.host, ipv4.address) ?? ''),
    },
    ipv6: { ip_address: ipv6?.address ?? '', ip_gateway: ipv6?.gateway ?? '' },
  };
}
