import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { durationUnit, pricings, timestamp, uuid } from '../../api/field.ts';
import {
  charged,
  demandMayOrderNew,
  maxPriceOf,
  NEW_ORDER_ERRORS,
  ORDER_ERRORS,
  orderOrRefuse,
  quote,
  wireCharged,
  wirePricings,
  wireQuote,
} from '../../api/order.ts';
import { config, hostsystem, wireConfig, wireHostsystem } from '../../api/server.ts';
import { task } from '../../api/task.ts';
import { anchorDay, wireTime } from '../../base/time.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { queuedTask } from '../../business/core/tasks/task.ts';
import { consentTo } from '../../business/selling/orders/consent.ts';
import { decideOrder, loadOrderState } from '../../business/selling/orders/order.ts';
import { alternativesTo, hasCapacity, loadFreeCapacity } from '../../business/servers/capacity/capacity.ts';
import { placeOn } from '../../business/servers/capacity/placement.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import type { Configuration } from '../../business/servers/configuration.ts';
import { addOrderedServer } from '../../business/servers/ordered.ts';
import { serverLines, serverPricings } from '../../business/servers/price.ts';
import { CUSTOM, PROVISION } from '../../business/servers/server.ts';
import type { Executor } from '../../db/pool.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';
import { operation } from '../../operation.ts';
import { serverOrderInput, WANTED_ERRORS, wantedServer } from './order.schema.ts';
import { mustBeNameable } from './reverse-name.schema.ts';
import { chosenKeys } from './ssh-keys.schema.ts';

const ordered = z.object({
  order_id: uuid,
  server_uuid: uuid,
  hostname: z.string(),
  hostsystem,
  config: config(z.string().nullable().describe('Only when it was made here.')),
  duration: z.int(),
  duration_unit: durationUnit,
  expire_at: timestamp,
  pricings,
  charged,
  transaction_uuid: uuid,
  state: z.enum(['PENDING', 'ACTIVE']),
  task,
});

export default operation({
  method: 'POST',
  path: 'server/order',
  summary: 'Order a server',
  description:
    'Reserves the money, the capacity and the addresses; the server is then made by a task, which takes the ' +
    'money, or gives everything back when it fails.',
  audience: 'customer',
  scope: 'server:order',
  input: serverOrderInput,
  output: z.union([ordered, z.object({ quote })]),
  message: { en: 'The server was ordered.', de: 'Der Server wurde bestellt.' },
  errors: ['out_of_stock', 'rdns_invalid', ...WANTED_ERRORS, ...ORDER_ERRORS, ...NEW_ORDER_ERRORS],
  secrets: ['password', 'user_data'],
  plantsAccess: ['password', 'ssh_keys', 'user_data'],
  example: {
    input: {
      host: 'fra-epyc',
      pack_uuid: '24060349-8cdb-4f49-af3f-7a490fe48d35',
      os: 'debian-13',
      hostname: 'web.example.com',
      duration: 1,
      tos: true,
      cancellation: true,
    },
  },
  async handle(tx, ctx, input) {
    demandMayOrderNew(ctx);
    const { accountId, tokenId } = ctx.caller;
    const { now } = ctx.uow;
    const state = await loadOrderState(tx, ctx.catalogs, [
      { accountId, discountCode: input.discount_code, quoteId: input.quote_uuid },
    ]);
    const wanted = wantedServer(ctx, state.catalog, input);
    if (!input.dry_run && input.tos !== true) throw ctx.refusal('terms_not_accepted');
    if (!input.dry_run && input.cancellation !== true) throw ctx.refusal('cancellation_not_acknowledged');
    const keys = await chosenKeys(ctx, tx, accountId, input);
    const rdns = input.rdns?.toLowerCase() ?? null;
    if (rdns !== null) await mustBeNameable(ctx, tx, state.catalog, rdns);
    const { configuration, packageUuid, name, os } = wanted;
    const priced = { host: input.host, packageUuid, configuration, os: os.name };
    const term = { duration: input.duration, unit: input.duration_unit };
    const serverId = randomUUIDv7();
    const outcome = decideOrder(ctx.uow, state, {
      product: 'server',
      action: 'create',
      accountId,
      tokenId,
      serviceId: serverId,
      item: packageUuid ?? CUSTOM,
      title: `Server ${name}`,
      ...term,
      periodFrom: now,
      anchorDay: anchorDay(now),
      lines: serverLines(priced, { ...term, renewal: false }),
      renewal: { lines: serverLines(priced, { ...term, renewal: true }) },
      discountCode: input.discount_code,
      maxPrice: maxPriceOf(input),
      quoteId: input.quote_uuid,
      dryRun: input.dry_run,
      fingerprint: [
        'server/order',
        input.host,
        packageUuid ?? JSON.stringify(configuration),
        os.name,
        input.duration,
        input.duration_unit,
        input.discount_code ?? '',
      ],
      consent: consentTo(state.catalog, ctx.locale, ctx.ip),
      settlement: 'hold',
    });
    const result = orderOrRefuse(ctx, outcome, { pointer: '/duration', allowed: wanted.terms ?? [] });
    if ('quote' in result) {
      const room = (await loadFreeCapacity(tx)).get(input.host);
      return { quote: { ...wireQuote(result.quote), in_stock: hasCapacity(room, configuration) } };
    }
    const { order } = result;
    const taking = { serverId, accountId, host: input.host, configuration, rdns };
    const place = await placeOn(tx, taking, now);
    if (place === null) throw await outOfStock(ctx, tx, state.catalog, input.host, configuration);
    const taskId = randomUUIDv7();
    const password = input.password ?? newPassword();
    const { host, hostname } = input;
    addOrderedServer(ctx.uow, state.catalog, ctx.sealer, {
      id: serverId,
      orderId: order.id,
      taskId,
      accountId,
      item: packageUuid ?? CUSTOM,
      name,
      customName: input.custom_name || null,
      autoRenew: input.auto_renew,
      ...term,
      order,
      host,
      node: place.node,
      hostname,
      os: os.name,
      username: os.username,
      password,
      sshKeys: keys ?? [],
      userData: input.user_data ?? null,
      configuration,
      start: input.start,
    });
    const shown = { ...configuration, host, hostname, os: os.name, username: os.username };
    const addresses = [
      ...place.ipv4.map((given) => ({ ...given, family: 4 as const })),
      ...place.ipv6.map((given) => ({ ...given, family: 6 as const })),
    ];
    return {
      order_id: order.id,
      server_uuid: serverId,
      hostname,
      hostsystem: wireHostsystem(state.catalog, host, place.node),
      config: wireConfig(
        state.catalog,
        { ...shown, addresses },
        input.password === undefined ? password : null,
      ),
      duration: input.duration,
      duration_unit: input.duration_unit,
      expire_at: wireTime(order.price.periodTo),
      pricings: wirePricings(serverPricings(state.catalog, priced)),
      charged: wireCharged(order.price),
      transaction_uuid: order.entryId,
      state: 'PENDING' as const,
      task: queuedTask(taskId, PROVISION, { type: 'server', uuid: serverId }, now),
    };
  },
  settle: (data, { state }) =>
    'task' in data && state === 'succeeded' ? { ...data, state: 'ACTIVE' as const } : data,
});

async function outOfStock(
  ctx: { refusal(code: 'out_of_stock', detail?: RefusalDetail): Refusal },
  db: Executor,
  catalog: CatalogVersion,
  host: string,
  configuration: Configuration,
): Promise<Refusal> {
  const alternatives = alternativesTo(host, configuration, catalog, await loadFreeCapacity(db));
  return ctx.refusal('out_of_stock', { members: { alternatives } });
}
