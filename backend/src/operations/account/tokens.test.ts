import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { wireTime } from '../../base/time.ts';
import { issueToken, newTokenSecret } from '../../business/core/access/token.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);

test('tokens are listed with what they may do and what became of them, newest first', async () => {
  const { secret: token } = await fixture.customer(0n);
  const create = (name: string, more: object = {}) =>
    data('account/token-create', { name, scopes: ['panel:read'], ...more }, { token });
  const later = (minutes: number) => wireTime(fixture.clock.now().add({ minutes }));
  await create('expires', { expires_at: later(1) });
  fixture.clock.set(fixture.clock.now().add({ minutes: 2 }));
  const gone = await create('revoked');
  await data('account/token-revoke', { uuid: gone.uuid }, { token });
  fixture.clock.set(fixture.clock.now().add({ minutes: 1 }));
  await create('limited 100%', {
    spending_limit_per_day: 12.5,
    dry_run_only: true,
    ip_allowlist: ['192.0.2.1'],
  });
  const list = async (filter: object = {}) =>
    (await data('account/tokens', filter, { token })).tokens as {
      name: string;
      state: string;
      current: boolean;
    }[];

  const all = await list();
  assert.deepEqual(
    all.map(({ name, state, current }) => [name, state, current]),
    [
      ['limited 100%', 'active', false],
      ['revoked', 'revoked', false],
      ['expires', 'expired', false],
      ['test', 'active', true],
    ],
  );
  const { uuid, created_at, ...limited } = { ...(all[0] as object) } as Record<string, unknown>;
  assert.deepEqual(limited, {
    name: 'limited 100%',
    type: 'api',
    scopes: ['panel:read'],
    ip_allowlist: ['192.0.2.1/32'],
    resource_allowlist: null,
    spending_limit: { per_day: 12.5, remaining_today: 12.5 },
    expires_at: null,
    last_used_at: null,
    state: 'active',
    current: false,
    may_order_new: false,
    dry_run_only: true,
    revoked_at: null,
  });
  const names = async (filter: object) => (await list(filter)).map((one) => one.name);
  assert.deepEqual(await names({ state: 'active' }), ['limited 100%', 'test']);
  assert.deepEqual(await names({ state: 'expired' }), ['expires']);
  assert.deepEqual(await names({ state: 'revoked' }), ['revoked']);
  assert.deepEqual(await names({ search: '100%' }), ['limited 100%']);
  assert.deepEqual(await names({ search: '_' }), []);
  assert.deepEqual(await names({ order: 'asc', per_page: 2, page: 2 }), ['revoked', 'limited 100%']);
  assert.deepEqual(await names({ type: 'session' }), []);
});

test('owners see everybody’s tokens, others their own, and nobody another customer’s', async () => {
  const owner = await fixture.customer(0n);
  await fixture.customer(0n);
  const now = fixture.clock.now();
  const userId = owner.accountId.replace(/^.{8}/, 'ffffffff');
  await fixture.pool.pg.query(
    `INSERT INTO users (id, account_id, email, first_name, last_name, locale, timezone, role, state, created_at)
     VALUES ($1, $2, 'sub@example.com', '', '', 'en', 'UTC', 'technical', 'active', $3)`,
    [userId, owner.accountId, now.toString()],
  );
  const secret = newTokenSecret();
  const draft = {
    accountId: owner.accountId,
    userId,
    kind: 'api',
    name: 'sub',
    scopes: ['*'],
    expiresAt: null,
  } as const;
  await issueToken(fixture.pool, draft, secret, now);
  const seen = async (token: string) =>
    (await data('account/tokens', {}, { token })).tokens.map((one: { name: string }) => one.name).sort();
  assert.deepEqual(await seen(owner.secret), ['sub', 'test']);
  assert.deepEqual(await seen(secret), ['sub']);
  const mine = (await data('account/tokens', { search: 'test' }, { token: owner.secret })).tokens[0].uuid;
  await refused('not_found', 'account/token-revoke', { uuid: mine }, { token: secret });
});

test('a list ends where paging by offset does', async () => {
  const { secret: token } = await fixture.customer(0n);
  const body = await refused('validation_failed', 'account/tokens', { page: 1000, per_page: 100 }, { token });
  assert.equal(body.errors[0].pointer, '/page');
});
