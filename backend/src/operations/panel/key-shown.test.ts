import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { maskLicenseKey } from '../../business/licenses/key.ts';

const fixture = await openFixture();
const { data, runner } = openRequests(fixture);

test('a whole key is shown to who orders it, and then to tokens that may read keys only', async () => {
  const who = await fixture.customer(100_000n);
  const whole = { token: who.secret };
  const order = { pack_uuid: LICENSE, duration: 1, duration_unit: 'month', tos: true, cancellation: true };
  const { license_uuid: uuid, license_key: key } = await data('panel/order', order, whole);
  const masked = maskLicenseKey(key);
  assert.notEqual(masked, key);
  const shownTo = async (...scopes: string[]) => {
    const token = (await data('account/token-create', { name: 'test', scopes }, whole)).token;
    const renewal = { uuid, duration: 1, duration_unit: 'month' };
    const answers = [
      await data('panel/details', { uuid }, { token }),
      (await data('panel/list', {}, { token })).licenses[0],
      ...(scopes.includes('panel:order') ? [await data('panel/renew', renewal, { token })] : []),
    ];
    return answers.map(({ license_key }) => license_key);
  };
  assert.deepEqual(await shownTo('panel:read'), [masked, masked]);
  assert.deepEqual(await shownTo('panel:read', 'panel:order', 'panel:write'), [masked, masked, masked]);
  assert.deepEqual(await shownTo('panel:read', 'panel:order', 'panel:read_key'), [key, key, key]);
  assert.deepEqual(await shownTo('panel:*'), [key, key]);
  await runner.close();
  const { rows } = await fixture.pool.pg.query(
    "SELECT count(*)::int AS looks FROM audit WHERE account_id = $1 AND operation = 'panel/details'",
    [who.accountId],
  );
  assert.equal(rows[0].looks, 4, 'each look is audited');
});
