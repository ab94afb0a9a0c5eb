import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);
const terms = { duration: 1, tos: true, cancellation: true };

test('an order explains its price and says what was agreed to, when and from where', async () => {
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret, ip: '2001:db8::7' };
  const ordered = await data('panel/order', { ...terms, pack_uuid: LICENSE, duration: 3 }, sent);
  const { order } = await data('account/order', { uuid: ordered.order_id }, sent);
  const { version, en } = fixture.catalog.terms;
  assert.deepEqual(order, {
    ...order,
    uuid: ordered.order_id,
    product: 'license',
    action: 'create',
    state: 'completed',
    resource: { type: 'license', uuid: ordered.license_uuid },
    duration: 3,
    duration_unit: 'month',
    period_from: '2027-01-15 12:00:00',
    period_to: '2027-04-15 12:00:00',
    gross: ordered.charged.gross,
    tax: ordered.charged.tax,
    net: ordered.charged.net,
    refunded: 0,
    currency: 'EUR',
    transaction_uuid: ordered.transaction_uuid,
    invoice_uuid: null,
    price_version: fixture.catalogs.current().version,
    tax_rate: 19,
    tax_kind: 'standard',
    refunds: [],
    consent: {
      terms_version: version,
      consent_hash: createHash('sha256')
        .update(JSON.stringify(['en', en.tos, en.cancellation]))
        .digest('hex'),
      created_at: order.created_at,
      consent_ip: '2001:db8::7',
    },
  });
  const nets = order.lines.reduce((sum: number, line: { net: number }) => sum + line.net, 0);
  assert.equal(nets - order.discount, order.net);
});

test('orders are listed by state, product, thing and text, the newest first', async () => {
  const who = await fixture.customer(100_000n);
  const sent = { token: who.secret };
  const first = await data('panel/order', { ...terms, pack_uuid: LICENSE }, sent);
  fixture.clock.set(fixture.clock.now().add({ seconds: 1 }));
  const second = await data('panel/order', { ...terms, pack_uuid: DEAR_LICENSE }, sent);
  fixture.clock.set(fixture.clock.now().add({ seconds: 1 }));
  const renewed = await data('panel/renew', { uuid: first.license_uuid, duration: 1 }, sent);
  const listed = async (input: object) =>
    (await data('account/orders', input, sent)).orders.map((order: { uuid: string }) => order.uuid);
  assert.deepEqual(await listed({}), [renewed.order_id, second.order_id, first.order_id]);
  assert.deepEqual(await listed({ order: 'asc', per_page: 1, page: 2 }), [second.order_id]);
  assert.deepEqual(await listed({ state: 'pending' }), []);
  assert.deepEqual(await listed({ product: 'server' }), []);
  assert.deepEqual(await listed({ resource_uuid: first.license_uuid }), [renewed.order_id, first.order_id]);
  assert.deepEqual(await listed({ search: 'dear' }), [second.order_id]);
  assert.equal((await data('account/order', { uuid: renewed.order_id }, sent)).order.consent, null);
  const { pagination } = await data('account/orders', { per_page: 2 }, sent);
  assert.deepEqual(pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
});

test('refunds of an order are shown with it, with their credit notes', async () => {
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret };
  const { order_id } = await data('panel/order', { ...terms, pack_uuid: LICENSE }, sent);
  const [id, entry, note] = [randomUUID(), randomUUID(), randomUUID()];
  await fixture.pool.kysely
    .insertInto('refunds')
    .values({
      id,
      account_id: who.accountId,
      order_id,
      basis: 'goodwill',
      gross: 119n,
      tax: 19n,
      period_from: fixture.clock.now(),
      reason: 'Outage',
      entry_id: entry,
      created_by: null,
      created_at: fixture.clock.now(),
      invoice_id: note,
    })
    .execute();
  const { order } = await data('account/order', { uuid: order_id }, sent);
  assert.equal(order.refunded, 1.19);
  const [refund] = order.refunds;
  assert.deepEqual(
    [refund.uuid, refund.gross, refund.tax, refund.transaction_uuid, refund.credit_note_uuid, refund.basis],
    [id, 1.19, 0.19, entry, note, 'goodwill'],
  );
});

test('orders of others, and of things that a token is not for, are not there', async () => {
  const [who, other] = [await fixture.customer(10_000n), await fixture.customer(0n)];
  const sent = { token: who.secret };
  const { order_id, license_uuid } = await data('panel/order', { ...terms, pack_uuid: LICENSE }, sent);
  await refused('not_found', 'account/order', { uuid: order_id }, { token: other.secret });
  const narrow = async (uuid: string) =>
    (
      await data(
        'account/token-create',
        { name: 'narrow', scopes: ['account:read'], resource_allowlist: [uuid] },
        sent,
      )
    ).token;
  const [its, anothers] = [await narrow(license_uuid), await narrow(randomUUID())];
  await data('account/order', { uuid: order_id }, { token: its });
  assert.equal((await data('account/orders', {}, { token: its })).pagination.total, 1);
  await refused('not_found', 'account/order', { uuid: order_id }, { token: anothers });
  assert.equal((await data('account/orders', {}, { token: anothers })).pagination.total, 0);
});
