// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAR_LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { smallDocument } from '../../../test/small-catalog.ts';
import { importCatalog } from '../../business/core/catalog/import.ts';
import { catalogFromDocument } from '../../business/core/catalog/schema/schema.ts';
import { syncInventories } from '../../business/products.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);

test('a license is not in force any more once it has ended, and stays listed when its package is gone', async () => {
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret };
  const order = {
    pack_uuid: DEAR_LICENSE,
    duration: 1,
    tos: true,
    cancellation: true,
    ip_address: '192.0.2.7',
  };
  const { license_uuid: uuid, license_key } = await data('panel/order', order, sent);
  const reason = async () =>
    (await data('panel/validate', { license_key, ip_address: '192.0.2.7', nonce: '12345678' })).reason;
  await data('panel/cancel', { uuid }, sent);
  assert.equal(await reason(), 'active');
  await refused('state_conflict', 'panel/renew', { uuid, duration: 1 }, sent);
  const { refund } = await data('panel/cancel', { uuid, mode: 'withdraw' }, sent);
  assert.equal(refund.amount, 50);
  assert.equal(await reason(), 'expired');
  assert.equal(await fixture.balanceOf(who), 10_000n);
  assert.deepEqual(await fixture.booksProblems(), []);

  // The small catalogue does not have it, and nobody uses it any more.
  const catalog = catalogFromDocument(smallDocument());
  const now = fixture.clock.now();
  const imported = await transaction(fixture.pool, (tx) =>
    importCatalog(tx, catalog, 'without', now, syncInventories),
  );
  assert.equal(imported.kind, 'imported');
  await fixture.catalogs.newest(fixture.pool);
  const { licenses } = await data('panel/list', {}, sent);
  assert.deepEqual(licenses[0].package, { id: 0, uuid: DEAR_LICENSE, name: '', ip_limit: 0 });
  assert.equal((await data('panel/details', { uuid }, sent)).state, 'cancelled');
  assert.equal(await reason(), 'expired');
});
