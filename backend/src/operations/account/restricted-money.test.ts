import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { data, refused, call } = requests;
const people = openPeople(fixture, requests);

async function kept(accountId: string): Promise<string> {
  const id = randomUUID();
  await fixture.pool.pg.query(
    `INSERT INTO payment_methods (id, account_id, provider, provider_ref, label, created_at)
     VALUES ($1, $2, 'sandbox', $3, 'Visa 4242', $4)`,
    [id, accountId, id, fixture.clock.now().toString()],
  );
  return id;
}
const charging = (method: string) => ({
  low_balance_threshold: 5000,
  auto_topup: { amount: 5000, payment_method_uuid: method },
});

test('neither an operator in their place nor a token with a budget has their card charged', async () => {
  const ada = await people.owner();
  const method = await kept(ada.accountId);
  const input = { customer_uuid: ada.accountId, reason: 'Ticket 1' };
  const { token } = await data('staff/impersonate', input, { token: await staffToken(fixture) });
  await refused('impersonation_restricted', 'account/topup-settings', charging(method), { token });
  const budget = { name: 'shop', scopes: ['account:write'], spending_limit_per_day: 1, password: PASSWORD };
  const limited = (await data('account/token-create', budget, ada.sent)).token;
  await refused('token_restricted', 'account/topup-settings', charging(method), { token: limited });
});

test('a limited token, and an operator in their place, end themselves and no other token', async () => {
  const ada = await people.owner();
  const input = { customer_uuid: ada.accountId, reason: 'Ticket 1' };
  const seen = await data('staff/impersonate', input, { token: await staffToken(fixture) });
  const limits = {
    name: 'one',
    scopes: ['account:write'],
    resource_allowlist: [randomUUID()],
    password: PASSWORD,
  };
  const limited = await data('account/token-create', limits, ada.sent);
  const { token, uuid } = await data(
    'account/token-create',
    { name: 'main', scopes: ['*'], password: PASSWORD },
    ada.sent,
  );
  await refused('token_restricted', 'account/token-revoke', { uuid }, { token: limited.token });
  await refused('impersonation_restricted', 'account/token-revoke', { uuid }, { token: seen.token });
  assert.equal((await call('account/session', {}, { token })).status, 200);
  await data('account/token-revoke', { uuid: limited.uuid }, { token: limited.token });
  await data('account/token-revoke', { uuid: seen.token_uuid }, { token: seen.token });
});
