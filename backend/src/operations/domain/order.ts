import { demandMayOrderNew } from '../../api/order.ts';
import { existingZones } from '../../business/dns/zone/existing.ts';
import { domain } from '../../business/domains/domain.ts';
import { type Asked, askRegistries } from '../../business/domains/registration/availability.ts';
import { loadOrderState } from '../../business/selling/orders/order.ts';
import { operation } from '../../operation.ts';
import { orderFurtherYears } from './ordering/further-years.ts';
import { orderNewDomain } from './ordering/new-domain.ts';
import {
  checkOrder,
  DOMAIN_ORDER_ERRORS,
  domainOrdered,
  domainOrderInput,
  orderedName,
} from './ordering/request.ts';

const NOT_ASKED: Asked = { answer: null, obstacle: null };
const NOBODY_ASKED = { ...NOT_ASKED, existing: new Map() };

export default operation({
  method: 'POST',
  path: 'domain/order',
  summary: 'Register, transfer, renew or restore a domain',
  description:
    'Reserves the money; a task then has the registry do it, and takes the money, or gives it back if the registry ' +
    'refuses. A registration of several years costs the price of a registration for the first and of a renewal for ' +
    'every further one. A domain that renews itself does so for the years of its last term, at most nine; where its TLD ' +
    'does not sell those, for the next fewer that it sells, or else the fewest: `renewal_gross` of a quote is what that ' +
    'costs. A transfer takes some days, for the present registrar may object; a domain that another ' +
    'customer here has changes hands at no charge once they approve. A restoration brings `period` further years, or ' +
    'within a term that is paid for the rest of that and no other. `dns` of a transfer has the zone hosted here once it ' +
    'is through; with `import_existing` it begins with what the present name servers have.',
  audience: 'customer',
  scope: 'domain:order',
  input: domainOrderInput,
  output: domainOrdered,
  message: { en: 'The domain was ordered.', de: 'Die Domain wurde bestellt.' },
  errors: DOMAIN_ORDER_ERRORS,
  secrets: ['authcode'],
  example: {
    input: { domain: 'example.com', period: 1, use_account_address: true, tos: true, cancellation: true },
  },
  async ask(ctx, input) {
    if (input.action === 'register' || input.action === 'transfer') demandMayOrderNew(ctx);
    const named = orderedName(ctx, ctx.catalog, input);
    checkOrder(ctx, named, input);
    if (input.action === 'renew' || input.action === 'restore') {
      const [found] = await domain.load(ctx.db, [{ accountId: ctx.caller.accountId, uuid: named.name }]);
      // A list price needs no registry's word, nor does what is not there.
      if (!found?.premium) return NOBODY_ASKED;
    }
    const [[asked = NOT_ASKED], existing] = await Promise.all([
      askRegistries(ctx.ports, [{ named, input }]),
      existingZones(ctx.ports, [named.name], input.dns),
    ]);
    return { ...asked, existing };
  },
  async handle(tx, ctx, input, _subject, asked) {
    if (!input.dry_run && input.tos !== true) throw ctx.refusal('terms_not_accepted');
    if (!input.dry_run && input.cancellation !== true) throw ctx.refusal('cancellation_not_acknowledged');
    const { accountId } = ctx.caller;
    const state = await loadOrderState(tx, ctx.catalogs, [
      { accountId, discountCode: input.discount_code, quoteId: input.quote_uuid },
    ]);
    // The catalogue may be another one since the registry was asked.
    const named = orderedName(ctx, state.catalog, input);
    checkOrder(ctx, named, input);
    const { action } = input;
    return action === 'register' || action === 'transfer'
      ? await orderNewDomain(tx, ctx, state, named, { ...input, action }, asked)
      : await orderFurtherYears(tx, ctx, state, named, { ...input, action }, asked.answer);
  },
  settle(data, { state }) {
    if (!('task' in data) || (state !== 'succeeded' && state !== 'failed')) return data;
    return { ...data, state: state === 'succeeded' ? ('ACTIVE' as const) : ('FAILED' as const) };
  },
});
