import type { Instant } from '../../base/time.ts';
import { type Bulk, bulkUpdate } from '../../db/changes.ts';
import { statement } from '../../db/statement.ts';
import type { PowerState, WantedPower } from '../../drivers/hypervisor/port.ts';
import { accountResource } from '../../unit-of-work/resource.ts';
import type { RecurringDiscountColumns } from '../selling/orders/recurring-discount.ts';
import { ENDS, type ServiceState } from '../selling/subscriptions/service.ts';
import type { PricedServer } from './price.ts';

/** What `services.item` holds for a server of the customer's own configuration. */
export const CUSTOM = 'custom';

/** The job that makes a server that was ordered, and the type of its task. */
export const PROVISION = 'server.provision';

/** A server with its service and its addresses: everything the group's operations show or decide on. */
export interface Server extends RecurringDiscountColumns {
  readonly id: string;
  readonly number: bigint;
  readonly account_id: string;
  /** The package's uuid, or {@link CUSTOM}. */
  readonly item: string;
  readonly name: string;
  readonly custom_name: string | null;
  readonly state: ServiceState;
  readonly auto_renew: boolean;
  readonly duration: number;
  readonly duration_unit: 'hour' | 'month' | 'year';
  readonly anchor_day: number;
  readonly expire_at: Instant;
  readonly version: number;
  readonly announced_version: number | null;
  readonly created_at: Instant;
  readonly host: string;
  readonly node: string;
  readonly hostname: string;
  readonly os: string;
  readonly username: string;
  /** The initial password; null once the customer chose another, or when nothing came of the order. */
  readonly password_sealed: Buffer | null;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  /** What its uplink is throttled to while the traffic of its billing period is used up (traffic/uplink.ts). */
  readonly throttled_to: number | null;
  readonly backup_slots: number;
  readonly generation: number;
  readonly wanted_power: WantedPower;
  readonly power_state: PowerState;
  /** What its customer does not want to happen by mistake. */
  readonly protect_delete: boolean;
  readonly protect_reinstall: boolean;
  /** The medium in its drive, and whether it starts from that before it does from its disk (medium.ts). */
  readonly iso: string | null;
  readonly iso_first: boolean;
  /** Since when it runs the rescue system (rescue.ts); null: it runs its own. */
  readonly rescue_since: Instant | null;
  /** IPv4 before IPv6, each in order; the first of a family is its primary one. */
  readonly addresses: readonly StoredAddress[] | null;
  /** The reasons that it is suspended for. */
  readonly suspensions: readonly string[];
  /** Whether it ends with its term, by its customer's wish. */
  readonly ends: boolean;
}

/** An address as it comes inside JSON: an IPv4 address, or an IPv6 network in prefix notation. */
export interface StoredAddress {
  readonly id: string;
  readonly address: string;
  readonly family: 4 | 6;
  readonly gateway: string;
  readonly rdns: string | null;
  /** Whether an operator lets nothing come to or from it (reach.ts). */
  readonly null_routed: boolean;
}

/** SQL for the columns of {@link Server}, of services `s` and servers `v`. */
export const SERVER_COLUMNS = `s.id, s.number, s.account_id, s.item, s.name, s.custom_name, s.state, s.auto_renew,
  s.duration, s.duration_unit, s.anchor_day, s.expire_at, s.version, s.announced_version, s.created_at, s.discount_code, s.discount_percent,
  s.discount_left, v.host, v.node, v.hostname, v.os, v.username, v.password_sealed, v.cores, v.memory, v.disk, v.uplink,
  v.throttled_to, v.backup_slots, v.generation, v.wanted_power, v.power_state, v.protect_delete, v.protect_reinstall,
  v.iso, v.iso_first, v.rescue_since,
  (SELECT json_agg(json_build_object('id', a.id, 'address', a.address, 'family', a.family, 'gateway', a.gateway,
     'rdns', a.rdns, 'null_routed', a.null_route IS NOT NULL) ORDER BY a.family, a.address)
   FROM addresses a WHERE a.server_id = v.id) AS addresses,
  ARRAY(SELECT p.reason FROM suspensions p WHERE p.service_id = s.id ORDER BY p.reason) AS suspensions,
  ${ENDS} AS ends`;

