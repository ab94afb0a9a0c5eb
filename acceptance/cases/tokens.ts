import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { cheapestPackage, licenseOrder, orderedLicense } from '../catalogue.ts';
import { balanceMinor, newCustomer } from '../customer.ts';
import { licenseOrder as orderShape } from '../documented/interface.ts';
import { session as sessionShape } from '../documented/payloads.ts';
import { refusal, success } from '../envelope.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, numberAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';

/** API tokens: what each may do, from where, how long, for how much, and that it ends when revoked. */
export function tokenCases({ api }: Installation, operator: Operator | null): void {
  test('account/session answers every documented field of account and token', async () => {
    const data = success(await api.get('account/session'), sessionShape);
    assert.equal(at(data, '/token/type'), 'api');
    assert.deepEqual(at(data, '/token/scopes'), ['*']);
  });

  test('a token is shown once, and never again', async () => {
    const { token, uuid } = await created(api, { name: 'shown once', scopes: ['panel:read'] });
    assert.match(token, /^hk_/);
    const listed = await api.get('account/tokens', { per_page: 100 });
    const mine = listAt(success(listed), '/tokens').find((one) => stringAt(one, '/uuid') === uuid);
    assert.ok(mine, 'account/tokens lists it');
    assert.ok(!listed.text.includes(token), 'without its secret');
  });

  test('a token does what its scopes say, and nothing else', async () => {
    const { token } = await created(api, { name: 'reader', scopes: ['panel:read'] });
    const reader = api.as(token);
    success(await reader.get('panel/list'));
    const order = await reader.post('panel/order', licenseOrder(await cheapestPackage(api)));
    assert.notEqual(stringAt(refusal(order, 403, 'scope_missing'), '/required_scope'), '');
    refusal(await reader.get('server/list'), 403, 'scope_missing');
    refusal(await reader.get('account/balance'), 403, 'scope_missing');
  });

  test('a token cannot make a token that may do more than itself', async () => {
    const { token } = await created(api, { name: 'maker', scopes: ['panel:read', 'account:write'] });
    const maker = api.as(token);
    const more = await maker.post('account/token-create', { name: 'more', scopes: ['*'] });
    refusal(more, 403, 'scope_missing');
    success(await maker.post('account/token-create', { name: 'less', scopes: ['panel:read'] }));
  });

  test('a scope that does not exist is refused', async () => {
    for (const scopes of [['panel:fly'], [''], ['**'], 'panel:read', [7], []]) {
      const answer = await api.post('account/token-create', { name: 'odd', scopes });
      refusal(answer, 422, 'validation_failed');
    }
  });

  test('a token expires when it was told to', async () => {
    const now = stringAt(success(await api.get('account/session')), '/server_time');
    const past = await api.post('account/token-create', { name: 'past', scopes: ['*'], expires_at: now });
    refusal(past, 422, 'validation_failed');
    const expires_at = new Date(Date.parse(`${now.replace(' ', 'T')}Z`) + 20_000);
    const { token } = await created(api, {
      name: 'short',
      scopes: ['*'],
      expires_at: expires_at.toISOString().slice(0, 19).replace('T', ' '),
    });
    success(await api.as(token).get('account/balance'));
    await eventually('the expiry', async () => {
      const answer = await api.as(token).get('account/balance');
      return answer.status === 200 ? undefined : refusal(answer, 401, 'token_expired');
    });
  });

  test('a token works only from the addresses it names', async () => {
    const elsewhere = await created(api, { name: 'away', scopes: ['*'], ip_allowlist: ['192.0.2.0/24'] });
    refusal(await api.as(elsewhere.token).get('account/balance'), 403, 'ip_not_allowed');
    const here = ['0.0.0.0/0', '::/0'];
    const anywhere = await created(api, { name: 'here', scopes: ['*'], ip_allowlist: here });
    success(await api.as(anywhere.token).get('account/balance'));
  });

  test('a token with a resource allowlist finds nothing else', async () => {
    const [allowed, other] = [await orderedLicense(api), await orderedLicense(api)];
    const uuid = stringAt(allowed, '/license_uuid');
    const { token } = await created(api, { name: 'one', scopes: ['*'], resource_allowlist: [uuid] });
    success(await api.as(token).get('panel/details', { uuid }));
    const hidden = await api.as(token).get('panel/details', { uuid: other.license_uuid });
    refusal(hidden, 404, 'not_found');
  });

  test('a token with a spending limit stops there, also when orders come at once', async () => {
    const pack = await cheapestPackage(api);
    const quoted = success(await api.post('panel/order', licenseOrder(pack, { dry_run: true })));
    const gross = numberAt(quoted, '/quote/gross_minor');
    const limit = (2 * gross) / 100;
    const limited = await created(api, { name: 'two', scopes: ['*'], spending_limit_per_day: limit });
    const spender = api.as(limited.token);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => spender.post('panel/order', licenseOrder(pack))),
    );
    const paid = answers.filter((answer) => answer.status === 200);
    assert.equal(paid.length, 2);
    for (const answer of paid) success(answer, orderShape);
    for (const answer of answers.filter((one) => one.status !== 200)) {
      refusal(answer, 403, 'spending_limit_exceeded');
    }
    const session = success(await spender.get('account/session'), sessionShape);
    assert.deepEqual(at(session, '/token/spending_limit'), { per_day: limit, remaining_today: 0 });
  });

  test('a revoked token is refused through every base address within a second', async () => {
    const { token, uuid } = await created(api, { name: 'gone', scopes: ['*'] });
    const holder = api.as(token);
    await Promise.all(
      api.bases.map(async (base) => success(await holder.call('GET', 'account/balance', { base }))),
    );
    success(await api.post('account/token-revoke', { uuid }));
    const revokedAt = performance.now();
    await Promise.all(
      api.bases.map((base) =>
        eventually('the refusal', async () => {
          const sentAt = performance.now();
          const answer = await holder.call('GET', 'account/balance', { base });
          if (answer.status !== 200) return refusal(answer, 401, 'token_revoked');
          assert.ok(sentAt - revokedAt < 1000, 'accepted a second after it was revoked');
          return undefined;
        }),
      ),
    );
    const order = licenseOrder(await cheapestPackage(api));
    refusal(await holder.post('panel/order', order), 401, 'token_revoked');
  });

  test('a revoked token buys nothing, from the moment the revocation is answered', async () => {
    const { token, uuid } = await created(api, { name: 'buyer', scopes: ['*'] });
    const buyer = api.as(token);
    const order = licenseOrder(await cheapestPackage(api));
    success(await buyer.post('panel/order', order));
    success(await api.post('account/token-revoke', { uuid }));
    const answers = await Promise.all(
      [...api.bases, ...api.bases].map((base) => buyer.call('POST', 'panel/order', { json: order, base })),
    );
    for (const answer of answers) refusal(answer, 401, 'token_revoked');
  });

  if (operator) {
    test('a customer whom the operator made has the balance given, and the printed token speaks for them', async () => {
      const email = `customer-${randomUUID()}@example.com`;
      const uuid = await operator.createCustomer(email, '12.34');
      const customer = api.as(await operator.token(email, 'account:read'));
      const session = success(await customer.get('account/session'), sessionShape);
      assert.equal(at(session, '/account/uuid'), uuid);
      assert.equal(at(session, '/account/email'), email);
      assert.deepEqual(at(session, '/token/scopes'), ['account:read']);
      assert.equal(await balanceMinor(customer), 1234);
    });

    test('the license key is masked in lists unless the token may read keys', async () => {
      const customer = await newCustomer(api, operator, 100_000);
      const order = await orderedLicense(customer.api);
      const { token } = await created(customer.api, { name: 'list', scopes: ['panel:read'] });
      const masked = success(await customer.api.as(token).get('panel/list'));
      assert.notEqual(at(masked, '/licenses/0/license_key'), order.license_key);
      const key = await created(customer.api, { name: 'key', scopes: ['panel:read', 'panel:read_key'] });
      const shown = success(await customer.api.as(key.token).get('panel/list'));
      assert.equal(at(shown, '/licenses/0/license_key'), order.license_key);
    });
  }
}

async function created(
  api: Api,
  request: Record<string, unknown>,
): Promise<{ token: string; uuid: string; data: JsonObject }> {
  const data = success(await api.post('account/token-create', request));
  return { token: stringAt(data, '/token'), uuid: stringAt(data, '/uuid'), data };
}
