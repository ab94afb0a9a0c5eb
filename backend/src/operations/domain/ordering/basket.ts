import { z } from 'zod';
import { money } from '../../../api/field.ts';
import { charged, orderFields, quote, wireQuote } from '../../../api/order.ts';
import { task } from '../../../api/task.ts';
import { unicodeName } from '../../../base/domain-name.ts';
import { wireAmount } from '../../../base/money.ts';
import { wireTime } from '../../../base/time.ts';
import type { BasketOutcome } from '../../../business/selling/orders/basket.ts';
import {
  type InputProblem,
  type Refusal,
  type RefusalDetail,
  type RefusalOfOne,
  refusalText,
  tryEach,
} from '../../../errors.ts';
import { domainPricing, wireDomainPrices } from '../domain.schema.ts';
import { lookAlikeWarnings } from '../look-alike.schema.ts';
import type { PlannedDomain } from './plan.ts';
import { domainOrdered, domainOrderInput, type OrderingContext } from './request.ts';

/** What is said of each name; all else holds for the whole basket. */
const {
  action: _one,
  domain,
  period,
  authcode,
  premium_confirmed,
  custom_name,
  ...shared
} = domainOrderInput.shape;
const OF_A_NAME = { domain, period, authcode, premium_confirmed, custom_name };

/** What `domain/order-many` takes. */
export const domainBasketInput = z.strictObject({
  names: z
    .array(z.strictObject({ action: z.enum(['register', 'transfer']).default('register'), ...OF_A_NAME }))
    .min(1)
    .max(50),
  ...shared,
  discount_code: orderFields.discount_code,
});
export type DomainBasketInput = z.output<typeof domainBasketInput>;

const [ordered] = domainOrdered.options;

export const domainBasketOrdered = z.union([
  z.object({
    results: z.array(ordered).describe('One for each name, in order; each is delivered and paid by itself.'),
    charged: charged.describe('The sum, which is on hold; a name that comes to nothing costs nothing.'),
    task: task.describe('Ends when the last of the names is done; `results` have tasks of their own.'),
  }),
  z.object({
    quote,
    names: z.array(
      z.object({
        domain: z.string(),
        action: z.enum(['register', 'transfer']),
        period: z.int(),
        premium: z.boolean(),
        pricing: domainPricing,
        gross: money,
        renewal_gross: money,
      }),
    ),
  }),
]);

/** The names of a basket as `domain/order` would take each. */
export function ordersOf({ names, ...whole }: DomainBasketInput) {
  return names.map((name) => ({ ...whole, ...name }));
}

/**
 * Does something for each name. Refuses all of them if one of them is refused, and says of each what it would be
 * refused with alone; the work must not have changed anything then.
 */
export function eachName<Named, T>(
  ctx: {
    readonly locale: OrderingContext['locale'];
    refusal(code: 'order_items_refused', detail: RefusalDetail): Refusal;
  },
  names: readonly Named[],
  work: (name: Named, at: number, refusal: RefusalOfOne) => T,
): readonly T[] {
  const { results, refused } = tryEach(names, work);
  if (refused.length === 0) return results;
  const problems = refused.flatMap(({ at, refusal }) => problemsOf(refusal, at, ctx.locale));
  throw ctx.refusal('order_items_refused', {
    errors: [
      ...new Map(problems.map((problem) => [`${problem.pointer} ${problem.message}`, problem])).values(),
    ],
    members: { refused: refused.length, total: names.length },
  });
}

function problemsOf(refusal: Refusal, at: number, locale: OrderingContext['locale']): InputProblem[] {
  const { code, detail } = refusal;
  const problems = detail.errors ?? [];
  if (problems.length === 0) {
    const message = refusalText({ code: refusal.code, ...refusal.detail }, locale);
    return [{ pointer: `/names/${at}/domain`, error: 'not_allowed', message, refusal: code }];
  }
  return problems.map((problem) => ({
    ...problem,
    pointer: isOfAName(problem.pointer) ? `/names/${at}${problem.pointer}` : problem.pointer,
    refusal: code,
  }));
}

function isOfAName(pointer: string): boolean {
  const [, field = ''] = pointer.split('/');
  return field in OF_A_NAME || field === 'action';
}

/** What a basket would cost; `each`: of the names, in order. */
export function quotedBasket(
  { quote: found, each }: Extract<BasketOutcome, { kind: 'quoted' }>,
  planned: readonly PlannedDomain[],
): z.input<typeof domainBasketOrdered> {
  const names = planned.map((one, at) => ({
    domain: one.named.name,
    action: one.input.action,
    period: one.input.period,
    premium: one.premium !== null,
    pricing: wireDomainPrices(one.prices),
    gross: wireAmount(each[at]?.price.gross ?? 0n),
    renewal_gross: wireAmount(each[at]?.renewalGross ?? 0n),
  }));
  const whole = wireQuote(found);
  const nameOf = each.flatMap(({ price }, at) => price.lines.map(() => at));
  const lines = whole.lines.map((line, index) => {
    const at = nameOf[index] ?? 0;
    const name = unicodeName(planned[at]?.named.name ?? '');
    const until = each[at]?.price.periodTo ?? found.price.periodTo;
    return { ...line, description: `${name}: ${line.description}`, period_to: wireTime(until) };
  });
  const alike = planned.flatMap(({ named }) => lookAlikeWarnings(named.name.split('.')[0] ?? ''));
  return { quote: { ...whole, lines, warnings: [...whole.warnings, ...alike] }, names };
}
