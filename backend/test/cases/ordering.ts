import { randomUUID } from 'node:crypto';
import type { Caller, Harness } from '../harness.ts';
import type { OperationCases } from './case.ts';

type Order = (harness: Harness, customer: Caller) => Promise<Record<string, unknown>>;

/** How any product's order or renewal is refused; `order` gives an input that would be accepted. */
export function orderRefusals(order: Order): OperationCases['refuses'] {
  const changed =
    (change: Record<string, unknown>): OperationCases['succeeds'] =>
    async (harness) => {
      const as = await harness.customer();
      return { as, input: { ...(await order(harness, as)), ...change } };
    };
  return {
    insufficient_funds: async (harness) => {
      const as = await harness.customer();
      const input = await order(harness, as);
      await harness.pool.pg.query('UPDATE accounts SET balance = 0 WHERE id = $1', [as.accountId]);
      return { as, input };
    },
    account_suspended: async (harness) => {
      const as = await harness.customer();
      const input = await order(harness, as);
      await harness.pool.pg.query("UPDATE accounts SET state = 'suspended' WHERE id = $1", [as.accountId]);
      return { as, input };
    },
    spending_limit_exceeded: async (harness) => {
      const customer = await harness.customer();
      const input = await order(harness, customer);
      return { as: await harness.tokenOf(customer, { spendingLimit: 1n }), input };
    },
    price_changed: changed({ max_price: 0.01 }),
    quote_expired: changed({ quote_uuid: randomUUID() }),
    discount_code_invalid: changed({ discount_code: 'NO-SUCH-CODE' }),
  };
}

/** How an order of something new is refused: without its consents, and to a token for certain things. */
export function newOrderRefusals(order: Order): OperationCases['refuses'] {
  const without =
    (consent: string): OperationCases['succeeds'] =>
    async (harness) => {
      const as = await harness.customer();
      return { as, input: { ...(await order(harness, as)), [consent]: false } };
    };
  return {
    terms_not_accepted: without('tos'),
    cancellation_not_acknowledged: without('cancellation'),
    token_restricted: async (harness) => {
      const customer = await harness.customer();
      const input = await order(harness, customer);
      return { as: await harness.tokenOf(customer, { resourceAllowlist: [randomUUID()] }), input };
    },
  };
}
