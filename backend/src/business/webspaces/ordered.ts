import { randomUUIDv7 } from 'node:crypto';
import type { Sealer } from '../../base/seal.ts';
import type { Instant, TermUnit } from '../../base/time.ts';
import { bulkInsert } from '../../db/changes.ts';
import type { UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { WebspacePackage } from '../core/catalog/schema/packages.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import { taskInsert } from '../core/tasks/task.ts';
import { orderJob } from '../selling/orders/order-job.ts';
import { addService, type ServiceDraft } from '../selling/subscriptions/service.ts';
import { DOCUMENT_ROOT } from './document-root.ts';
import { newChallenge } from './names/hostname.ts';
import { PASSWORD_PURPOSE, PROVISION, webspaceInsert } from './webspace.ts';

export interface OrderedWebspace {
  readonly id: string;
  readonly orderId: string;
  readonly taskId: string;
  readonly accountId: string;
  readonly pack: WebspacePackage;
  readonly customName: string | null;
  readonly autoRenew: boolean;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly order: ServiceDraft['order'];
  readonly host: string;
  readonly username: string;
  readonly password: string;
  readonly phpVersion: string;
  readonly domain: { readonly hostname: string; readonly proof: 'account' | null } | null;
}

/** Adds a webspace whose place and money are reserved: its service, its names, its sealed password, task and job. */
export function addOrderedWebspace(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  sealer: Sealer,
  ordered: OrderedWebspace,
): void {
  const { id, pack, host, username, domain } = ordered;
  addService(uow, catalog, {
    ...ordered,
    item: pack.uuid,
    name: pack.name,
    product: 'webspace',
    state: 'pending',
  });
  uow.changes.add(webspaceInsert, {
    id,
    host,
    username,
    php_version: ordered.phpVersion,
    disk: pack.limits.disk,
    password_sealed: sealer.seal(PASSWORD_PURPOSE, ordered.password),
  });
  const site = catalog.webHosts.get(host)?.site_domain;
  if (site === undefined) throw new Error(`no web host is named ${host}`);
  const names = [
    { hostname: `${username}.${site}`, proof: 'provider' },
    ...(domain === null ? [] : [{ hostname: domain.hostname, proof: domain.proof }]),
  ];
  for (const { hostname, proof } of names) {
    uow.changes.add(domainInsert, {
      id: randomUUIDv7(),
      webspace_id: id,
      hostname,
      document_root: DOCUMENT_ROOT,
      proof,
      proven_at: proof === null ? null : uow.now,
      challenge: newChallenge(),
      tls_state: proof === null ? 'none' : 'pending',
      tls_due_at: proof === null ? null : uow.now,
      created_at: uow.now,
    });
  }
  uow.changes.add(taskInsert, {
    id: ordered.taskId,
    account_id: ordered.accountId,
    type: PROVISION,
    state: 'queued',
    resource_type: 'webspace',
    resource_id: id,
    order_id: ordered.orderId,
    created_at: uow.now,
  });
  uow.jobs.push(orderJob(PROVISION, ordered.orderId, { account: ordered.accountId }));
}

const domainInsert = bulkInsert<{
  id: string;
  webspace_id: string;
  hostname: string;
  document_root: string;
  proof: string | null;
  proven_at: Instant | null;
  challenge: string;
  tls_state: string;
  tls_due_at: Instant | null;
  created_at: Instant;
}>('webspace_domains', {
  id: 'uuid',
  webspace_id: 'uuid',
  hostname: 'text',
  document_root: 'text',
  proof: 'text',
  proven_at: 'timestamptz',
  challenge: 'text',
  tls_state: 'text',
  tls_due_at: 'timestamptz',
  created_at: 'timestamptz',
});
