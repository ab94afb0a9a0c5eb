import { randomUUIDv7 } from 'node:crypto';
import {
  demandMayOrderNew,
  maxPriceOf,
  NEW_ORDER_ERRORS,
  ORDER_ERRORS,
  orderRefusal,
  wireCharged,
} from '../../api/order.ts';
import { task, wireTask } from '../../business/core/tasks/task.ts';
import { keepZoneDrafts } from '../../business/dns/zone/draft.ts';
import { existingZones } from '../../business/dns/zone/existing.ts';
import { hostZones } from '../../business/dns/zone/hosting.ts';
import { sponsoredDomains } from '../../business/domains/domain.ts';
import { askRegistries } from '../../business/domains/registration/availability.ts';
import { claimDomains } from '../../business/domains/registration/ordered.ts';
import { decideBasket } from '../../business/selling/orders/basket.ts';
import { followBasket } from '../../business/selling/orders/basket-task.ts';
import { loadOrderState } from '../../business/selling/orders/order.ts';
import { operation } from '../../operation.ts';
import { wireImport } from './dns-import.schema.ts';
import {
  domainBasketInput,
  domainBasketOrdered,
  eachName,
  ordersOf,
  quotedBasket,
} from './ordering/basket.ts';
import { contactsOrRefuse, noContacts } from './ordering/contacts.ts';
import { needsContacts } from './ordering/new-domain.ts';
import { mailNewOwner } from './ordering/new-owner.ts';
import { claimOf, fingerprintOf, placeNewDomain, planNewDomain, takenName } from './ordering/plan.ts';
import { checkOrder, orderedName } from './ordering/request.ts';
import { draftsOf, planZones } from './ordering/zone.ts';

/** The type of the task by which all names of a basket are followed. */
const ORDER_MANY = 'domain.order_many';

export default operation({
  method: 'POST',
  path: 'domain/order-many',
  summary: 'Register and transfer many domains at once',
  description:
    'One quote, one price guard, and money for all names or for none of them. If one of the names cannot be ordered, ' +
    'none is, and `errors` says of each why. Once ordered, each name is delivered and paid by itself, by a task of ' +
    'its own; a name whose registry refuses costs nothing, and what came about shares an invoice.',
  audience: 'customer',
  scope: 'domain:order',
  input: domainBasketInput,
  output: domainBasketOrdered,
  message: { en: 'The domains were ordered.', de: 'Die Domains wurden bestellt.' },
  errors: ['not_found', 'contact_incomplete', 'order_items_refused', ...ORDER_ERRORS, ...NEW_ORDER_ERRORS],
  secrets: ['authcode'],
  example: {
    input: {
      names: [{ domain: 'example.com' }, { domain: 'example.net', period: 2 }],
      use_account_address: true,
      tos: true,
      cancellation: true,
    },
  },
  async ask(ctx, input) {
    demandMayOrderNew(ctx);
    const named = eachName(ctx, ordersOf(input), (order, _at, refusal) => {
      const name = orderedName({ refusal }, ctx.catalog, order);
      checkOrder({ refusal }, name, order);
      return { named: name, input: order };
    });
    const names = named.map(({ named: { name } }) => name);
    const [answers, existing] = await Promise.all([
      askRegistries(ctx.ports, named),
      existingZones(ctx.ports, names, input.dns),
    ]);
    return { answers, existing };
  },
  async handle(tx, ctx, input, _subject, asked) {
    if (!input.dry_run && input.tos !== true) throw ctx.refusal('terms_not_accepted');
    if (!input.dry_run && input.cancellation !== true) throw ctx.refusal('cancellation_not_acknowledged');
    const { accountId, tokenId } = ctx.caller;
    const state = await loadOrderState(tx, ctx.catalogs, [
      { accountId, discountCode: input.discount_code, quoteId: input.quote_uuid },
    ]);
    const orders = ordersOf(input);
    // The catalogue may be another one since the registries were asked.
    const named = eachName(ctx, orders, (order, _at, refusal) =>
      orderedName({ refusal }, state.catalog, order),
    );
    const sponsored = await sponsoredDomains(
      tx,
      named.map(({ name }) => name),
    );
    const seen = new Set<string>();
    const planned = eachName(ctx, named, (one, at, refusal) => {
      const [order, told] = [orders[at], asked.answers[at]];
      if (order === undefined || told === undefined) throw new RangeError('a name that nobody asked about');
      checkOrder({ refusal }, one, order);
      if (seen.has(one.name)) throw takenName({ refusal });
      seen.add(one.name);
      const known = {
        ...told,
        sponsored: sponsored.get(one.name) ?? null,
        existing: asked.existing.get(one.name),
      };
      return planNewDomain({ ...ctx, refusal }, state, one, order, known);
    });
    if (orders.some(needsContacts)) throw noContacts(ctx);
    const tlds = named.map(({ tld }) => tld);
    const contacts = await contactsOrRefuse(tx, ctx, tlds, input);
    const ordered = planned.map(({ named: { name }, from }) => ({ name, comesFromHere: from !== null }));
    const zones = await planZones(tx, ctx, state.catalog, ordered, input.dns, asked.existing);
    const basketId = randomUUIDv7();
    const outcome = decideBasket(
      ctx.uow,
      state,
      planned.map(({ request }) => ({ ...request, basketId })),
      {
        accountId,
        tokenId,
        maxPrice: maxPriceOf(input),
        quoteId: input.quote_uuid,
        dryRun: input.dry_run,
        fingerprint: ['domain/order-many', ...planned.map(fingerprintOf)],
      },
    );
    if (outcome.kind === 'quoted') return quotedBasket(outcome, planned);
    if (outcome.kind !== 'ordered') {
      const at = outcome.kind === 'not_sold' ? outcome.at : 0;
      throw orderRefusal(ctx, outcome, { pointer: `/names/${at}/period`, allowed: tlds[at]?.periods ?? [] });
    }
    const claims = planned.map((one) => claimOf(ctx, state.catalog, one, contacts));
    const claimed = await claimDomains(tx, claims);
    eachName(ctx, planned, ({ id }, _at, refusal) => {
      if (!claimed.has(id)) throw takenName({ refusal });
    });
    const { now, later } = draftsOf(ctx, claims, zones);
    await hostZones(tx, ctx.uow, now);
    await keepZoneDrafts(tx, later);
    const results = planned.flatMap((one, at) => {
      const order = outcome.orders[at];
      if (order === undefined) return [];
      const imported = wireImport(zones.get(one.named.name)?.imported);
      const placed = placeNewDomain(ctx, state, one, order, 'bulk');
      return [imported === null ? placed : { ...placed, dns_import: imported }];
    });
    await mailNewOwner(tx, ctx, claims, tlds);
    const followed = followBasket(ctx.uow, ORDER_MANY, accountId, basketId);
    return { results, charged: wireCharged(outcome.sum), task: followed };
  },
  async settle(data, _task, ctx) {
    if (!('results' in data)) return data;
    const { accountId } = ctx.caller;
    const keys = data.results.map((result) => ({ accountId, uuid: result.task.uuid }));
    const tasks = await task.load(ctx.db, keys);
    const results = data.results.map((result, at) => {
      const known = tasks[at];
      if (known == null) return result;
      const state = STATES[known.state] ?? result.state;
      return { ...result, state, task: wireTask(known, ctx.locale) };
    });
    return { ...data, results };
  },
});

const STATES: Readonly<Partial<Record<string, 'ACTIVE' | 'FAILED'>>> = {
  succeeded: 'ACTIVE',
  failed: 'FAILED',
};
