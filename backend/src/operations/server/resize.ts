import { z } from 'zod';
import { currency, money, pricings, uuid } from '../../api/field.ts';
import {
  charged,
  maxPriceOf,
  orderOrRefuse,
  quote,
  UNDISCOUNTED_ERRORS,
  undiscounted,
  wireCharged,
  wirePricings,
  wireQuote,
} from '../../api/order.ts';
import { task } from '../../api/task.ts';
import { amountOf, wireAmount } from '../../base/money.ts';
import { decideOrder, loadOrderState } from '../../business/selling/orders/order.ts';
import { recurringDiscountFrom } from '../../business/selling/orders/recurring-discount.ts';
import { runningOrders } from '../../business/selling/orders/refund.ts';
import { hasGrowth, holdGrowth } from '../../business/servers/capacity/size.ts';
import { beginChange } from '../../business/servers/changes/change.ts';
import { listBackups } from '../../business/servers/copies/backup.ts';
import { listSnapshots } from '../../business/servers/copies/snapshot.ts';
import { serverLines, serverPricings } from '../../business/servers/price.ts';
import { RESIZE, type Resizing } from '../../business/servers/resize.ts';
import { growthLines, refundsFor, shrinkage } from '../../business/servers/resize-price.ts';
import { CUSTOM, pricedServer, server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeFree } from './change.schema.ts';
import { mustBePaid, resizedServer, resizeInput } from './resize.schema.ts';

const size = z.object({
  cores: z.int(),
  memory: z.int(),
  disk: z.int(),
  uplink: z.int(),
  backup_slots: z.int(),
});
const refund = z.object({ amount: money, currency }).describe('To the balance, once it is done');

export default operation({
  method: 'POST',
  path: 'server/resize',
  summary: 'Change the size of a server',
  description:
    'The difference of the prices is charged, or given back to the balance, for the rest of what is paid; renewals cost ' +
    'the new price, without a discount that was for another package only. The capacity is reserved before anything is charged. Cores and memory are there after the next start. ' +
    'Disks only grow, and not while there are snapshots; cloud-init enlarges the file system when the server starts. ' +
    'Refused once the paid term is over, until the server is renewed.',
  audience: 'customer',
  scope: 'server:order',
  input: resizeInput,
  output: z.union([
    z.object({
      uuid,
      size,
      previous_size: size,
      pricings,
      order_id: uuid.nullable(),
      charged: charged.nullable(),
      refund: refund.nullable(),
      requires_reboot: z.boolean(),
      task,
    }),
    z.object({ quote, refund: refund.nullable() }),
  ]),
  message: { en: 'The size of the server is being changed.', de: 'Die Größe des Servers wird geändert.' },
  errors: [
    ...CHANGE_ERRORS,
    ...UNDISCOUNTED_ERRORS,
    'os_requirements_not_met',
    'out_of_stock',
    'snapshots_in_the_way',
    'limit_reached',
  ],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', cores: 4, memory: 8192 } },
  resource: server,
  async handle(tx, ctx, input, found) {
    const { accountId, tokenId } = ctx.caller;
    const { now } = ctx.uow;
    await mustBeFree(ctx, tx, found);
    mustBePaid(ctx, found, now);
    const orders = await loadOrderState(tx, ctx.catalogs, [
      { accountId, discountCode: found.discount_code ?? undefined, quoteId: input.quote_uuid },
    ]);
    const { catalog } = orders;
    const before = pricedServer(found);
    const wanted = resizedServer(ctx, catalog, found, before.configuration, input);
    const { configuration, item, name } = wanted;
    if (configuration.disk > found.disk && (await listSnapshots(tx, found.id)).length > 0)
      throw ctx.refusal('snapshots_in_the_way');
    const slots = configuration.backupSlots;
    if (slots < found.backup_slots && (await listBackups(tx, found.id)).length > slots)
      throw ctx.refusal('limit_reached', { members: { limit: slots, limited: 'backups' } });

    const after = { ...before, packageUuid: item === CUSTOM ? null : item, configuration };
    const change = { service: found, before, after, now };
    const lines = growthLines(change, name);
    // What is not sold for the service's term has no price, which does not make it free: `decide` refuses it.
    const isCharged = lines(catalog)?.every(({ unitPrice }) => amountOf(unitPrice) === 0n) !== true;
    const giveBack = shrinkage(catalog, change);
    const back = giveBack === null ? [] : refundsFor(giveBack, await runningOrders(tx, found.id, now));
    const amount = back.reduce((sum, { gross }) => sum + gross, 0n);
    const refunded =
      amount === 0n ? null : { amount: wireAmount(amount), currency: catalog.content.currency };

    // The discount that it has holds on, unless its code is for other items only (`end_discount_of_other_item`).
    const isCodeForAfter = orders.discounts.get(found.discount_code ?? '')?.items?.includes(item) !== false;

    const decide = () =>
      orderOrRefuse(
        undiscounted(ctx),
        decideOrder(ctx.uow, orders, {
          product: 'server',
          action: 'extra',
          accountId,
          tokenId,
          serviceId: found.id,
          item,
          title: `Server ${found.name}, changed to ${name}`,
          duration: found.duration,
          unit: found.duration_unit,
          periodFrom: now,
          periodTo: found.expire_at,
          anchorDay: found.anchor_day,
          lines,
          renewal: {
            lines: serverLines(after, { duration: found.duration, unit: found.duration_unit, renewal: true }),
            standing: isCodeForAfter ? recurringDiscountFrom(found) : null,
          },
          // What it takes off could be had back in money, by making the server smaller again.
          discountCode: undefined,
          maxPrice: maxPriceOf(input),
          quoteId: input.quote_uuid,
          dryRun: input.dry_run,
          fingerprint: ['server/resize', found.id, JSON.stringify(wanted)],
          consent: null,
          settlement: 'hold',
        }),
        { pointer: input.pack_uuid === undefined ? '/uuid' : '/pack_uuid', allowed: [] },
      );
    if (input.dry_run) {
      const result = decide();
      if (!('quote' in result)) throw new Error('a dry run has placed an order');
      return {
        quote: { ...wireQuote(result.quote), in_stock: await hasGrowth(tx, found, configuration) },
        refund: refunded,
      };
    }
    if (!(await holdGrowth(tx, found, configuration))) throw ctx.refusal('out_of_stock');
    const ordered = isCharged ? decide() : null;
    const order = ordered !== null && 'order' in ordered ? ordered.order : null;
    const { cores, memory, disk, uplink } = configuration;
    const sized = { cores, memory, disk, uplink, backup_slots: slots };
    const resizing: Resizing = { ...sized, item, name, order_id: order?.id ?? null, refund: giveBack };
    const begun = beginChange(ctx.uow, ctx.sealer, found, { type: RESIZE, wanted: resizing });
    return {
      uuid: found.id,
      size: sized,
      previous_size: {
        cores: found.cores,
        memory: found.memory,
        disk: found.disk,
        uplink: found.uplink,
        backup_slots: found.backup_slots,
      },
      pricings: wirePricings(serverPricings(catalog, after)),
      order_id: order?.id ?? null,
      charged: order === null ? null : wireCharged(order.price),
      refund: refunded,
      requires_reboot: found.power_state !== 'stopped' && (cores !== found.cores || memory !== found.memory),
      task: begun,
    };
  },
});
