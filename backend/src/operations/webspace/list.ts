import { sql } from 'kysely';
import { z } from 'zod';
import { currency, pricings, timestamp, uuid } from '../../api/field.ts';
import { wirePricings } from '../../api/order.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { serviceState } from '../../api/server.ts';
import { wireTime } from '../../base/time.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { webspacePricings } from '../../business/webspaces/price.ts';
import { ownHostname, type StoredDomain, type Webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'webspace/list',
  summary: 'Your webspaces',
  description: '`disk_used` is as it was counted last; `webspace/status` asks the web server. Disk in MiB.',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({
    ...paging(['created_at', 'expire_at']),
    state: serviceState.optional(),
  }),
  output: z.object({
    webspaces: z.array(
      z.object({
        uuid,
        id: z.int(),
        domain: z.string().nullable(),
        custom_name: z.string().nullable(),
        state: serviceState,
        state_text: z.string(),
        package: z.object({ uuid, name: z.string() }),
        host: z.object({ hostname: z.string() }),
        disk_used: z.int(),
        disk_total: z.int(),
        expire_at: timestamp,
        auto_renew: z.boolean(),
        pricings,
        currency,
        created_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your webspaces.', de: 'Das sind Ihre Webspaces.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    let found = ctx.db.kysely
      .selectFrom('services as s')
      .innerJoin('webspaces as w', 'w.id', 's.id')
      .where('s.account_id', '=', ctx.caller.accountId)
      .where('s.product', '=', 'webspace');
    if (input.state !== undefined) found = found.where('s.state', '=', input.state);
    const { search } = input;
    if (search !== undefined) {
      const pattern = containing(search);
      found = found.where((or) =>
        or.or([
          or('s.custom_name', 'ilike', pattern),
          or('w.username', 'ilike', pattern),
          sql<boolean>`EXISTS (SELECT FROM webspace_domains d WHERE d.webspace_id = w.id AND d.hostname ILIKE ${pattern})`,
        ]),
      );
    }
    const { resourceAllowlist } = ctx.caller;
    if (resourceAllowlist !== null) {
      found = found.where(sql<boolean>`s.id = ANY(${[...resourceAllowlist]}::uuid[])`);
    }
    const sort = input.sort === 'expire_at' ? 's.expire_at' : 's.created_at';
    const [rows, count] = await Promise.all([
      found
        .selectAll(['s', 'w'])
        .select([
          's.id as id',
          sql<readonly StoredDomain[] | null>`(
            SELECT json_agg(json_build_object('hostname', d.hostname, 'proof', d.proof) ORDER BY d.created_at, d.id)
            FROM webspace_domains d WHERE d.webspace_id = w.id)`.as('domains'),
        ])
        .orderBy(sort, input.order)
        .orderBy('s.id', input.order)
        .limit(input.per_page)
        .offset(offsetOf(input))
        .execute(),
      found.select((of) => of.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return {
      webspaces: rows.map((row) => {
        const state = row.state as Webspace['state'];
        return {
          uuid: row.id,
          id: Number(row.number),
          domain: ownHostname(row.domains ?? []),
          custom_name: row.custom_name,
          state,
          state_text: stateText(state, ctx.locale),
          package: { uuid: row.item, name: ctx.catalog.webspacePackages.get(row.item)?.name ?? row.name },
          host: { hostname: ctx.catalog.webHosts.get(row.host)?.hostname ?? '' },
          disk_used: row.disk_used,
          disk_total: row.disk,
          expire_at: wireTime(row.expire_at),
          auto_renew: row.auto_renew,
          pricings: wirePricings(webspacePricings(ctx.catalog, row.item)),
          currency: ctx.catalog.content.currency,
          created_at: wireTime(row.created_at),
        };
      }),
      pagination: pageOf(input, Number(count.total)),
    };
  },
});
