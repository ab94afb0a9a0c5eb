import type { Sealer } from '../../base/seal.ts';
import type { TermUnit } from '../../base/time.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import { taskInsert } from '../core/tasks/task.ts';
import { orderJob } from '../selling/orders/order-job.ts';
import { addService, type ServiceDraft } from '../selling/subscriptions/service.ts';
import { PASSWORD_PURPOSE, USER_DATA_PURPOSE } from './changes/login.ts';
import type { Configuration } from './configuration.ts';
import { PROVISION, serverInsert } from './server.ts';

export interface OrderedServer {
  readonly id: string;
  readonly orderId: string;
  readonly taskId: string;
  readonly accountId: string;
  /** The package's uuid, or CUSTOM. */
  readonly item: string;
  readonly name: string;
  readonly customName: string | null;
  readonly autoRenew: boolean;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly order: ServiceDraft['order'];
  readonly host: string;
  readonly node: string;
  readonly hostname: string;
  readonly os: string;
  readonly username: string;
  readonly password: string;
  readonly sshKeys: readonly string[];
  readonly userData: string | null;
  readonly configuration: Configuration;
  readonly start: boolean;
}

/** Adds a server whose place and money are reserved: its service, its sealed secrets, its task and its job. */
export function addOrderedServer(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  sealer: Sealer,
  ordered: OrderedServer,
): void {
  const { id, configuration, userData } = ordered;
  addService(uow, catalog, { ...ordered, product: 'server', state: 'pending' });
  uow.changes.add(serverInsert, {
    id,
    host: ordered.host,
    node: ordered.node,
    hostname: ordered.hostname,
    os: ordered.os,
    username: ordered.username,
    password_sealed: sealer.seal(PASSWORD_PURPOSE, ordered.password),
    ssh_keys: JSON.stringify(ordered.sshKeys),
    user_data_sealed: userData === null ? null : sealer.seal(USER_DATA_PURPOSE, userData),
    cores: configuration.cores,
    memory: configuration.memory,
    disk: configuration.disk,
    uplink: configuration.uplink,
    backup_slots: configuration.backupSlots,
    wanted_power: ordered.start ? 'running' : 'stopped',
  });
  uow.changes.add(taskInsert, {
    id: ordered.taskId,
    account_id: ordered.accountId,
    type: PROVISION,
    state: 'queued',
    resource_type: 'server',
    resource_id: id,
    order_id: ordered.orderId,
    created_at: uow.now,
  });
  uow.jobs.push(orderJob(PROVISION, ordered.orderId, { account: ordered.accountId }));
}
