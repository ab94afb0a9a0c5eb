import { wireAmount } from '../../../base/money.ts';
import { anchorDay } from '../../../base/time.ts';
import type { CatalogStore, CatalogVersion } from '../../../business/core/catalog/versions.ts';
import type { Domain } from '../../../business/domains/domain.ts';
import { decideOrder, loadOrderState } from '../../../business/selling/orders/order.ts';
import type { PriceLine } from '../../../business/selling/orders/price.ts';
import type { Refusal, RefusalDetail } from '../../../errors.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

type Tx = Parameters<typeof loadOrderState>[0];

/** What is charged for a domain beside its terms. */
export interface Extra {
  readonly title: string;
  readonly lines: (catalog: CatalogVersion) => readonly PriceLine[];
  /** Years that it is for; null: it is paid once. */
  readonly years: number | null;
}

/** The money for it is on hold until its registry has done it. */
export interface PaidExtra {
  /** null: it costs nothing, or nothing was ordered. */
  readonly orderId: string | null;
  /** Gross, as the wire has it. */
  readonly price: number;
}

export const EXTRA_ERRORS = ['insufficient_funds', 'account_suspended', 'spending_limit_exceeded'] as const;

interface Payer {
  readonly uow: UnitOfWork;
  readonly catalogs: CatalogStore;
  readonly caller: { readonly accountId: string; readonly tokenId: string };
  refusal(code: (typeof EXTRA_ERRORS)[number], detail?: RefusalDetail): Refusal;
}

/**
 * Orders an extra of a locked domain, as every order is: by the catalogue's price, within the token's budget, and with
 * its money on hold. With `dryRun` it is only priced. What is free is no order.
 */
export async function payExtra(
  tx: Tx,
  ctx: Payer,
  found: Domain,
  { title, lines, years }: Extra,
  dryRun: boolean,
): Promise<PaidExtra> {
  const { accountId, tokenId } = ctx.caller;
  const { now } = ctx.uow;
  const state = await loadOrderState(tx, ctx.catalogs, [
    { accountId, discountCode: undefined, quoteId: undefined },
  ]);
  if (lines(state.catalog).every(({ unitPrice }) => unitPrice === 0n)) return { orderId: null, price: 0 };
  const outcome = decideOrder(ctx.uow, state, {
    product: 'domain',
    action: 'extra',
    accountId,
    tokenId,
    serviceId: found.id,
    item: found.item,
    title,
    // What is paid once is for no time that could be paid back for.
    duration: years ?? 1,
    unit: years === null ? 'hour' : 'year',
    periodFrom: now,
    anchorDay: anchorDay(now),
    lines,
    discountCode: undefined,
    maxPrice: undefined,
    quoteId: undefined,
    dryRun,
    fingerprint: ['domain/extra', title],
    consent: null,
    settlement: 'hold',
  });
  switch (outcome.kind) {
    case 'ordered':
      return { orderId: outcome.order.id, price: wireAmount(outcome.order.price.gross) };
    case 'quoted':
      return { orderId: null, price: wireAmount(outcome.quote.price.gross) };
    case 'insufficient_funds':
      throw ctx.refusal('insufficient_funds', {
        members: {
          required: wireAmount(outcome.required),
          available: wireAmount(outcome.available),
          shortfall: wireAmount(outcome.required - outcome.available),
          currency: outcome.currency,
        },
      });
    case 'spending_limit_exceeded':
      throw ctx.refusal('spending_limit_exceeded', {
        members: { remaining: wireAmount(outcome.remaining), currency: outcome.currency },
      });
    case 'account_suspended':
      throw ctx.refusal('account_suspended');
    default:
      throw new Error(`an extra without code, guard or quote came to ${outcome.kind}`);
  }
}
