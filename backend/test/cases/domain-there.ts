import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../src/business/core/access/limits.ts';
import type { MailSecrets } from '../../src/business/notifications/mail/template.ts';
import { OWNER } from '../domains.ts';
import type { Caller, Harness } from '../harness.ts';
import { mailedToken } from '../mailed.ts';
import type { Cases, OperationCases, Prepare } from './case.ts';
import { useUp, whileLocked } from './people.ts';
import { order, ownCode, registered, unknownDomain, withDomain } from './registered-domain.ts';

const SECOND_CONTACT = { contacts: { tech: { ...OWNER, street: 'Neue Straße' } } };
const SERVERS = { nameservers: [{ hostname: 'ns1.example.net' }, { hostname: 'ns2.example.net' }] };
const NO_LINK = 'A'.repeat(43);

/** Another owner of a domain, for whom its registry asks a fee. */
const trade = () => ({ accept_trade: true, contacts: { owner: { ...OWNER, last_name: 'Andere' } } });

/** How what costs something is refused. */
function paid(more: () => Record<string, unknown>, tld: string): OperationCases['refuses'] {
  const then =
    (sql: string): Prepare =>
    async (harness) => {
      const { as, input } = await withDomain(more, undefined, tld)(harness);
      await harness.pool.pg.query(sql, [as?.accountId]);
      return { as, input };
    };
  return {
    insufficient_funds: then('UPDATE accounts SET balance = 0 WHERE id = $1'),
    account_suspended: then("UPDATE accounts SET state = 'suspended' WHERE id = $1"),
    spending_limit_exceeded: async (harness) => {
      const { as, input } = await withDomain(more, undefined, tld)(harness);
      if (as === null) throw new Error('a domain is somebody’s');
      return { as: await harness.tokenOf(as, { spendingLimit: 1n }), input };
    },
  };
}

/** A domain whose owner has an address of their own, with what they were mailed. */
async function mailedTo(
  harness: Harness,
  template: keyof MailSecrets,
): Promise<{ readonly as: Caller; readonly token: string }> {
  const as = await harness.customer();
  const email = `${randomUUID()}@example.org`;
  const owner = { ...OWNER, email };
  const input = { ...(await order()), contacts: { owner } };
  const { domain_uuid: uuid } = await harness.data('domain/order', {
    as,
    input,
    headers: { prefer: 'wait=30' },
  });
  if (template === 'domain.owner-change') {
    const contacts = { owner: { ...owner, last_name: 'Andere' } };
    await harness.data('domain/contact-update', { as, input: { uuid, contacts, accept_trade: true } });
  }
  const mailing = { pool: harness.pool, sealer: harness.installation.sealer };
  return { as, token: await mailedToken(mailing, template, email) };
}

const byLink = (template: keyof MailSecrets): OperationCases => ({
  succeeds: async (harness) => ({
    as: null,
    input: { token: (await mailedTo(harness, template)).token },
  }),
  refuses: {
    link_invalid: async () => ({ as: null, input: { token: NO_LINK } }),
    resource_locked: async (harness) => {
      const { token } = await mailedTo(harness, template);
      return await whileLocked(harness, { as: null, input: { token } });
    },
  },
});

/** As if it had been registered long ago. */
const OLD = "UPDATE domains SET transfer_lock_until = NULL, statuses = '[]' WHERE id = $1";

export const domainThereCases: Cases = {
  'domain/contact-get': { succeeds: withDomain(), refuses: { not_found: unknownDomain() } },
  'domain/contacts': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      await registered(harness, as);
      return { as };
    },
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } }),
    },
  },
  'domain/contact-update': {
    succeeds: withDomain(() => ({ contacts: { tech: OWNER } })),
    refuses: {
      not_found: unknownDomain(SECOND_CONTACT),
      version_mismatch: withDomain(() => ({ ...SECOND_CONTACT, expected_version: 77 })),
      state_conflict: withDomain(
        () => SECOND_CONTACT,
        "UPDATE domains SET state = 'redemption' WHERE id = $1",
      ),
      contact_incomplete: withDomain(
        () => ({ contacts: { tech: OWNER } }),
        'UPDATE domains SET owner_id = NULL WHERE id = $1',
      ),
      trade_required: withDomain(() => ({ ...trade(), accept_trade: false })),
      ...ownCode(trade()),
      ...paid(trade, 'fr'),
    },
  },
  'domain/contact-approve': byLink('domain.owner-change'),
  'domain/contact-verify': byLink('domain.contact-verification'),
  'domain/contact-verify-resend': {
    succeeds: withDomain(),
    refuses: {
      not_found: unknownDomain(),
      state_conflict: withDomain(
        undefined,
        `UPDATE contacts SET verification = 'verified', verification_deadline = NULL
         WHERE id = (SELECT owner_id FROM domains WHERE id = $1)`,
      ),
      rate_limited: async (harness) => {
        const { as, input } = await withDomain()(harness);
        await useUp(harness, LIMITS.verification(as?.userId ?? ''));
        return { as, input };
      },
    },
  },
  'domain/whois-privacy-get': { succeeds: withDomain(), refuses: { not_found: unknownDomain() } },
  'domain/whois-privacy-update': {
    succeeds: withDomain(() => ({ enabled: true })),
    refuses: {
      not_found: unknownDomain({ enabled: true }),
      state_conflict: withDomain(
        () => ({ enabled: false }),
        "UPDATE domains SET state = 'redemption' WHERE id = $1",
      ),
      not_supported_for_tld: withDomain(() => ({ enabled: true }), undefined, 'de'),
      ...paidPrivacy(),
    },
  },
  'domain/nameservers': {
    succeeds: withDomain(() => SERVERS),
    refuses: {
      not_found: unknownDomain(SERVERS),
      version_mismatch: withDomain(() => ({ ...SERVERS, expected_version: 77 })),
      state_conflict: withDomain(() => SERVERS, "UPDATE domains SET state = 'redemption' WHERE id = $1"),
      validation_failed: withDomain(() => ({ mode: 'custom' })),
      delegation_check_failed: withDomain(() => ({
        nameservers: [{ hostname: 'lame1.example.net' }, { hostname: 'ns2.example.net' }],
      })),
    },
  },
  'domain/authcode': {
    succeeds: withDomain(() => ({ unlock: true }), OLD),
    refuses: {
      not_found: unknownDomain(),
      state_conflict: withDomain(undefined, "UPDATE domains SET state = 'redemption' WHERE id = $1"),
      transfer_locked: withDomain(),
      resource_protected: withDomain(undefined, 'UPDATE domains SET protection = true WHERE id = $1'),
      not_supported_for_tld: withDomain(undefined, "UPDATE domains SET tld = 'co.uk' WHERE id = $1"),
      ...ownCode({}, OLD),
    },
  },
  'domain/transfer': { succeeds: withDomain(), refuses: { not_found: unknownDomain() } },
};

/** What a name costs whose TLD asks something to hide its owner, and shows them now. */
function paidPrivacy(): OperationCases['refuses'] {
  const shown = paid(() => ({ enabled: true }), 'io');
  return Object.fromEntries(
    Object.entries(shown).map(([code, prepare]) => [
      code,
      async (harness: Harness) => {
        const call = await prepare(harness);
        const { uuid } = call.input as { uuid: string };
        await harness.pool.pg.query('UPDATE domains SET whois_privacy = false WHERE id = $1', [uuid]);
        return call;
      },
    ]),
  );
}