const load = statement<Server & { ord: bigint }>(
  'load_servers',
  `SELECT k.ord, ${SERVER_COLUMNS}
   FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY k(account_id, id, ord)
   JOIN services s ON s.id = k.id AND s.account_id = k.account_id
   JOIN servers v ON v.id = s.id`,
);

const lock = statement<Server>(
  'lock_server',
  `SELECT ${SERVER_COLUMNS} FROM services s JOIN servers v ON v.id = s.id
   WHERE s.id = $2 AND s.account_id = $1 FOR UPDATE OF s`,
);

/** A server among the caller's own. */
export const server = accountResource<Server>('server', load, lock);

/** What a stored server is priced by: what it was sold as, how large it is, and what runs on it. */
export function pricedServer(
  found: Pick<Server, 'host' | 'item' | 'os' | 'cores' | 'memory' | 'disk' | 'uplink' | 'backup_slots'> & {
    readonly addresses: readonly Pick<StoredAddress, 'family'>[] | null;
  },
): PricedServer {
  const { host, item, os, cores, memory, disk, uplink, backup_slots: backupSlots } = found;
  const count = (family: 4 | 6) => found.addresses?.filter((given) => given.family === family).length ?? 0;
  const configuration = { cores, memory, disk, uplink, ipv4: count(4), ipv6: count(6) > 0, backupSlots };
  return { host, packageUuid: item === CUSTOM ? null : item, configuration, os };
}

export interface ServerDraft {
  readonly id: string;
  readonly host: string;
  readonly node: string;
  readonly hostname: string;
  readonly os: string;
  readonly username: string;
  readonly password_sealed: Buffer;
  /** A JSON array of texts: columns that are arrays cannot be inserted in bulk. */
  readonly ssh_keys: string;
  readonly user_data_sealed: Buffer | null;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly uplink: number;
  readonly backup_slots: number;
  readonly wanted_power: string;
}

const INSERTED = `id, host, node, hostname, os, username, password_sealed, user_data_sealed, cores, memory, disk,
  uplink, backup_slots, wanted_power`;

export const serverInsert: Bulk<ServerDraft> = {
  name: '+servers',
  columns: {
    id: 'uuid',
    host: 'text',
    node: 'text',
    hostname: 'text',
    os: 'text',
    username: 'text',
    password_sealed: 'bytea',
    ssh_keys: 'jsonb',
    user_data_sealed: 'bytea',
    cores: 'integer',
    memory: 'integer',
    disk: 'integer',
    uplink: 'integer',
    backup_slots: 'integer',
    wanted_power: 'text',
  },
  sql: (rows) =>
    `INSERT INTO servers (${INSERTED}, ssh_keys)
     SELECT ${INSERTED}, ARRAY(SELECT jsonb_array_elements_text(n.ssh_keys)) FROM ${rows} n`,
  key: null,
};

/** A server that its back end has made. What only its making needed is forgotten (rule G3). */
export const serverDelivered = bulkUpdate<{ id: string; power_state: PowerState }>(
  'servers',
  'delivered',
  { id: 'uuid', power_state: 'text' },
  'power_state = n.power_state, user_data_sealed = NULL',
);

/** The power state that its machine was brought to. */
export const serverPowered = bulkUpdate<{ id: string; power_state: PowerState }>(
  'servers',
  'powered',
  { id: 'uuid', power_state: 'text' },
  'power_state = n.power_state',
);

/** A deleted server whose machine is gone: no secret of it is kept. */
export const serverRemoved = bulkUpdate<{ id: string; removed_at: Instant }>(
  'servers',
  'removed',
  { id: 'uuid', removed_at: 'timestamptz' },
  `removed_at = n.removed_at, power_state = 'unknown', password_sealed = NULL, user_data_sealed = NULL`,
);

/** A server that its back end will never make: no secret of it is kept. */
export const serverRefused = bulkUpdate<{ id: string }>(
  'servers',
  'refused',
  { id: 'uuid' },
  'password_sealed = NULL, user_data_sealed = NULL',
);
