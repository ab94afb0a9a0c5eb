import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AMERICAN } from '../../../test/addresses.ts';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data } = openRequests(fixture);

test('before the first, there is none, and all of it is missing', async () => {
  const { secret: token } = await fixture.customer(0n);
  const read = await data('account/get-address', {}, { token });
  assert.deepEqual([read.address, read.complete, read.version, read.updated_at], [null, false, 0, null]);
  assert.ok(read.missing_fields.includes('street') && read.missing_fields.includes('phone'));
});

test('where mail needs a state, an address without it is not complete', async () => {
  const { secret: token } = await fixture.customer(0n);
  await data('account/save-address', AMERICAN, { token });
  const incomplete = await data('account/get-address', {}, { token });
  assert.deepEqual([incomplete.complete, incomplete.missing_fields], [false, ['region']]);
  await data('account/save-address', { ...AMERICAN, region: 'US-DC' }, { token });
  const complete = await data('account/get-address', {}, { token });
  assert.deepEqual([complete.complete, complete.missing_fields], [true, []]);
});
