import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import {
  currency,
  duration,
  durationUnit,
  ipAddress,
  label,
  pricings,
  timestamp,
  uuid,
} from '../../api/field.ts';
import {
  charged,
  consent,
  demandMayOrderNew,
  maxPriceOf,
  NEW_ORDER_ERRORS,
  ORDER_ERRORS,
  orderFields,
  orderOrRefuse,
  quote,
  wireCharged,
  wirePricings,
  wireQuote,
} from '../../api/order.ts';
import { anchorDay, wireTime } from '../../base/time.ts';
import { issueLicense } from '../../business/licenses/issue.ts';
import { newLicenseKey } from '../../business/licenses/key.ts';
import { licenseLines } from '../../business/licenses/term.ts';
import { consentTo } from '../../business/selling/orders/consent.ts';
import { decideOrder, loadOrderState, type OrderState } from '../../business/selling/orders/order.ts';
import { operation } from '../../operation.ts';

const input = z.strictObject({
  pack_uuid: uuid.describe('The package, from `panel/packages`.'),
  duration: duration.describe('How many units the term lasts.'),
  duration_unit: durationUnit.default('month'),
  ...consent,
  ...orderFields,
  ip_address: ipAddress.optional().describe('Bound at once.'),
  custom_name: label.optional(),
  auto_renew: z.boolean().default(false),
});

const ordered = z.object({
  order_id: uuid,
  license_uuid: uuid,
  license_key: z.string(),
  package: z.object({ uuid, name: z.string() }),
  duration: z.int(),
  duration_unit: durationUnit,
  expire_at: timestamp,
  pricings,
  state: z.literal('ACTIVE'),
  charged,
  transaction_uuid: uuid,
  currency,
});

export default operation({
  method: 'POST',
  path: 'panel/order',
  summary: 'Order a license',
  description: 'Charges the balance and issues the license at once.',
  audience: 'customer',
  scope: 'panel:order',
  input,
  output: z.union([ordered, z.object({ quote })]),
  message: { en: 'The license was created.', de: 'Die Lizenz wurde erstellt.' },
  errors: ['not_found', ...ORDER_ERRORS, ...NEW_ORDER_ERRORS],
  secrets: ['license_key'],
  example: {
    input: {
      pack_uuid: '149bcaa4-99c2-4949-ab24-838974765c94',
      duration: 1,
      tos: true,
      cancellation: true,
      discount_code: '',
    },
  },
  batch: {
    async load(tx, items): Promise<OrderState> {
      const [first] = items;
      if (first === undefined) throw new Error('nothing to load for');
      const requests = items.map(({ ctx, input }) => ({
        accountId: ctx.caller.accountId,
        discountCode: input.discount_code,
        quoteId: input.quote_uuid,
      }));
      return await loadOrderState(tx, first.ctx.catalogs, requests);
    },
    decide(state, ctx, input) {
      demandMayOrderNew(ctx);
      const pack = state.catalog.licensePackages.get(input.pack_uuid);
      if (pack === undefined || !pack.sold) throw ctx.refusal('not_found');
      if (!input.dry_run && input.tos !== true) throw ctx.refusal('terms_not_accepted');
      if (!input.dry_run && input.cancellation !== true) throw ctx.refusal('cancellation_not_acknowledged');
      const licenseId = randomUUIDv7();
      const { now } = ctx.uow;
      const outcome = decideOrder(ctx.uow, state, {
        product: 'license',
        action: 'create',
        accountId: ctx.caller.accountId,
        tokenId: ctx.caller.tokenId,
        serviceId: licenseId,
        item: input.pack_uuid,
        title: `License ${pack.name}`,
        duration: input.duration,
        unit: input.duration_unit,
        periodFrom: now,
        anchorDay: anchorDay(now),
        lines: licenseLines(input.pack_uuid, input.duration, input.duration_unit, { renewal: false }),
        renewal: {
          lines: licenseLines(input.pack_uuid, input.duration, input.duration_unit, { renewal: true }),
        },
        discountCode: input.discount_code,
        maxPrice: maxPriceOf(input),
        quoteId: input.quote_uuid,
        dryRun: input.dry_run,
        fingerprint: [
          'panel/order',
          input.pack_uuid,
          input.duration,
          input.duration_unit,
          input.discount_code ?? '',
        ],
        consent: consentTo(state.catalog, ctx.locale, ctx.ip),
        settlement: 'charge',
      });
      const result = orderOrRefuse(ctx, outcome, { pointer: '/duration', allowed: pack.durations });
      if ('quote' in result) return { quote: wireQuote(result.quote) };
      const { order } = result;
      const key = newLicenseKey();
      issueLicense(ctx.uow, state.catalog, ctx.sealer, {
        id: licenseId,
        accountId: ctx.caller.accountId,
        package: pack,
        key,
        customName: input.custom_name ?? null,
        autoRenew: input.auto_renew,
        duration: input.duration,
        unit: input.duration_unit,
        order,
        ipAddress: input.ip_address ?? null,
      });
      return {
        order_id: order.id,
        license_uuid: licenseId,
        license_key: key,
        package: { uuid: pack.uuid, name: pack.name },
        duration: input.duration,
        duration_unit: input.duration_unit,
        expire_at: wireTime(order.price.periodTo),
        pricings: wirePricings(pack.pricings),
        state: 'ACTIVE' as const,
        charged: wireCharged(order.price),
        transaction_uuid: order.entryId,
        currency: order.price.currency,
      };
    },
  },
});
