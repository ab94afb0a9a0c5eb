import { randomBytes, randomUUID } from 'node:crypto';
import { camt } from '../camt.ts';
import type { Harness } from '../harness.ts';
import { newVoucher } from '../vouchers.ts';
import type { Cases, Prepare } from './case.ts';
import { invoiced } from './invoice.ts';
import { licensed, licenseOrder } from './license.ts';
import { staffJobCases } from './staff-job.ts';
import { staffServerCases } from './staff-server.ts';
import { staffTicketCases } from './staff-ticket.ts';

const onLicense =
  (more: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const { uuid } = await licensed(harness);
    return { as: await harness.operator(), input: { uuid, reason: 'abuse', ...more } };
  };

const ofOrder =
  (change: Record<string, unknown> = {}): Prepare =>
  async (harness) => {
    const input = await licenseOrder(harness);
    const { order_id } = await harness.data('panel/order', { as: await harness.customer(), input });
    return {
      as: await harness.operator(),
      input: { order_id, reason: 'Outage', basis: 'goodwill', ...change },
    };
  };

const unknown: Prepare = async (harness) => ({
  as: await harness.operator(),
  input: { uuid: randomUUID(), reason: 'abuse' },
});

const adjustment =
  (change: Record<string, unknown>): Prepare =>
  async (harness) => {
    const { accountId } = await harness.customer();
    return {
      as: await harness.operator(),
      input: { uuid: accountId, amount: 12.5, reason: 'Goodwill', ...change },
    };
  };

