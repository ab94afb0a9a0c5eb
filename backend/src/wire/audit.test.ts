import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { openRequests, staffToken } from '../../test/requests.ts';
import { operations } from '../operations.generated.ts';

const fixture = await openFixture();
const { data } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

test('the audit says which discount code an operator made and ended', async () => {
  await data('staff/discount-create', { code: 'FAIR27', percent: 10 }, staff);
  await data('staff/discount-end', { code: 'FAIR27' }, staff);
  const { rows } = await fixture.pool.pg.query(
    "SELECT operation, input ->> 'code' AS code FROM audit WHERE operation LIKE 'staff/discount-%' ORDER BY id",
  );
  assert.deepEqual(rows, [
    { operation: 'staff/discount-create', code: 'FAIR27' },
    { operation: 'staff/discount-end', code: 'FAIR27' },
  ]);
});

test('every other code that operations take lets somebody in, and is kept from the audit', () => {
  const taking = operations.filter(({ input }) => 'code' in ((input as { shape?: object }).shape ?? {}));
  const open = taking.filter(({ secrets }) => !secrets.includes('code')).map(({ path }) => path);
  assert.deepEqual(open.sort(), ['staff/discount-create', 'staff/discount-end']);
  assert.ok(taking.length > 10);
});
