import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAIN_ORDER, openDomains } from '../../../test/domains.ts';
import { SERVER_ORDER } from '../../../test/servers.ts';

const domains = await openDomains();
const { requests } = domains;
const { call, data, refused } = requests;

const who = await domains.customer(100_000n);
const whole = { token: who.secret };
const mine = await domains.register(who, 'mine.com');
const SERVER = { ...SERVER_ORDER, tos: true, cancellation: true };
const ORDERS = [
  ['server/order', SERVER],
  ['server/order', { ...SERVER, dry_run: true }],
  ['domain/order', { ...DOMAIN_ORDER, domain: 'new.com' }],
  ['domain/order', { ...DOMAIN_ORDER, domain: 'moved.com', action: 'transfer', authcode: 'secret' }],
] as const;

const made = async (more: object) =>
  (
    await data(
      'account/token-create',
      { name: 'one', scopes: ['*'], resource_allowlist: [mine], ...more },
      whole,
    )
  ).token as string;

test('a token for certain things orders nothing new, also with a budget, and keeps what it has', async () => {
  for (const token of [await made({}), await made({ spending_limit_per_day: 100 })]) {
    for (const [path, input] of ORDERS) await refused('token_restricted', path, input, { token });
  }
  const token = await made({});
  const renewal = { ...DOMAIN_ORDER, action: 'renew', domain: 'mine.com', use_account_address: undefined };
  assert.notEqual((await call('domain/order', renewal, { token })).body.error, 'token_restricted');
});

test('given it expressly, it orders as far as its budget goes', async () => {
  const token = await made({ may_order_new: true, spending_limit_per_day: 30 });
  const received = await call('domain/order', { ...DOMAIN_ORDER, domain: 'new.com' }, { token });
  assert.equal(received.status, 202, received.text);
  await refused('not_found', 'domain/details', { uuid: received.body.data.domain_uuid }, { token });
  let answer = received;
  for (let at = 0; answer.status === 202; at += 1)
    answer = await call('domain/order', { ...DOMAIN_ORDER, domain: `new-${at}.com` }, { token });
  assert.equal(answer.body.error, 'spending_limit_exceeded');
});

test('it is given only to tokens for certain things, and only with a budget', async () => {
  const refusedAt = async (input: object) =>
    (
      await refused(
        'validation_failed',
        'account/token-create',
        { name: 'one', scopes: ['*'], ...input },
        whole,
      )
    ).errors[0].pointer;
  const budget = { spending_limit_per_day: 30 };
  assert.equal(
    await refusedAt({ may_order_new: true, resource_allowlist: [mine] }),
    '/spending_limit_per_day',
  );
  assert.equal(await refusedAt({ may_order_new: true, ...budget }), '/may_order_new');
  const told = await data(
    'account/token-create',
    { name: 'one', scopes: ['*'], resource_allowlist: [mine], may_order_new: true, ...budget },
    whole,
  );
  assert.equal(told.may_order_new, true);
  const { tokens } = await data('account/tokens', {}, whole);
  assert.deepEqual(tokens.filter(({ may_order_new }: { may_order_new: boolean }) => may_order_new).length, 2);
});