const asOperator =
  (input: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({ as: await harness.operator(), input });

/** An operator, and a customer in some state. */
const onAccount =
  (more: Record<string, unknown>, state = 'active'): Prepare =>
  async (harness) => {
    const { accountId } = await harness.customer();
    await harness.pool.pg.query('UPDATE accounts SET state = $2 WHERE id = $1', [accountId, state]);
    return { as: await harness.operator(), input: { uuid: accountId, ...more } };
  };

const CLOSING = {
  reason: 'Asked for by letter',
  payout: { iban: 'DE89370400440532013000', account_holder: 'Test Customer' },
};

const discountCode = () => `T-${randomBytes(6).toString('hex')}`.toUpperCase();

const newDiscount =
  (change: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({
    as: await harness.operator(),
    input: { code: discountCode(), percent: 10, ...change },
  });

/** One that exists. */
const madeDiscount: Prepare = async (harness) => {
  const call = await newDiscount()(harness);
  await harness.data('staff/discount-create', call);
  return call;
};

const madeVoucher: Prepare = async (harness) => {
  const { id } = await newVoucher(harness.pool, harness.clock.now());
  return { as: await harness.operator(), input: { uuid: id } };
};

const impersonation =
  (state: string): Prepare =>
  async (harness) => {
    const { accountId } = await harness.customer();
    await harness.pool.pg.query('UPDATE accounts SET state = $2 WHERE id = $1', [accountId, state]);
    return {
      as: await harness.operator(),
      input: { customer_uuid: accountId, reason: 'Ticket 4711' },
    };
  };

const NOTICE = { title: { en: 'News', de: 'Neues' }, body: { en: 'All is well.', de: 'Alles gut.' } };

/** A transfer that names no payment. */
async function transferred(harness: Harness, change: { currency?: string } = {}) {
  const as = await harness.operator();
  const text = randomUUID();
  const entries = [{ amount: '25.00', remittance: text, ref: text, ...change }];
  await harness.data('staff/bank-import', { as, input: { camt: camt(entries) } });
  const found = await harness.data('staff/bank-entries', { as, input: { search: text } });
  return { as, uuid: found.entries[0].uuid as string };
}

const assigning =
  (change: Record<string, unknown> = {}, entry: { currency?: string } = {}): Prepare =>
  async (harness) => {
    const { as, uuid } = await transferred(harness, entry);
    const { accountId } = await harness.customer();
    return { as, input: { uuid, customer_uuid: accountId, ...change } };
  };

/** An entry that was booked. */
async function assigned(harness: Harness) {
  const { as, input } = await assigning()(harness);
  await harness.data('staff/bank-assign', { as, input });
  return { as, input: input as { uuid: string; customer_uuid: string } };
}

export const cases: Cases = {
  ...staffJobCases,
  ...staffServerCases,
  ...staffTicketCases,
  'staff/customer': {
    succeeds: async (harness) => ({
      as: await harness.operator(),
      input: { uuid: (await harness.customer()).accountId },
    }),
    refuses: {
      not_found: async (harness) => ({ as: await harness.operator(), input: { uuid: randomUUID() } }),
    },
  },
  'staff/notices': {
    succeeds: async (harness) => ({ as: await harness.operator() }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.operator(), input: { page: 1_000_000 } }),
    },
  },
  'staff/notice-create': {
    succeeds: async (harness) => ({ as: await harness.operator(), input: NOTICE }),
    refuses: {
      validation_failed: async (harness) => ({
        as: await harness.operator(),
        input: { ...NOTICE, ends_at: '2020-01-01 00:00:00' },
      }),
    },
  },
  'staff/notice-end': {
    succeeds: async (harness) => {
      const as = await harness.operator();
      const { uuid } = await harness.data('staff/notice-create', { as, input: NOTICE });
      return { as, input: { uuid } };
    },
    refuses: {
      not_found: async (harness) => ({ as: await harness.operator(), input: { uuid: randomUUID() } }),
    },
  },
  'staff/revenue': {
    succeeds: async (harness) => ({
      as: await harness.operator(),
      input: { from: '2027-01-01', to: '2027-01-31' },
    }),
    refuses: {
      validation_failed: async (harness) => ({
        as: await harness.operator(),
        input: { from: '2027-01-31', to: '2027-01-01' },
      }),
    },
  },
  'staff/impersonate': {
    succeeds: impersonation('active'),
    refuses: {
      not_found: async (harness) => ({
        as: await harness.operator(),
        input: { customer_uuid: randomUUID(), reason: 'Ticket 4711' },
      }),
      state_conflict: impersonation('closed'),
    },
  },
  'staff/voucher-create': {
    succeeds: asOperator({ kind: 'credit', value: 25, description: 'Spring fair' }),
    refuses: { validation_failed: asOperator({ kind: 'discount', value: 101, description: 'Too much' }) },
  },
  'staff/vouchers': {
    succeeds: asOperator(),
    refuses: { validation_failed: asOperator({ page: 1_000_000 }) },
  },
  'staff/voucher-revoke': {
    succeeds: madeVoucher,
    refuses: {
      not_found: asOperator({ uuid: randomUUID() }),
      state_conflict: async (harness) => {
        const call = await madeVoucher(harness);
        const { uuid } = call.input as { uuid: string };
        await harness.pool.pg.query(
          "UPDATE vouchers SET redeemed_by = id, redeemed_at = '2027-01-01' WHERE id = $1",
          [uuid],
        );
        return call;
      },
    },
  },
  'staff/discount-create': {
    succeeds: newDiscount(),
    refuses: {
      validation_failed: newDiscount({ customer_uuid: randomUUID() }),
      already_exists: madeDiscount,
    },
  },
  'staff/discounts': {
    succeeds: asOperator(),
    refuses: { validation_failed: asOperator({ page: 1_000_000 }) },
  },
  'staff/discount-end': {
    succeeds: async (harness) => {
      const { as, input } = await madeDiscount(harness);
      return { as, input: { code: (input as { code: string }).code } };
    },
    refuses: { not_found: asOperator({ code: 'NO-SUCH-CODE' }) },
  },
  'staff/hosts': { succeeds: async (harness) => ({ as: await harness.operator() }), refuses: {} },
  'staff/customers': {
    succeeds: async (harness) => ({ as: await harness.operator() }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.operator(), input: { page: 1_000_000 } }),
    },
  },
  'staff/adjust-balance': {
    succeeds: adjustment({}),
    refuses: { not_found: adjustment({ uuid: randomUUID() }), validation_failed: adjustment({ amount: 0 }) },
  },
  'staff/invoices': {
    succeeds: async (harness) => {
      const { as } = await invoiced(harness);
      const input = { account_uuid: as.accountId, from: '2027-01-01', to: '2027-12-31', totals: true };
      return { as: await harness.operator(), input };
    },
    refuses: { validation_failed: asOperator({ totals: true }) },
  },
  'staff/account-suspend': {
    succeeds: onAccount({ reason: 'abuse', note: 'Ticket 4711' }),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), reason: 'abuse' }),
      state_conflict: onAccount({ reason: 'abuse' }, 'closed'),
    },
  },
  'staff/account-unsuspend': {
    succeeds: onAccount({}, 'suspended'),
    refuses: {
      not_found: asOperator({ uuid: randomUUID() }),
      state_conflict: onAccount({}, 'closed'),
    },
  },
  'staff/account-close': {
    succeeds: onAccount(CLOSING),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), reason: 'x' }),
      state_conflict: onAccount(CLOSING, 'closed'),
      closing_blocked: onAccount({ reason: 'Asked for by letter' }),
    },
  },
  'staff/payouts': {
    succeeds: asOperator(),
    refuses: { validation_failed: asOperator({ page: 1_000_000 }) },
  },
  'staff/payout-paid': {
    succeeds: async (harness) => {
      const { as, input } = await onAccount(CLOSING)(harness);
      await harness.data('staff/account-close', { as, input });
      const { uuid } = input as { uuid: string };
      return { as, input: { account_uuid: uuid, reference: 'Closing' } };
    },
    refuses: { not_found: asOperator({ account_uuid: randomUUID(), reference: 'Closing' }) },
  },
  'staff/credit-limit': {
    succeeds: onAccount({ credit_limit: 250, reason: 'Pays by invoice' }),
    refuses: {
      not_found: asOperator({ uuid: randomUUID(), credit_limit: 1, reason: 'x' }),
      state_conflict: onAccount({ credit_limit: 1, reason: 'x' }, 'closed'),
    },
  },
  'staff/search': {
    succeeds: asOperator({ query: '198.51.100.7', at: '2026-03-01 12:00:00' }),
    refuses: { validation_failed: asOperator({ query: '10.0.0.0/8' }) },
  },
  'staff/suspend': {
    succeeds: onLicense(),
    refuses: {
      not_found: unknown,
      state_conflict: async (harness) => {
        const call = await onLicense()(harness);
        const { uuid } = call.input as { uuid: string };
        await harness.pool.pg.query("UPDATE services SET state = 'deleted' WHERE id = $1", [uuid]);
        return call;
      },
    },
  },
  'staff/bank-import': {
    succeeds: async (harness) => ({
      as: await harness.operator(),
      input: { camt: camt([{ amount: '25.00', ref: randomUUID() }]) },
    }),
    refuses: {
      validation_failed: async (harness) => ({
        as: await harness.operator(),
        input: { camt: `<!DOCTYPE x>${camt([])}` },
      }),
    },
  },
  'staff/bank-entries': {
    succeeds: async (harness) => ({ as: await harness.operator() }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.operator(), input: { page: 1_000_000 } }),
    },
  },
  'staff/bank-assign': {
    succeeds: assigning(),
    refuses: {
      not_found: assigning({ uuid: randomUUID() }),
      validation_failed: assigning({}, { currency: 'CHF' }),
      state_conflict: assigned,
    },
  },
  'staff/bank-ignore': {
    succeeds: async (harness) => {
      const { as, uuid } = await transferred(harness);
      return { as, input: { uuid } };
    },
    refuses: {
      not_found: async (harness) => ({ as: await harness.operator(), input: { uuid: randomUUID() } }),
      state_conflict: async (harness) => {
        const { as, input } = await assigned(harness);
        return { as, input: { uuid: input.uuid } };
      },
    },
  },
  'staff/unsuspend': {
    succeeds: onLicense(),
    refuses: {
      not_found: unknown,
      state_conflict: async (harness) => {
        const call = await onLicense({ reason: 'unpaid' })(harness);
        const { uuid } = call.input as { uuid: string };
        await harness.pool.pg.query("UPDATE services SET delete_at = '2030-01-01' WHERE id = $1", [uuid]);
        return call;
      },
    },
  },
  'staff/refund': {
    succeeds: ofOrder({ amount: 0.5 }),
    refuses: {
      not_found: ofOrder({ order_id: randomUUID() }),
      refund_exceeds_order: ofOrder({ amount: 1_000_000 }),
      state_conflict: async (harness) => {
        const call = await ofOrder()(harness);
        const { order_id } = call.input as { order_id: string };
        await harness.pool.pg.query("UPDATE orders SET state = 'failed' WHERE id = $1", [order_id]);
        return call;
      },
    },
  },
};
