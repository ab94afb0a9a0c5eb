import { z } from 'zod';
import { currency, pricings, timestamp, uuid } from '../../api/field.ts';
import { wirePricings } from '../../api/order.ts';
import { hasScope } from '../../base/scope.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { maskLicenseKey, READ_KEY } from '../../business/licenses/key.ts';
import { KEY_PURPOSE, license } from '../../business/licenses/license.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { operation } from '../../operation.ts';
import { binding, wireBinding, wirePackage } from './license.schema.ts';

export default operation({
  method: 'GET',
  path: 'panel/details',
  summary: 'Details of a license',
  description: `The key is masked unless the token has the scope \`${READ_KEY}\`.`,
  audience: 'customer',
  scope: 'panel:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    id: z.int(),
    license_key: z.string(),
    state: z.string(),
    state_text: z.string(),
    expire_at: timestamp,
    created_at: timestamp,
    custom_name: z.string().nullable(),
    package: z.object({
      id: z.int(),
      uuid,
      name: z.string(),
      description: z.string(),
      ip_limit: z.int(),
      info: z.object({ features: z.array(z.string()) }),
    }),
    pricings,
    ip_bindings: z.array(binding),
    ip_bindings_count: z.int(),
    info: z.array(z.string()),
    auto_renew: z.boolean(),
    last_validated_at: timestamp.nullable(),
    currency,
    version: z.int(),
  }),
  message: { en: 'The license was found.', de: 'Die Lizenz wurde gefunden.' },
  errors: ['not_found'],
  secrets: ['license_key'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: license,
  read(ctx, _input, found) {
    const pack = wirePackage(ctx.catalog, found.item);
    const bindings = found.bindings ?? [];
    const key = ctx.sealer.openText(KEY_PURPOSE, found.key_sealed);
    return {
      uuid: found.id,
      id: Number(found.number),
      license_key: hasScope(ctx.caller.scopes, READ_KEY) ? key : maskLicenseKey(key),
      state: found.state,
      state_text: stateText(found.state, ctx.locale),
      expire_at: wireTime(found.expire_at),
      created_at: wireTime(found.created_at),
      custom_name: found.custom_name,
      package: pack.package,
      pricings: wirePricings(pack.pricings),
      ip_bindings: bindings.map(wireBinding),
      ip_bindings_count: bindings.length,
      info: [],
      auto_renew: found.auto_renew,
      last_validated_at: wireTimeOrNull(found.last_validated_at),
      currency: ctx.catalog.content.currency,
      version: found.version,
    };
  },
});
