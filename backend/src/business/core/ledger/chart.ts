import type { BasisPoints } from '../../../base/money.ts';

/** The system accounts that sales and their refunds are posted to; one that reverses the other must name the same. */

export function revenueAccount(product: string): string {
  return `revenue:${product}`;
}

/** By rate: `tax:19.00`. */
export function taxAccount(rate: BasisPoints): string {
  return `tax:${(rate / 100).toFixed(2)}`;
}
