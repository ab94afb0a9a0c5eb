import { type Amount, amountOf, divideRounded, shareOf } from '../../../base/money.ts';
import type { AffiliateTerms } from '../../core/catalog/schema/life.ts';

export type CommissionState = 'pending' | 'confirmed' | 'paid' | 'cancelled';

/**
 * What an order of this much, without tax, earns who brought the customer: a share, or a fixed amount, but never
 * more than the order brought in. 0 while the program is off.
 */
export function commissionOn(terms: AffiliateTerms, net: Amount): Amount {
  if (!terms.enabled) return 0n;
  const { type, value } = terms.commission;
  const amount = type === 'percent' ? shareOf(net, value) : amountOf(value);
  return amount < net ? amount : net;
}

/** The commission once part of its order was paid back: in proportion to what is left of the order. */
export function commissionLeft(
  commission: { readonly amount: Amount; readonly order_total: Amount },
  left: Amount,
): Amount {
  return left <= 0n ? 0n : divideRounded(commission.amount * left, commission.order_total);
}
