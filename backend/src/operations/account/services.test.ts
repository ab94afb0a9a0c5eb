import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import { issueToken, newTokenSecret } from '../../business/core/access/token.ts';

const site = await openServers((document) => {
  const [pack] = document.license_packages;
  if (pack === undefined) throw new Error('the catalogue sells no license');
  document.license_packages.push({
    ...pack,
    uuid: DEAR_LICENSE,
    id: 299,
    name: 'Dear',
    pricings: { year: 500, month: 50, hour: 0.1 },
  });
});
const { pool } = site;
const { data, refused } = openRequests(site);

async function customer() {
  const who = await site.customer(20_000n);
  const sent = { token: who.secret };
  const license = async (pack_uuid: string, more: object = {}) => {
    const order = { pack_uuid, duration: 1, tos: true, cancellation: true, ...more };
    return (await data('panel/order', order, sent)).license_uuid as string;
  };
  const ids = {
    panel: await license(LICENSE, { auto_renew: true }),
    dear: await license(DEAR_LICENSE, { custom_name: 'Important' }),
    server: (await site.order(who)).server_uuid,
  };
  await site.work();
  return { who, sent, ids };
}

interface Listed {
  readonly uuid: string;
  readonly name: string;
  readonly renewal_gross: number | null;
  readonly renew_priority: number;
  readonly notices: readonly string[];
}

test('services of all products are listed with what their renewal costs and when they will be announced', async () => {
  const { sent, ids } = await customer();
  const list = async (input: object = {}) =>
    (await data('account/services', { sort: 'created_at', order: 'asc', ...input }, sent)) as {
      services: Listed[];
      pagination: { total: number };
    };
  const { services, pagination } = await list();
  assert.equal(pagination.total, 3);
  const byId = new Map(services.map((service) => [service.uuid, service]));
  const shown = (id: string) => [byId.get(id)?.name, byId.get(id)?.renewal_gross];
  assert.deepEqual(shown(ids.panel), ['Panel', 3.99]);
  assert.deepEqual(shown(ids.dear), ['Dear', 50]);
  assert.deepEqual(shown(ids.server), ['web.example.com', 3.99]);
  assert.deepEqual(byId.get(ids.server)?.notices, ['2027-02-12 12:00:00']);

  const found = async (input: object) => (await list(input)).services.map((service) => service.uuid);
  assert.deepEqual(await found({ product: 'server' }), [ids.server]);
  assert.deepEqual(await found({ auto_renew: true }), [ids.panel]);
  assert.deepEqual(await found({ search: 'import' }), [ids.dear]);
  assert.deepEqual(await found({ search: 'web.ex' }), [ids.server]);
  assert.deepEqual(await found({ state: 'cancelled' }), []);
  assert.equal((await list({ per_page: 1, page: 3 })).services.length, 1);

  await data('panel/cancel', { uuid: ids.dear }, sent);
  const scheduled = (await list({ state: 'cancel_scheduled' })).services[0];
  assert.deepEqual([scheduled?.uuid, scheduled?.renewal_gross, scheduled?.notices], [ids.dear, null, []]);
});

test('the order of renewals is the customer’s, and who is not named comes after', async () => {
  const { sent, ids } = await customer();
  const order = (uuids: string[]) => data('account/renewal-order', { uuids }, sent);
  const priorities = async () => {
    const listed = await data('account/services', { sort: 'renew_priority', order: 'asc' }, sent);
    return Object.fromEntries(
      listed.services.map((service: Listed) => [service.uuid, service.renew_priority]),
    );
  };
  assert.deepEqual(await order([ids.server, ids.dear]), {
    services: [
      { uuid: ids.server, renew_priority: 1 },
      { uuid: ids.dear, renew_priority: 2 },
    ],
  });
  assert.deepEqual(await priorities(), { [ids.server]: 1, [ids.dear]: 2, [ids.panel]: 1000 });
  await order([ids.panel]);
  assert.deepEqual(await priorities(), { [ids.server]: 1000, [ids.dear]: 1000, [ids.panel]: 1 });
  await order([]);
  assert.deepEqual(await priorities(), { [ids.server]: 1000, [ids.dear]: 1000, [ids.panel]: 1000 });
});

test('only one’s own that have not ended can be put in order, each once, and all or nothing', async () => {
  const { sent, ids } = await customer();
  const other = await customer();
  const cannot = (error: string, uuids: string[], with_ = sent) =>
    refused(error, 'account/renewal-order', { uuids }, with_);
  await cannot('not_found', [ids.panel, other.ids.panel]);
  await cannot('validation_failed', [ids.panel, ids.panel]);
  await data('panel/cancel', { uuid: ids.dear, mode: 'immediate' }, sent);
  await cannot('not_found', [ids.panel, ids.dear]);
  const { rows } = await pool.pg.query(
    'SELECT FROM services WHERE account_id = $1 AND renew_priority <> 1000',
    [other.who.accountId],
  );
  assert.equal(rows.length, 0);
});

test('a token for some services sees and orders only those', async () => {
  const { who, sent, ids } = await customer();
  await data('account/renewal-order', { uuids: [ids.dear] }, sent);
  const secret = newTokenSecret();
  const limited = {
    accountId: who.accountId,
    userId: who.userId,
    kind: 'api',
    name: 'limited',
    scopes: ['*'],
    expiresAt: null,
    resourceAllowlist: [ids.panel, ids.server],
  } as const;
  await issueToken(pool, limited, secret, site.clock.now());
  const few = { token: secret };
  const { services } = await data('account/services', {}, few);
  assert.deepEqual(
    services.map((service: Listed) => service.uuid).toSorted(),
    [ids.panel, ids.server].toSorted(),
  );
  await refused('not_found', 'account/renewal-order', { uuids: [ids.dear] }, few);
  await data('account/renewal-order', { uuids: [ids.server] }, few);
  const { rows } = await pool.pg.query<{ id: string; renew_priority: number }>(
    'SELECT id, renew_priority FROM services WHERE account_id = $1',
    [who.accountId],
  );
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row.id, row.renew_priority])), {
    [ids.dear]: 1,
    [ids.server]: 1,
    [ids.panel]: 1000,
  });
});
