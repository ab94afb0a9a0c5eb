import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { quote } from '../../api/order.ts';
import { RENEWAL_ERRORS, renewalFields, renewedFields, renewOrRefuse } from '../../api/renewal.ts';
import { hasScope } from '../../base/scope.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { maskLicenseKey, READ_KEY } from '../../business/licenses/key.ts';
import { KEY_PURPOSE, type License } from '../../business/licenses/license.ts';
import { loadForRenewal } from '../../business/licenses/renew.ts';
import { licenseLines } from '../../business/licenses/term.ts';
import { loadOrderState, type OrderState } from '../../business/selling/orders/order.ts';
import { announcedVersions } from '../../business/selling/subscriptions/renewal/renewal-price.ts';
import { operation } from '../../operation.ts';

const renewed = z.object({
  ...renewedFields,
  license_uuid: uuid,
  license_key: z.string(),
  package: z.object({ uuid, name: z.string() }),
});

interface State {
  readonly orders: OrderState;
  /** By account and uuid; a renewal of the same batch is seen by the next. */
  readonly licenses: Map<string, License>;
  readonly announced: ReadonlyMap<number, CatalogVersion>;
}

export default operation({
  method: 'POST',
  path: 'panel/renew',
  summary: 'Renew a license',
  description:
    'Extends from the end of the paid term, or from now when the license had already been switched off. The key is ' +
    `masked unless the token has the scope \`${READ_KEY}\`.`,
  audience: 'customer',
  scope: 'panel:order',
  input: z.strictObject({ uuid, ...renewalFields }),
  output: z.union([renewed, z.object({ quote })]),
  message: { en: 'The license was renewed.', de: 'Die Lizenz wurde verlängert.' },
  errors: ['not_found', ...RENEWAL_ERRORS],
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
      const catalogs = items[0]?.ctx.catalogs;
      if (catalogs === undefined) throw new Error('nothing to load for');
      const [licenses, orders] = await Promise.all([
        loadForRenewal(tx, wanted),
        loadOrderState(tx, catalogs, wanted),
      ]);
      const announced = await announcedVersions(tx, catalogs, [...licenses.values()]);
      return { licenses, orders, announced };
    },
    decide(state, ctx, input) {
      const { accountId, resourceAllowlist } = ctx.caller;
      const key = `${accountId} ${input.uuid}`;
      const license = state.licenses.get(key);
      if (license === undefined) throw ctx.refusal('not_found');
      if (resourceAllowlist !== null && !resourceAllowlist.includes(input.uuid))
        throw ctx.refusal('not_found');
      const pack = state.orders.catalog.licensePackages.get(license.item);
      const result = renewOrRefuse(
        ctx,
        state.orders,
        {
          product: 'license',
          service: license,
          title: `License ${pack?.name ?? ''}, renewal`,
          announced: state.announced,
          lines: licenseLines(license.item, input.duration, input.duration_unit, { renewal: true }),
          pricings: pack?.pricings ?? { year: 0n, month: 0n, hour: 0n },
          terms: pack?.durations ?? [],
        },
        input,
      );
      if (result.kind === 'quoted') return { quote: result.quote };
      state.licenses.set(key, result.service);
      const licenseKey = ctx.sealer.openText(KEY_PURPOSE, license.key_sealed);
      return {
        ...result.answer,
        license_uuid: license.id,
        license_key: hasScope(ctx.caller.scopes, READ_KEY) ? licenseKey : maskLicenseKey(licenseKey),
        package: { uuid: license.item, name: pack?.name ?? '' },
      };
    },
  },
});
