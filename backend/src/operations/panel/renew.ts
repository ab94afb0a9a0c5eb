import { z } from 'zod';
import { wireAmount } from '../../base/money.ts';
import { anchorDay, keptAnchor, wireTime } from '../../base/time.ts';
import { lockedAccount } from '../../business/accounts/frame.ts';
import { KEY_PURPOSE, type License } from '../../business/licenses/license.ts';
import { licenseTermStart, loadForRenewal, renewLicense } from '../../business/licenses/renew.ts';
import { licenseLines } from '../../business/licenses/term.ts';
import { decideOrder, loadOrderState, type OrderState } from '../../business/orders/order.ts';
import { RENEWABLE } from '../../business/services/service.ts';
import { operation } from '../../operation.ts';
import { duration, durationUnit, money, pricings, timestamp, uuid } from '../../shapes/field.ts';
import {
  charged,
  maxPriceOf,
  ORDER_ERRORS,
  orderFields,
  orderOrRefuse,
  quote,
  wireCharged,
  wirePricings,
  wireQuote,
} from '../../shapes/order.ts';

const renewed = z.object({
  order_id: uuid,
  license_uuid: uuid,
  license_key: z.string(),
  package: z.object({ uuid, name: z.string() }),
  duration: z.int(),
  duration_unit: durationUnit,
  previous_expire_at: timestamp,
  expire_at: timestamp,
  pricings,
  charged,
  transaction_uuid: uuid,
  balance: money,
  state: z
    .enum(['ACTIVE', 'SUSPENDED'])
    .describe('SUSPENDED while a reason remains that payment does not lift.'),
});

interface State {
  readonly orders: OrderState;
  /** By account and uuid; a renewal of the same batch is seen by the next. */
  readonly licenses: Map<string, License>;
}

export default operation({
  method: 'POST',
  path: 'panel/renew',
  summary: 'Renew a license',
  description:
    'Extends from the end of the paid term, or from now when the license had already been switched off.',
  audience: 'customer',
  scope: 'panel:order',
  input: z.strictObject({
    uuid,
    duration,
    duration_unit: durationUnit.default('month'),
    auto_renew: z.boolean().optional(),
    ...orderFields,
  }),
  output: z.union([renewed, z.object({ quote })]),
  message: { en: 'The license was renewed.', de: 'Die Lizenz wurde verlängert.' },
  errors: ['not_found', 'state_conflict', ...ORDER_ERRORS],
  secrets: ['license_key'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', duration: 1 } },
  batch: {
    async load(tx, items): Promise<State> {
      const wanted = items.map(({ ctx, input }) => ({
        accountId: ctx.caller.accountId,
        uuid: input.uuid,
        discountCode: input.discount_code,
        quoteId: input.quote_uuid,
      }));
      const [licenses, orders] = await Promise.all([
        loadForRenewal(tx, wanted),
        loadOrderState(tx, items[0]?.ctx.catalogs, wanted),
      ]);
      return { licenses, orders };
    },
    decide(state, ctx, input) {
      const { accountId, tokenId, resourceAllowlist } = ctx.caller;
      const key = `${accountId} ${input.uuid}`;
      const license = state.licenses.get(key);
      if (license === undefined) throw ctx.refusal('not_found');
      if (resourceAllowlist !== null && !resourceAllowlist.includes(input.uuid))
        throw ctx.refusal('not_found');
      const pack = state.orders.catalog.licensePackages.get(license.item);
      if (pack === undefined) throw new Error(`package ${license.item} of a license is not in the catalogue`);
      if (!RENEWABLE.includes(license.state)) {
        throw ctx.refusal('state_conflict', {
          members: { current_state: license.state, allowed_states: RENEWABLE },
        });
      }
      const from = licenseTermStart(license, ctx.frame.now);
      // After a pause the service starts afresh, and so does the day that its terms end on.
      const anchor = from === license.expire_at ? keptAnchor(from, license.anchor_day) : anchorDay(from);
      const outcome = decideOrder(ctx.frame, state.orders, {
        product: 'license',
        action: 'renew',
        accountId,
        tokenId,
        serviceId: license.id,
        title: `License ${pack.name}, renewal`,
        duration: input.duration,
        unit: input.duration_unit,
        periodFrom: from,
        anchorDay: anchor,
        lines: licenseLines(license.item, input.duration, input.duration_unit, { renewal: true }),
        discountCode: input.discount_code,
        maxPrice: maxPriceOf(input),
        quoteId: input.quote_uuid,
        dryRun: input.dry_run,
        fingerprint: [
          'panel/renew',
          license.id,
          input.duration,
          input.duration_unit,
          input.discount_code ?? '',
        ],
        termsVersion: null,
        settlement: 'charge',
      });
      const result = orderOrRefuse(ctx, outcome, { pointer: '/duration', allowed: pack.durations });
      if ('quote' in result) return { quote: wireQuote(result.quote) };
      const { order } = result;
      const next = renewLicense(ctx.frame, license, {
        expireAt: order.price.periodTo,
        duration: input.duration,
        unit: input.duration_unit,
        anchorDay: anchor,
        autoRenew: input.auto_renew ?? license.auto_renew,
      });
      state.licenses.set(key, next);
      return {
        order_id: order.id,
        license_uuid: license.id,
        license_key: ctx.sealer.openText(KEY_PURPOSE, license.key_sealed),
        package: { uuid: pack.uuid, name: pack.name },
        duration: input.duration,
        duration_unit: input.duration_unit,
        previous_expire_at: wireTime(license.expire_at),
        expire_at: wireTime(order.price.periodTo),
        pricings: wirePricings(pack.pricings),
        charged: wireCharged(order.price),
        transaction_uuid: order.entryId,
        balance: wireAmount(lockedAccount(ctx.frame, accountId).balance),
        state: next.state === 'suspended' ? ('SUSPENDED' as const) : ('ACTIVE' as const),
      };
    },
  },
});
