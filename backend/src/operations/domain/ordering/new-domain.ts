import { maxPriceOf, orderOrRefuse } from '../../../api/order.ts';
import { keepZoneDrafts } from '../../../business/dns/zone/draft.ts';
import type { ExistingZone } from '../../../business/dns/zone/existing.ts';
import { hostZones } from '../../../business/dns/zone/hosting.ts';
import { sponsoredDomains } from '../../../business/domains/domain.ts';
import type { Asked, OrderedName } from '../../../business/domains/registration/availability.ts';
import { claimDomains } from '../../../business/domains/registration/ordered.ts';
import { decideOrder, type OrderState } from '../../../business/selling/orders/order.ts';
import { wireImport } from '../dns-import.schema.ts';
import { quotedAnswer } from './answer.ts';
import { contactsOrRefuse, noContacts } from './contacts.ts';
import { mailNewOwner } from './new-owner.ts';
import {
  claimOf,
  fingerprintOf,
  type NewDomainInput,
  placeNewDomain,
  planNewDomain,
  takenName,
} from './plan.ts';
import type { OrderingContext } from './request.ts';
import { draftsOf, planZones } from './zone.ts';

type Tx = Parameters<typeof claimDomains>[0];

/** Orders a domain that the customer does not have: registered, or transferred from whoever has it. */
export async function orderNewDomain(
  tx: Tx,
  ctx: OrderingContext,
  state: OrderState,
  named: OrderedName,
  input: NewDomainInput,
  { existing, ...asked }: Asked & { readonly existing: ReadonlyMap<string, ExistingZone> },
) {
  const { name, tld } = named;
  const sponsored = (await sponsoredDomains(tx, [name])).get(name) ?? null;
  const planned = planNewDomain(ctx, state, named, input, {
    ...asked,
    sponsored,
    existing: existing.get(name),
  });
  if (needsContacts(input)) throw noContacts(ctx);
  const contacts = await contactsOrRefuse(tx, ctx, [tld], input);
  const ordered = [{ name, comesFromHere: planned.from !== null }];
  const zones = await planZones(tx, ctx, state.catalog, ordered, input.dns, existing);
  const imported = wireImport(zones.get(name)?.imported);
  const outcome = decideOrder(ctx.uow, state, {
    ...planned.request,
    maxPrice: maxPriceOf(input),
    quoteId: input.quote_uuid,
    dryRun: input.dry_run,
    fingerprint: ['domain/order', ...fingerprintOf(planned)],
  });
  const result = orderOrRefuse(ctx, outcome, { pointer: '/period', allowed: tld.periods });
  if ('quote' in result) {
    const quoted = quotedAnswer(name, result.quote);
    return imported === null ? quoted : { ...quoted, dns_import: imported };
  }
  const claim = claimOf(ctx, state.catalog, planned, contacts);
  const claimed = await claimDomains(tx, [claim]);
  if (!claimed.has(planned.id)) throw takenName(ctx);
  const { now, later } = draftsOf(ctx, [claim], zones);
  await hostZones(tx, ctx.uow, now);
  await keepZoneDrafts(tx, later);
  await mailNewOwner(tx, ctx, [claim], [tld]);
  const placed = placeNewDomain(ctx, state, planned, result.order);
  return imported === null ? placed : { ...placed, dns_import: imported };
}

/** Whether nobody said whose a domain that is registered is to be. */
export function needsContacts({
  action,
  dry_run: dryRun,
  contacts,
  use_account_address: address,
}: Pick<NewDomainInput, 'action' | 'dry_run' | 'contacts' | 'use_account_address'>): boolean {
  return action === 'register' && !dryRun && contacts === undefined && !address;
}
