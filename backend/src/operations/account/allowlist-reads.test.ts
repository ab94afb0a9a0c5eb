import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { operations } from '../../operations.generated.ts';

const fixture = await openFixture();
const { data, refused, call } = openRequests(fixture);
const owner = await fixture.customer(100_000n);
const token = owner.secret;
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
const [mine, other] = [
  await data('panel/order', order, { token }),
  await data('panel/order', order, { token }),
];
const narrowed = { name: 'one', scopes: ['*'], resource_allowlist: [mine.license_uuid] };
const narrow: string = (await data('account/token-create', narrowed, { token })).token;

test('a token for one thing reads no address, nothing that was paid and nobody who works there', async () => {
  for (const path of [
    'affiliate-stats',
    'balance',
    'dashboard',
    'export',
    'exports',
    'get-address',
    'invoices',
    'ledger',
    'payment-methods',
    'payments',
    'statement',
    'tokens',
    'transactions',
    'users',
    'webhooks',
  ])
    await refused('token_restricted', `account/${path}`, {}, { token: narrow });
});

test('of account/ it may call what keeps to its things, and nothing that was forgotten', () => {
  const open = operations.filter(
    ({ path, audience, security, wholeAccount }) =>
      path.startsWith('account/') && audience !== 'public' && !security && !wholeAccount,
  );
  assert.deepEqual(
    open.map(({ path }) => path.replace('account/', '')),
    ['events', 'order', 'orders', 'renewal-order', 'services', 'session', 'token-revoke'],
  );
});

test('what it may call shows its own things alone', async () => {
  const sent = { token: narrow };
  const { services } = await data('account/services', {}, sent);
  assert.deepEqual(
    services.map(({ uuid }: { uuid: string }) => uuid),
    [mine.license_uuid],
  );
  const { orders } = await data('account/orders', {}, sent);
  assert.deepEqual(
    orders.map(({ uuid }: { uuid: string }) => uuid),
    [mine.order_id],
  );
  await refused('not_found', 'account/order', { uuid: other.order_id }, sent);
  await refused('not_found', 'account/renewal-order', { uuids: [other.license_uuid] }, sent);
  const { events } = await data('account/events', {}, sent);
  assert.ok(events.length > 0);
  for (const { resource } of events) assert.equal(resource.uuid, mine.license_uuid);
  assert.equal((await call('account/session', {}, sent)).status, 200);
});
