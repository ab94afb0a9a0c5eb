import { sql } from 'kysely';
import { z } from 'zod';
import { currency, ipAddress, pricings, timestamp, uuid } from '../../api/field.ts';
import { wirePricings } from '../../api/order.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { hasScope } from '../../base/scope.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { maskLicenseKey, READ_KEY } from '../../business/licenses/key.ts';
import { KEY_PURPOSE } from '../../business/licenses/license.ts';
import { type ServiceState, stateText } from '../../business/selling/subscriptions/service.ts';
import { operation } from '../../operation.ts';
import { wirePackage } from './license.schema.ts';

export default operation({
  method: 'GET',
  path: 'panel/list',
  summary: 'Your licenses',
  description: `Keys are masked unless the token has the scope \`${READ_KEY}\`.`,
  audience: 'customer',
  scope: 'panel:read',
  input: z.strictObject({
    ...paging(['created_at', 'expire_at']),
    state: z.enum(['active', 'suspended', 'cancel_scheduled', 'expired', 'cancelled', 'deleted']).optional(),
    package_uuid: uuid.optional(),
    ip_address: ipAddress.optional(),
  }),
  output: z.object({
    licenses: z.array(
      z.object({
        uuid,
        id: z.int(),
        license_key: z.string(),
        state: z.string(),
        state_text: z.string(),
        custom_name: z.string().nullable(),
        package: z.object({ id: z.int(), uuid, name: z.string(), ip_limit: z.int() }),
        ip_bindings_count: z.int(),
        expire_at: timestamp,
        created_at: timestamp,
        auto_renew: z.boolean(),
        pricings,
        currency,
        last_validated_at: timestamp.nullable(),
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your licenses.', de: 'Das sind Ihre Lizenzen.' },
  errors: ['validation_failed'],
  secrets: ['license_key'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    let found = ctx.db.kysely
      .selectFrom('services as s')
      .innerJoin('licenses as l', 'l.id', 's.id')
      .where('s.account_id', '=', ctx.caller.accountId)
      .where('s.product', '=', 'license');
    if (input.state !== undefined) found = found.where('s.state', '=', input.state);
    if (input.package_uuid !== undefined) found = found.where('s.item', '=', input.package_uuid);
    const { search, ip_address } = input;
    if (search !== undefined) {
      found = found.where((or) =>
        or.or([or('s.custom_name', 'ilike', containing(search)), or('s.name', 'ilike', containing(search))]),
      );
    }
    if (ip_address !== undefined) {
      found = found.where('s.id', 'in', (of) =>
        of.selectFrom('license_bindings').select('license_id').where('ip_address', '=', ip_address),
      );
    }
    const { resourceAllowlist } = ctx.caller;
    if (resourceAllowlist !== null) {
      found = found.where(sql<boolean>`s.id = ANY(${[...resourceAllowlist]}::uuid[])`);
    }
    const sort = input.sort === 'expire_at' ? 's.expire_at' : 's.created_at';
    const [rows, count] = await Promise.all([
      found
        .select([
          's.id',
          's.number',
          's.state',
          's.item',
          's.custom_name',
          's.expire_at',
          's.created_at',
          's.auto_renew',
          'l.key_sealed',
          'l.last_validated_at',
          sql<number>`(SELECT count(*)::int FROM license_bindings b WHERE b.license_id = l.id)`.as(
            'bindings',
          ),
        ])
        .orderBy(sort, input.order)
        .orderBy('s.id', input.order)
        .limit(input.per_page)
        .offset(offsetOf(input))
        .execute(),
      found.select((of) => of.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
    ]);
    const mayReadKey = hasScope(ctx.caller.scopes, READ_KEY);
    return {
      licenses: rows.map((row) => {
        const pack = wirePackage(ctx.catalog, row.item);
        const key = ctx.sealer.openText(KEY_PURPOSE, row.key_sealed);
        return {
          uuid: row.id,
          id: Number(row.number),
          license_key: mayReadKey ? key : maskLicenseKey(key),
          state: row.state,
          state_text: stateText(row.state as ServiceState, ctx.locale),
          custom_name: row.custom_name,
          package: pack.package,
          ip_bindings_count: row.bindings,
          expire_at: wireTime(row.expire_at),
          created_at: wireTime(row.created_at),
          auto_renew: row.auto_renew,
          pricings: wirePricings(pack.pricings),
          currency: ctx.catalog.content.currency,
          last_validated_at: wireTimeOrNull(row.last_validated_at),
        };
      }),
      pagination: pageOf(input, Number(count.total)),
    };
  },
});
