import { randomBytes, randomUUID } from 'node:crypto';
import { LIMITS } from '../../src/business/core/access/limits.ts';
import { AUSTRIAN, AUSTRIAN_VAT, GERMAN } from '../addresses.ts';
import { type Harness, openHarness } from '../harness.ts';
import { newVoucher } from '../vouchers.ts';
import type { Cases, Prepare } from './case.ts';
import { invoiced } from './invoice.ts';
import { licensed } from './license.ts';
import { guardedLogin, ownCode, ownPassword, people, useUp } from './people.ts';
import { webhooks } from './webhooks.ts';

const PASSWORD = 'correct horse battery staple';

const somebody = () => ({
  email: `${randomBytes(8).toString('hex')}@example.com`,
  password: PASSWORD,
  first_name: 'Ada',
  last_name: 'Lovelace',
  tos: true,
});

async function registered(harness: Harness) {
  const person = somebody();
  await harness.data('account/register', { as: null, input: person });
  return { email: person.email, password: PASSWORD };
}

/** Requests from an address where nobody else is. */
const elsewhere = (ip: string) => ({ 'x-forwarded-for': ip });

const register =
  (change: Record<string, unknown>): Prepare =>
  async () => ({ as: null, input: { ...somebody(), ...change } });

const newToken =
  (change: Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { name: 'test', scopes: ['*'], ...change } });

const asCustomer =
  (input: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input });

/** A customer with a voucher, which `spoil` makes worthless by its id. */
const voucher =
  (draft: Parameters<typeof newVoucher>[2] = {}, spoil = 'SELECT FROM vouchers WHERE id = $1'): Prepare =>
  async ({ customer, pool, clock }) => {
    const { id, code } = await newVoucher(pool, clock.now(), draft);
    await pool.pg.query(spoil, [id]);
    return { as: await customer(), input: { code } };
  };

const topup =
  (change: Record<string, unknown> = {}): Prepare =>
  async (harness) => ({
    as: await harness.customer(),
    input: { amount: 25, method: 'sandbox', ...change },
  });

/** A customer of whom a way to pay was kept. */
async function withMethod(harness: Harness) {
  const as = await harness.customer();
  const uuid = randomUUID();
  await harness.pool.pg.query(
    `INSERT INTO payment_methods (id, account_id, provider, provider_ref, label, created_at)
     VALUES ($1, $2, 'sandbox', $3, 'Sandbox card', $4)`,
    [uuid, as.accountId, `spm_${uuid}`, harness.clock.now().toString()],
  );
  return { as, uuid };
}

