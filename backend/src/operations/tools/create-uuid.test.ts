import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { mergeParameters } from '../../wire/input.ts';
import createUuid from './create-uuid.ts';

const fixture = await openFixture();
const { secret: token } = await fixture.customer(0n);
const { data, refused } = openRequests(fixture);

const versionOf = (uuid: string) => Number(uuid[14]);

test('one UUID of version 4, unless something else is asked for', async () => {
  const { uuids, version, count } = await data('tools/create-uuid', {}, { token });
  assert.deepEqual([uuids.map(versionOf), version, count], [[4], 4, 1]);
});

test('a hundred of version 7 are different and in order', async () => {
  const { uuids } = await data('tools/create-uuid', { version: 7, count: 100 }, { token });
  assert.equal(new Set(uuids).size, 100);
  assert.deepEqual(uuids, uuids.toSorted());
  assert.ok(uuids.every((uuid: string) => versionOf(uuid) === 7 && /^[89ab]$/.test(uuid[19] ?? '')));
});

test('other versions and numbers are refused', async () => {
  for (const input of [{ version: 1 }, { version: '4' }, { count: 0 }, { count: 101 }, { count: 1.5 }]) {
    await refused('validation_failed', 'tools/create-uuid', input, { token });
  }
});

test('the version can stand in the query', () => {
  const parameters = mergeParameters(createUuid.input, { version: '7', count: '2' }, undefined);
  assert.deepEqual(parameters, { version: 7, count: 2 });
});
