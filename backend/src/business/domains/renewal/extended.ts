import type { Instant } from '../../../base/time.ts';
import { bulkUpdate } from '../../../db/changes.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../../core/catalog/versions.ts';
import { nextTerm, renewService } from '../../selling/subscriptions/renewal/renew.ts';
import { convergeDomain } from '../domain-jobs.ts';
import type { OrderedDomain } from '../registration/delivery.ts';

/**
 * Further years that were paid for are there: the new end, switched on again if payment can do that, and what its
 * customer was shown of a premium name. `registryEnd`: the registry's own (rule F1).
 */
export function extendTerm(
  uow: UnitOfWork,
  catalog: CatalogVersion,
  ordered: OrderedDomain,
  registryEnd: Instant | null,
): void {
  const { id, gross, years, standing, auto_renew: autoRenew } = ordered;
  const { anchorDay } = nextTerm('domain', ordered, uow.now);
  const renewed = renewService(uow, catalog, 'domain', ordered, {
    order: { price: { gross, periodTo: ordered.period_to }, standing },
    duration: years,
    unit: 'year',
    anchorDay,
    autoRenew,
  });
  uow.changes.add(domainExtended, {
    id,
    registry_expire_at: registryEnd,
    premium_renewal: ordered.shown_renewal ?? ordered.premium_renewal,
  });
  if (renewed.state !== ordered.state) convergeDomain(uow, id);
}

const domainExtended = bulkUpdate<{
  id: string;
  registry_expire_at: Instant | null;
  premium_renewal: bigint | null;
}>(
  'domains',
  'extended',
  { id: 'uuid', registry_expire_at: 'timestamptz', premium_renewal: 'bigint' },
  'registry_expire_at = n.registry_expire_at, premium_renewal = n.premium_renewal',
);
