import { randomBytes, randomUUID } from 'node:crypto';
import { networkOf } from '../../src/base/ip.ts';
import { attempt, bucketOf } from '../../src/business/accounts/attempt.ts';
import { type Harness, openHarness } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';

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

export const cases: Cases = {
  'account/register': {
    succeeds: register({}),
    refuses: {
      terms_not_accepted: register({ tos: false }),
      validation_failed: register({ password: 'abcabcabcabc' }),
      already_exists: async (harness) => ({
        as: null,
        input: { ...somebody(), email: (await registered(harness)).email },
      }),
      registration_restricted: async (harness) => ({
        as: null,
        input: somebody(),
        on: await openHarness({ settings: { registration: 'closed' }, seen: harness.seen }),
      }),
      rate_limited: async ({ pool, clock }) => {
        const ip = '198.51.100.1';
        const bucket = bucketOf('register-from', networkOf(ip));
        const limit = { bucket, limit: 60, windowSeconds: 3600 };
        for (let times = 0; times < limit.limit; times += 1) await attempt(pool, [limit], clock.now());
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
  'account/transactions': {
    succeeds: asCustomer(),
    refuses: { validation_failed: asCustomer({ per_page: 1000 }) },
  },
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
      token_restricted: async (harness) => ({
        as: await harness.tokenOf(await harness.customer(), { ipAllowlist: ['127.0.0.0/8'] }),
        input: { name: 'test', scopes: ['*'] },
      }),
      validation_failed: newToken({ expires_at: '2020-01-01 00:00:00' }),
    },
  },
  'account/token-revoke': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      return { as, input: { uuid: (await harness.tokenOf(as, {})).tokenId } };
    },
    refuses: { not_found: asCustomer({ uuid: randomUUID() }) },
  },
};