export const cases: Cases = {
  ...people,
  ...webhooks,
  'account/register': {
    succeeds: register({}),
    refuses: {
      terms_not_accepted: register({ tos: false }),
      validation_failed: register({ password: 'abcabcabcabc' }),
      registration_restricted: async (harness) => ({
        as: null,
        input: somebody(),
        on: await openHarness({ settings: { registration: 'closed' }, seen: harness.seen }),
      }),
      rate_limited: async (harness) => {
        const ip = '198.51.100.1';
        await useUp(harness, LIMITS.register(ip));
        return { as: null, input: somebody(), headers: elsewhere(ip) };
      },
    },
  },
  'account/login': {
    succeeds: async (harness) => ({ as: null, input: await registered(harness) }),
    refuses: {
      credentials_invalid: async (harness) => ({
        as: null,
        input: { ...(await registered(harness)), password: 'another horse' },
      }),
      ...guardedLogin,
      rate_limited: async (harness) => {
        const call = {
          as: null,
          input: { email: 'nobody@example.com', password: 'guess' },
          headers: elsewhere('198.51.100.2'),
        };
        for (let guess = 0; guess < 10; guess += 1) await harness.call('account/login', call);
        return call;
      },
    },
  },
  'account/logout': { succeeds: async () => ({ as: null }), refuses: {} },
  'account/session': { succeeds: asCustomer(), refuses: {} },
  'account/balance': { succeeds: asCustomer(), refuses: {} },
  'account/affiliate-stats': {
    succeeds: asCustomer(),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/redeem-voucher': {
    succeeds: voucher(),
    refuses: {
      voucher_not_found: asCustomer({ code: 'NO-SUCH-CODE' }),
      voucher_already_redeemed: voucher(
        {},
        "UPDATE vouchers SET redeemed_by = id, redeemed_at = '2027-01-01' WHERE id = $1",
      ),
      voucher_expired: voucher({ expiresAt: Temporal.Instant.from('2027-01-01T00:00:00Z') }),
      voucher_not_applicable: voucher({ worth: { kind: 'credit', amount: 1_000n, currency: 'CHF' } }),
      account_suspended: async (harness) => {
        const call = await voucher()(harness);
        await harness.pool.pg.query("UPDATE accounts SET state = 'suspended' WHERE id = $1", [
          call.as?.accountId,
        ]);
        return call;
      },
      rate_limited: async (harness) => {
        const call = await asCustomer({ code: 'NO-SUCH-CODE' })(harness);
        for (let guess = 0; guess < 10; guess += 1) await harness.call('account/redeem-voucher', call);
        return call;
      },
    },
  },
  'account/update': {
    succeeds: asCustomer({ first_name: 'Grace', locale: 'de', timezone: 'Europe/Vienna' }),
    refuses: {},
  },
  'account/get-address': { succeeds: asCustomer(), refuses: {} },
  'account/save-address': {
    succeeds: asCustomer({ ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid }),
    refuses: {
      validation_failed: asCustomer({ ...GERMAN, zip: '1010' }),
      version_mismatch: asCustomer({ ...GERMAN, expected_version: 7 }),
      rate_limited: async (harness) => {
        const as = await harness.customer();
        await useUp(harness, LIMITS.vatNumber(as.accountId));
        return { as, input: { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid } };
      },
    },
  },
  'account/ledger': { succeeds: asCustomer({ per_page: 10 }), refuses: {} },
  'account/ledger-proof': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      const { entries } = await harness.data('account/ledger', { as });
      return { as, input: { uuid: entries[0].uuid } };
    },
    refuses: { not_found: asCustomer({ uuid: randomUUID() }) },
  },
  'account/events': { succeeds: asCustomer({ types: ['account.transaction_booked'] }), refuses: {} },
  'account/dashboard': { succeeds: asCustomer(), refuses: {} },
  'account/orders': {
    succeeds: async (harness) => ({ as: (await licensed(harness)).as }),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/order': {
    succeeds: async (harness) => {
      const { as } = await licensed(harness);
      const { orders } = await harness.data('account/orders', { as });
      return { as, input: { uuid: orders[0].uuid } };
    },
    refuses: { not_found: asCustomer({ uuid: randomUUID() }) },
  },
  'account/export': {
    succeeds: asCustomer(),
    refuses: {
      state_conflict: async (harness) => {
        const as = await harness.customer();
        // As if it were still under way: the worker of this harness may have finished it.
        await harness.pool.pg.query(
          `WITH task AS (
             INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
             VALUES ($1, $2, 'account.export', 'running', 'account', $2, $3))
           INSERT INTO exports (id, account_id, task_id, created_at, expires_at)
           VALUES ($1, $2, $1, $3, $3::timestamptz + interval '7 days')`,
          [randomUUID(), as.accountId, harness.clock.now().toString()],
        );
        return { as };
      },
    },
  },
  'account/exports': { succeeds: asCustomer(), refuses: {} },
  'account/transactions': {
    succeeds: asCustomer(),
    refuses: { validation_failed: asCustomer({ per_page: 1000 }) },
  },
  'account/invoices': {
    succeeds: async (harness) => ({ as: (await invoiced(harness)).as }),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/invoice': {
    succeeds: async (harness) => {
      const { as, uuid } = await invoiced(harness);
      return { as, input: { uuid } };
    },
    refuses: {
      not_found: async (harness) => ({
        as: await harness.customer(),
        input: { uuid: (await invoiced(harness)).uuid },
      }),
    },
  },
  'account/statement': { succeeds: asCustomer({ month: '2027-01' }), refuses: {} },
  'account/tokens': {
    succeeds: asCustomer(),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/token-create': {
    succeeds: newToken({}),
    refuses: {
      scope_missing: async (harness) => ({
        as: await harness.tokenOf(await harness.customer(), { scopes: ['account:write'] }),
        input: { name: 'test', scopes: ['server:read'] },
      }),
      validation_failed: newToken({ expires_at: '2020-01-01 00:00:00' }),
      ...ownCode({ name: 'test', scopes: ['*'] }),
      ...ownPassword({ name: 'test', scopes: ['*'] }),
    },
  },
  'account/token-revoke': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      return { as, input: { uuid: (await harness.tokenOf(as, {})).tokenId } };
    },
    refuses: {
      not_found: asCustomer({ uuid: randomUUID() }),
      token_restricted: async (harness) => {
        const as = await harness.customer();
        const limited = await harness.tokenOf(as, { ipAllowlist: ['127.0.0.0/8'] });
        return { as: limited, input: { uuid: as.tokenId } };
      },
      impersonation_restricted: async (harness) => {
        const as = await harness.customer();
        const input = { customer_uuid: as.accountId, reason: 'Test' };
        const { token } = await harness.data('staff/impersonate', { as: await harness.operator(), input });
        return { as: { ...as, token }, input: { uuid: as.tokenId } };
      },
    },
  },
  'account/sign-ins': {
    succeeds: asCustomer(),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/session-end': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      return { as, input: { uuid: (await harness.tokenOf(as, { kind: 'session' })).tokenId } };
    },
    refuses: {
      // An API token is no session.
      not_found: async (harness) => {
        const as = await harness.customer();
        return { as, input: { uuid: as.tokenId } };
      },
    },
  },
  'account/services': {
    succeeds: async (harness) => ({ as: (await licensed(harness)).as }),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/topup': {
    succeeds: topup(),
    refuses: {
      validation_failed: topup({ amount: 0.01 }),
      rate_limited: async (harness) => {
        const call = await topup({ method: 'bank' })(harness);
        await useUp(harness, LIMITS.topup(call.as?.accountId ?? ''));
        return call;
      },
    },
  },
  'account/payments': {
    succeeds: asCustomer(),
    refuses: { validation_failed: asCustomer({ page: 1_000_000 }) },
  },
  'account/payment': {
    succeeds: async (harness) => {
      const call = await topup({ method: 'bank' })(harness);
      const { payment } = await harness.data('account/topup', call);
      return { as: call.as, input: { uuid: payment.uuid } };
    },
    refuses: { not_found: asCustomer({ uuid: randomUUID() }) },
  },
  'account/payment-methods': { succeeds: asCustomer(), refuses: {} },
  'account/payment-method-remove': {
    succeeds: async (harness) => {
      const { as, uuid } = await withMethod(harness);
      return { as, input: { uuid } };
    },
    refuses: { not_found: asCustomer({ uuid: randomUUID() }) },
  },
  'account/topup-settings': {
    succeeds: async (harness) => {
      const { as, uuid } = await withMethod(harness);
      const input = { low_balance_threshold: 10, auto_topup: { amount: 25, payment_method_uuid: uuid } };
      return { as, input };
    },
    refuses: {
      validation_failed: asCustomer({
        low_balance_threshold: 10,
        auto_topup: { amount: 25, payment_method_uuid: randomUUID() },
      }),
    },
  },
  'account/renewal-order': {
    succeeds: async (harness) => {
      const { as, uuid } = await licensed(harness);
      return { as, input: { uuids: [uuid] } };
    },
    refuses: { not_found: asCustomer({ uuids: [randomUUID()] }) },
  },
};
