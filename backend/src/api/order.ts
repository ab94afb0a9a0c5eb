import { z } from 'zod';
import { parseWireAmount, wireAmount, wireUnitPrice } from '../base/money.ts';
import { wireTime } from '../base/time.ts';
import type { Pricings } from '../business/core/catalog/schema/price.ts';
import type { Order, OrderOutcome } from '../business/selling/orders/order.ts';
import type { Price } from '../business/selling/orders/price.ts';
import type { Quote } from '../business/selling/orders/quote.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../errors.ts';
import { currency, dryRun, money, moneyInput, timestamp, uuid } from './field.ts';

/** What orders accept that take no discount code. */
export const undiscountedFields = {
  dry_run: dryRun,
  max_price: moneyInput.optional().describe('The highest gross price that is accepted.'),
  quote_uuid: uuid.optional().describe('A quote from `dry_run`: its price holds while it is valid.'),
};

/** What every order and renewal accepts beside its product's own fields. */
export const orderFields = {
  discount_code: z.string().max(64).optional().describe('May be empty.'),
  ...undiscountedFields,
};

/** The code for a further term of a service, which may have a discount already. */
export const codeOfFurtherTerm = orderFields.discount_code.describe(
  'May be empty. It is used if it gives more than the discount that the service has, and takes its place if it holds ' +
    'for as many terms at least. Otherwise it is for this term alone, and what the service has goes on after it.',
);

export const consent = {
  tos: z.boolean().optional().describe('Acceptance of the terms of service; must be true to order.'),
  cancellation: z
    .boolean()
    .optional()
    .describe('Acknowledgement of the cancellation terms; must be true to order.'),
};

export const charged = z.object({
  net: money,
  tax: money,
  tax_rate: z.number(),
  gross: money,
  gross_minor: z.int(),
  discount: money,
  currency,
});

export const quote = z.object({
  quote_uuid: uuid.nullable(),
  price_version: z.int(),
  lines: z.array(
    z.object({
      description: z.string(),
      quantity: z.int(),
      unit_price: money,
      period_from: timestamp,
      period_to: timestamp,
      net: money,
    }),
  ),
  net: money,
  discount: money,
  discount_code: z.string().nullable(),
  tax_rate: z.number(),
  tax: money,
  gross: money,
  gross_minor: z.int(),
  currency,
  balance_before: money,
  balance_after: money,
  sufficient_funds: z.boolean(),
  in_stock: z.boolean(),
  renewal_gross: money.describe(
    'What the first renewal after it will cost at today’s prices, less what is left of the discount then.',
  ),
  valid_until: timestamp,
  warnings: z.array(z.object({ error: z.string(), message: z.string() })),
});

/** How orders are refused that take no discount code. */
export const UNDISCOUNTED_ERRORS = [
  'insufficient_funds',
  'account_suspended',
  'spending_limit_exceeded',
  'price_changed',
  'quote_expired',
  'validation_failed',
] as const;

export const ORDER_ERRORS = [...UNDISCOUNTED_ERRORS, 'discount_code_invalid'] as const;

/** How orders of something new are refused besides. */
export const NEW_ORDER_ERRORS = [
  'token_restricted',
  'terms_not_accepted',
  'cancellation_not_acknowledged',
] as const;

/** Refuses tokens for certain things that were not given that they may order others (decision 59). */
export function demandMayOrderNew(ctx: {
  readonly caller: { readonly mayOrderNew: boolean };
  refusal(code: 'token_restricted'): Refusal;
}): void {
  if (!ctx.caller.mayOrderNew) throw ctx.refusal('token_restricted');
}

export function wireCharged(price: Price) {
  return {
    net: wireAmount(price.net),
    tax: wireAmount(price.tax),
    tax_rate: price.taxation.rate / 100,
    gross: wireAmount(price.gross),
    gross_minor: Number(price.gross),
    discount: wireAmount(price.discount),
    currency: price.currency,
  };
}

const CUT_CODE = {
  error: 'discount_for_one_term',
  message:
    'The code is used for this term only: the discount that the service has holds for longer, and goes on after it.',
};

