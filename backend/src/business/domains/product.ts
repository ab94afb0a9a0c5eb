import type { ProductDefinition } from '../selling/subscriptions/product.ts';
import { endDomain } from './domain.ts';
import { convergeDomain } from './domain-jobs.ts';
import { domainLifecycle } from './renewal/lifecycle.ts';
import { renewalYears } from './renewal/renewable.ts';
import { domainRenewals, orderRenewal } from './renewal/renewal.ts';
import { closeTransfer } from './transfer/transfer.ts';

/** Its item is its TLD. */
export const domainProduct: ProductDefinition = {
  product: 'domain',
  title: 'Domain',
  converge: convergeDomain,
  lifecycle(life, { tlds }, item) {
    const tld = tlds.get(item);
    return tld === undefined ? life : domainLifecycle(life, tld);
  },
  furtherDuration(catalog, item, years) {
    const tld = catalog.tlds.get(item);
    return tld === undefined ? null : renewalYears(tld, years);
  },
  renewals: domainRenewals,
  decidedByBackend: {
    orderRenewal,
    endUnmade: (uow, id) => endDomain(uow, id, 'deleted'),
    cancelTransfer: (uow, id) => closeTransfer(uow, id, 'cancelled'),
  },
};
