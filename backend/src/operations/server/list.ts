import { sql } from 'kysely';
import { z } from 'zod';
import { currency, pricings, timestamp, uuid } from '../../api/field.ts';
import { wirePricings } from '../../api/order.ts';
import { containing, offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { datacenter, os, powerState, serviceState, wireDatacenter, wireOs } from '../../api/server.ts';
import { wireTime } from '../../base/time.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { countServers } from '../../business/servers/capacity/count.ts';
import { serverPricings } from '../../business/servers/price.ts';
import { pricedServer, type Server, type StoredAddress } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'server/list',
  summary: 'Your servers',
  description: '`power_state` is as it was last seen; `server/status` asks the hypervisor.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({
    ...paging(['created_at', 'expire_at']),
    state: serviceState.optional(),
    power_state: powerState.optional(),
    host: z.string().max(63).optional(),
  }),
  output: z.object({
    servers: z.array(
      z.object({
        uuid,
        id: z.int(),
        hostname: z.string(),
        custom_name: z.string().nullable(),
        state: serviceState,
        state_text: z.string(),
        power_state: powerState,
        ipv4: z.string().nullable(),
        ipv6: z.string().nullable(),
        os,
        cores: z.int(),
        memory: z.int().describe('MiB'),
        disk: z.int().describe('GiB'),
        datacenter,
        node: z.string(),
        expire_at: timestamp,
        auto_renew: z.boolean(),
        pricings,
        currency,
        created_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are your servers.', de: 'Das sind Ihre Server.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { search, power_state: power, host } = input;
    const { resourceAllowlist } = ctx.caller;
    // Services alone are counted and put in order, by their index, and each is read once; of servers only the page's
    // rows are read, and those that a filter asks about.
    let found = ctx.db.kysely
      .selectFrom('services as s')
      .where('s.account_id', '=', ctx.caller.accountId)
      .where('s.product', '=', 'server');
    if (input.state !== undefined) found = found.where('s.state', '=', input.state);
    if (power !== undefined || host !== undefined) {
      found = found.where(({ exists, selectFrom }) => {
        let machine = selectFrom('servers as v').whereRef('v.id', '=', 's.id').select('v.id');
        if (power !== undefined) machine = machine.where('v.power_state', '=', power);
        if (host !== undefined) machine = machine.where('v.host', '=', host);
        return exists(machine);
      });
    }
    if (search !== undefined) {
      found = found.where((or) =>
        or.or([
          sql<boolean>`EXISTS (SELECT FROM servers v WHERE v.id = s.id AND v.hostname ILIKE ${containing(search)})`,
          or('s.custom_name', 'ilike', containing(search)),
          sql<boolean>`EXISTS (SELECT FROM addresses a WHERE a.server_id = s.id AND host(a.address) = ${search})`,
        ]),
      );
    }
    if (resourceAllowlist !== null) {
      found = found.where(sql<boolean>`s.id = ANY(${[...resourceAllowlist]}::uuid[])`);
    }
    const isWhole =
      [input.state, power, host, search].every((filter) => filter === undefined) &&
      resourceAllowlist === null;
    const sort = input.sort === 'expire_at' ? 's.expire_at' : 's.created_at';
    const page = found
      .selectAll('s')
      .orderBy(sort, input.order)
      .orderBy('s.id', input.order)
      // Written out: a plan for any number of rows would read all of the customer's.
      .limit(sql.lit(input.per_page))
      .offset(sql.lit(offsetOf(input)));
    const [rows, total] = await Promise.all([
      ctx.db.kysely
        .selectFrom(page.as('s'))
        .innerJoin('servers as v', 'v.id', 's.id')
        .selectAll(['s', 'v'])
        .select([
          's.id as id',
          sql<readonly StoredAddress[] | null>`(
            SELECT json_agg(json_build_object('address', a.address, 'family', a.family) ORDER BY a.family, a.address)
            FROM addresses a WHERE a.server_id = v.id)`.as('addresses'),
        ])
        .orderBy(sort, input.order)
        .orderBy('s.id', input.order)
        .execute(),
      isWhole
        ? countServers(ctx.db, ctx.caller.accountId, ctx.now)
        : found
            .select((of) => of.fn.countAll<bigint>().as('total'))
            .executeTakeFirstOrThrow()
            .then(({ total }) => Number(total)),
    ]);
    return {
      servers: rows.map((row) => {
        const state = row.state as Server['state'];
        const address = (family: 4 | 6) =>
          row.addresses?.find((given) => given.family === family)?.address ?? null;
        return {
          uuid: row.id,
          id: Number(row.number),
          hostname: row.hostname,
          custom_name: row.custom_name,
          state,
          state_text: stateText(state, ctx.locale),
          power_state: row.power_state as Server['power_state'],
          ipv4: address(4),
          ipv6: address(6),
          os: wireOs(ctx.catalog, row.os),
          cores: row.cores,
          memory: row.memory,
          disk: row.disk,
          datacenter: wireDatacenter(ctx.catalog, row.host),
          node: row.node,
          expire_at: wireTime(row.expire_at),
          auto_renew: row.auto_renew,
          pricings: wirePricings(serverPricings(ctx.catalog, pricedServer(row))),
          currency: ctx.catalog.content.currency,
          created_at: wireTime(row.created_at),
        };
      }),
      pagination: pageOf(input, total),
    };
  },
});