export function wireQuote({ price, ...quoted }: Quote) {
  return {
    quote_uuid: quoted.id,
    price_version: price.version,
    lines: price.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unit_price: wireUnitPrice(line.unitPrice),
      period_from: wireTime(price.periodFrom),
      period_to: wireTime(price.periodTo),
      net: wireAmount(line.net),
    })),
    net: wireAmount(price.net),
    discount: wireAmount(price.discount),
    discount_code: quoted.discountCode,
    tax_rate: price.taxation.rate / 100,
    tax: wireAmount(price.tax),
    gross: wireAmount(price.gross),
    gross_minor: Number(price.gross),
    currency: price.currency,
    balance_before: wireAmount(quoted.balanceBefore),
    balance_after: wireAmount(quoted.balanceAfter),
    sufficient_funds: quoted.sufficientFunds,
    in_stock: true,
    renewal_gross: wireAmount(quoted.renewalGross),
    valid_until: wireTime(quoted.validUntil),
    warnings: quoted.isCodeCut ? [CUT_CODE] : [],
  };
}

export function wirePricings(prices: Pricings) {
  return {
    year: wireUnitPrice(prices.year),
    month: wireUnitPrice(prices.month),
    hour: wireUnitPrice(prices.hour),
  };
}

/** The price guard as an amount. */
export function maxPriceOf(input: { max_price?: number | undefined }): bigint | undefined {
  if (input.max_price === undefined) return undefined;
  const limit = parseWireAmount(input.max_price);
  if (limit === null) throw new RangeError('a price guard that is no amount');
  return limit;
}

export function fieldProblem(
  pointer: string,
  error: InputProblem['error'],
  message: string,
  extra: { allowed?: readonly unknown[]; limit?: number } = {},
): RefusalDetail {
  return { errors: [{ pointer, error, message, ...extra }], members: { fields: [pointer] } };
}

type OrderError = (typeof ORDER_ERRORS)[number];
type Refuser = { refusal(code: OrderError, detail?: RefusalDetail): Refusal };

/** For {@link orderOrRefuse} where no code was taken, and so none is invalid. */
export function undiscounted(ctx: {
  refusal(code: (typeof UNDISCOUNTED_ERRORS)[number], detail?: RefusalDetail): Refusal;
}): Refuser {
  return {
    refusal(code, detail) {
      if (code === 'discount_code_invalid') throw new Error('an order without a code was refused for it');
      return ctx.refusal(code, detail);
    },
  };
}

/** The order, or its quote, or the refusal that the outcome stands for. `terms` are the terms that are sold. */
export function orderOrRefuse(
  ctx: Refuser,
  outcome: OrderOutcome,
  sold: { pointer: string; allowed: readonly unknown[] },
): { order: Order } | { quote: Quote } {
  if (outcome.kind === 'ordered') return { order: outcome.order };
  if (outcome.kind === 'quoted') return { quote: outcome.quote };
  throw orderRefusal(ctx, outcome, sold);
}

/** The refusal that an outcome stands for. */
export function orderRefusal(
  ctx: Refuser,
  outcome: Exclude<OrderOutcome, { kind: 'ordered' | 'quoted' }>,
  sold: { pointer: string; allowed: readonly unknown[] },
): Refusal {
  switch (outcome.kind) {
    case 'not_sold':
      return ctx.refusal(
        'validation_failed',
        fieldProblem(sold.pointer, 'not_allowed', 'This is not sold for that term.', {
          allowed: sold.allowed,
        }),
      );
    case 'quote_of_another_request':
      return ctx.refusal(
        'validation_failed',
        fieldProblem('/quote_uuid', 'not_allowed', 'The quote was made for another request.'),
      );
    case 'price_changed': {
      const { price } = outcome.quote;
      return ctx.refusal('price_changed', {
        members: {
          quote: wireQuote(outcome.quote),
          price: wireAmount(price.gross),
          currency: price.currency,
        },
      });
    }
    case 'insufficient_funds':
      return ctx.refusal('insufficient_funds', {
        members: {
          required: wireAmount(outcome.required),
          available: wireAmount(outcome.available),
          shortfall: wireAmount(outcome.required - outcome.available),
          currency: outcome.currency,
        },
      });
    case 'spending_limit_exceeded':
      return ctx.refusal('spending_limit_exceeded', {
        members: { remaining: wireAmount(outcome.remaining), currency: outcome.currency },
      });
    default:
      return ctx.refusal(outcome.kind);
  }
}
