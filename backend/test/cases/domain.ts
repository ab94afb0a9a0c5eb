import { randomUUID } from 'node:crypto';
import { DOMAIN_AUTHCODE } from '../../src/business/domains/transfer/authcode.ts';
import { OWNER } from '../domains.ts';
import type { Cases, Prepare } from './case.ts';
import { domainThereCases } from './domain-there.ts';
import { zoneCases } from './domain-zone.ts';
import { newOrderRefusals, orderRefusals } from './ordering.ts';
import { order, ownCode, registered, someName, unknownDomain, withDomain } from './registered-domain.ts';

const check =
  (domain: string): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { domain } });

const changedOrder =
  (change: () => Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { ...(await order()), ...change() } });

const basket = async () => ({
  names: [{ domain: someName() }, { domain: someName() }],
  contacts: { owner: OWNER },
  tos: true,
  cancellation: true,
});

const changedBasket =
  (change: () => Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { ...(await basket()), ...change() } });

/** Somebody asks for a domain of another customer's with this code. */
const asksForAnothers =
  (code: string): Prepare =>
  async (harness) => {
    const { uuid, domain } = await registered(harness, await harness.customer());
    const sealed = harness.installation.sealer.seal(DOMAIN_AUTHCODE, 'The-Right-Code');
    await harness.pool.pg.query('UPDATE domains SET authcode_sealed = $2 WHERE id = $1', [uuid, sealed]);
    const input = { action: 'transfer', domain, authcode: code, tos: true, cancellation: true };
    return { as: await harness.customer(), input };
  };

const ownTransfer: Prepare = async (harness) => {
  const as = await harness.customer();
  const { domain } = await registered(harness, as);
  return { as, input: { action: 'transfer', domain, authcode: 'x', tos: true, cancellation: true } };
};

const ASKED_FOR = `INSERT INTO domain_transfers (id, domain_id, direction, state, requested_at, act_at, due_at)
  VALUES (gen_random_uuid(), $1, 'out', 'pending', '2027-01-15', '2027-01-20', '2027-01-20')`;

export const cases: Cases = {
  ...domainThereCases,
  ...zoneCases,
  'domain/order': {
    succeeds: changedOrder(() => ({})),
    refuses: {
      ...orderRefusals(() => order()),
      ...newOrderRefusals(() => order()),
      validation_failed: changedOrder(() => ({ use_account_address: true })),
      not_found: changedOrder(() => ({ action: 'renew', contacts: undefined })),
      state_conflict: ownTransfer,
      domain_not_available: changedOrder(() => ({ domain: someName('com', 'taken') })),
      backend_unavailable: changedOrder(() => ({ domain: someName('com', 'down') })),
      transfer_locked: asksForAnothers('The-Right-Code'),
      authcode_invalid: asksForAnothers('A-Wrong-Code'),
      contact_incomplete: changedOrder(() => ({ contacts: undefined })),
      premium_not_confirmed: changedOrder(() => ({ domain: someName('com', 'premium') })),
      unsupported_tld: changedOrder(() => ({ domain: 'example.zz' })),
      not_supported_for_tld: changedOrder(() => ({
        domain: someName('co.uk'),
        action: 'transfer',
        authcode: 'x',
      })),
      period_not_allowed: changedOrder(() => ({ domain: someName('de'), period: 7 })),
    },
  },
  'domain/order-many': {
    succeeds: changedBasket(() => ({})),
    refuses: {
      ...orderRefusals(basket),
      ...newOrderRefusals(basket),
      not_found: changedBasket(() => ({ contacts: { owner: { contact_uuid: randomUUID() } } })),
      contact_incomplete: changedBasket(() => ({ contacts: undefined })),
      order_items_refused: changedBasket(() => ({ names: [{ domain: 'example.zz' }] })),
      validation_failed: changedBasket(() => ({ names: [] })),
    },
  },
  'domain/details': { succeeds: withDomain(), refuses: { not_found: unknownDomain() } },
  'domain/list': {
    succeeds: async (harness) => ({ as: await harness.customer() }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } }),
    },
  },
  'domain/settings': {
    succeeds: withDomain(() => ({ auto_renew: false })),
    refuses: {
      not_found: unknownDomain({ auto_renew: false }),
      version_mismatch: withDomain(() => ({ expected_version: 77 })),
      state_conflict: withDomain(
        () => ({ auto_renew: false }),
        "UPDATE services SET state = 'deleted' WHERE id = $1",
      ),
      ...ownCode({ transfer_lock: false }),
    },
  },
  'domain/cancel': {
    succeeds: withDomain((domain) => ({ confirm: domain })),
    refuses: {
      not_found: unknownDomain({ confirm: 'example.com' }),
      confirmation_mismatch: withDomain(() => ({ confirm: 'another.com' })),
      resource_protected: withDomain(
        (domain) => ({ confirm: domain }),
        'UPDATE domains SET protection = true WHERE id = $1',
      ),
      state_conflict: withDomain(() => ({ mode: 'revoke' })),
      withdrawal_not_available: withDomain((domain) => ({ mode: 'withdraw', confirm: domain })),
    },
  },
  'domain/transfer-answer': {
    succeeds: withDomain(() => ({ answer: 'reject' }), ASKED_FOR),
    refuses: {
      not_found: unknownDomain({ answer: 'reject' }),
      state_conflict: withDomain(() => ({ answer: 'reject' })),
      resource_protected: withDomain(
        () => ({ answer: 'approve' }),
        `WITH asked AS (${ASKED_FOR}) UPDATE domains SET protection = true WHERE id = $1`,
      ),
      ...ownCode({ answer: 'approve' }, ASKED_FOR),
    },
  },
  'domain/check': {
    succeeds: check('hostkeep-every-operation.com'),
    refuses: { unsupported_tld: check('example.zz') },
  },
  'domain/pricelist': {
    succeeds: async () => ({ as: null }),
    refuses: { validation_failed: async () => ({ as: null, input: { currency: 'XTS' } }) },
  },
};
