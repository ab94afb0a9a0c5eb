import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { duration, durationUnit, label, pricings, timestamp, uuid } from '../../api/field.ts';
import {
  charged,
  consent,
  demandMayOrderNew,
  fieldProblem,
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
import { task } from '../../api/task.ts';
import { anchorDay, wireTime } from '../../base/time.ts';
import type { WebspacePackage } from '../../business/core/catalog/schema/packages.ts';
import { queuedTask } from '../../business/core/tasks/task.ts';
import { consentTo } from '../../business/selling/orders/consent.ts';
import { decideOrder, loadOrderState } from '../../business/selling/orders/order.ts';
import { newPassword } from '../../business/servers/changes/login.ts';
import {
  displaceFormerOwners,
  exceeded,
  isProviders,
  lockHostname,
  standingOf,
} from '../../business/webspaces/names/hostname.ts';
import { addOrderedWebspace } from '../../business/webspaces/ordered.ts';
import { hostsFor, loadFreeCapacity, placeOn } from '../../business/webspaces/placement.ts';
import { webspaceLines, webspacePricings } from '../../business/webspaces/price.ts';
import { newUsername, takeUsername } from '../../business/webspaces/username.ts';
import { PROVISION } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';
import { hostname, password, username } from './webspace.schema.ts';

const ordered = z.object({
  order_id: uuid,
  webspace_uuid: uuid,
  package: z.object({ uuid, name: z.string() }),
  domain: z.string().nullable(),
  access: z.object({
    panel_url: z.string(),
    username: z.string(),
    password: z.string().nullable().describe('Only when it was made here; shown once.'),
  }),
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
  path: 'webspace/order',
  summary: 'Order a webspace',
  description:
    'Reserves the money and the room; the webspace is then made by a task, which takes the money, or gives ' +
    'everything back when it fails. A `domain` that is in the account is served at once; any other when a TXT ' +
    'record has proven it (`webspace/domain-verify`): the record is in `webspace/details`.',
  audience: 'customer',
  scope: 'webspace:order',
  input: z.strictObject({
    pack_uuid: uuid.describe('From `webspace/packages`.'),
    domain: hostname.optional(),
    domain_action: z
      .enum(['none', 'existing'])
      .default('none')
      .describe('`existing` needs `domain`. A new one is registered by `domain/order`.'),
    custom_name: label.optional(),
    username: username.optional().describe('Omitted: one is made.'),
    password: password.optional().describe('Omitted: one is made, and shown in the answer.'),
    php_version: z.string().max(8).optional().describe('Omitted: the newest of the package.'),
    duration,
    duration_unit: z.enum(['month', 'year']).default('month'),
    auto_renew: z.boolean().default(false),
    ...consent,
    ...orderFields,
  }),
  output: z.union([ordered, z.object({ quote })]),
  message: { en: 'The webspace was ordered.', de: 'Der Webspace wurde bestellt.' },
  errors: [
    'not_found',
    'out_of_stock',
    'already_exists',
    'hostname_taken',
    'limit_reached',
    ...ORDER_ERRORS,
    ...NEW_ORDER_ERRORS,
  ],
  secrets: ['password'],
  plantsAccess: ['password'],
  example: {
    input: {
      pack_uuid: '4dd2a93c-a8ea-49b3-90fa-a7251046f225',
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
    const pack = state.catalog.webspacePackages.get(input.pack_uuid);
    if (pack === undefined || !pack.sold) throw ctx.refusal('not_found');
    if (input.domain_action === 'existing' && input.domain === undefined)
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/domain', 'required', 'Which domain is to be served?'),
      );
    const phpVersion = input.php_version ?? newest(pack);
    if (!pack.limits.php_versions.includes(phpVersion))
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/php_version', 'not_allowed', 'The package does not have this version of PHP.', {
          allowed: pack.limits.php_versions,
        }),
      );
    if (!input.dry_run && input.tos !== true) throw ctx.refusal('terms_not_accepted');
    if (!input.dry_run && input.cancellation !== true) throw ctx.refusal('cancellation_not_acknowledged');
    const { domain } = input;
    const over = domain === undefined ? null : exceeded(pack.limits, [], domain);
    if (over !== null)
      throw ctx.refusal('limit_reached', { members: { limit: pack.limits[over], limited: over } });
    const term = { duration: input.duration, unit: input.duration_unit };
    const webspaceId = randomUUIDv7();
    const outcome = decideOrder(ctx.uow, state, {
      product: 'webspace',
      action: 'create',
      accountId,
      tokenId,
      serviceId: webspaceId,
      item: pack.uuid,
      title: `Webspace ${pack.name}`,
      ...term,
      periodFrom: now,
      anchorDay: anchorDay(now),
      lines: webspaceLines(pack.uuid, { ...term, renewal: false }),
      renewal: { lines: webspaceLines(pack.uuid, { ...term, renewal: true }) },
      discountCode: input.discount_code,
      maxPrice: maxPriceOf(input),
      quoteId: input.quote_uuid,
      dryRun: input.dry_run,
      fingerprint: [
        'webspace/order',
        pack.uuid,
        input.duration,
        input.duration_unit,
        input.discount_code ?? '',
      ],
      consent: consentTo(state.catalog, ctx.locale, ctx.ip),
      settlement: 'hold',
    });
    const hosts = hostsFor(state.catalog, pack, phpVersion);
    const result = orderOrRefuse(ctx, outcome, { pointer: '/duration', allowed: pack.durations });
    if ('quote' in result) {
      const hasCapacity = await loadFreeCapacity(tx);
      return { quote: { ...wireQuote(result.quote), in_stock: hasCapacity(hosts, pack.limits.disk) } };
    }
    if (domain !== undefined) {
      if (isProviders(state.catalog, domain)) throw ctx.refusal('hostname_taken');
      await lockHostname(tx, domain);
    }
    const standing = domain === undefined ? null : await standingOf(tx, accountId, domain);
    if (standing === 'taken') throw ctx.refusal('hostname_taken');
    if (standing === 'account' && domain !== undefined) await displaceFormerOwners(tx, ctx.uow, domain);
    const user = input.username ?? newUsername();
    if (!(await takeUsername(tx, user))) throw ctx.refusal('already_exists', { members: { name: user } });
    const host = await placeOn(tx, hosts, pack.limits.disk);
    if (host === null) throw ctx.refusal('out_of_stock', { members: { alternatives: [] } });
    const { order } = result;
    const taskId = randomUUIDv7();
    const given = input.password ?? newPassword();
    addOrderedWebspace(ctx.uow, state.catalog, ctx.sealer, {
      id: webspaceId,
      orderId: order.id,
      taskId,
      accountId,
      pack,
      customName: input.custom_name || null,
      autoRenew: input.auto_renew,
      ...term,
      order,
      host,
      username: user,
      password: given,
      phpVersion,
      domain:
        domain === undefined ? null : { hostname: domain, proof: standing === 'account' ? 'account' : null },
    });
    return {
      order_id: order.id,
      webspace_uuid: webspaceId,
      package: { uuid: pack.uuid, name: pack.name },
      domain: domain ?? null,
      access: {
        panel_url: ctx.publicUrl,
        username: user,
        password: input.password === undefined ? given : null,
      },
      duration: input.duration,
      duration_unit: input.duration_unit,
      expire_at: wireTime(order.price.periodTo),
      pricings: wirePricings(webspacePricings(state.catalog, pack.uuid)),
      charged: wireCharged(order.price),
      transaction_uuid: order.entryId,
      state: 'PENDING' as const,
      task: queuedTask(taskId, PROVISION, { type: 'webspace', uuid: webspaceId }, now),
    };
  },
  settle: (data, { state }) =>
    'task' in data && state === 'succeeded' ? { ...data, state: 'ACTIVE' as const } : data,
});

function newest({ limits }: WebspacePackage): string {
  const byNumber = limits.php_versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return byNumber[0] ?? '';
}
