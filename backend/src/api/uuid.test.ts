// Needs: database

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases } from '../../test/cases/panel.ts';
import { openHarness } from '../../test/harness.ts';

const harness = await openHarness();

test('a UUID in upper case names the same thing, which answers with it in lower case', async () => {
  const prepared = await cases['panel/details']?.succeeds(harness);
  assert.ok(prepared);
  const { uuid } = prepared.input as { uuid: string };
  const found = await harness.data('panel/details', { ...prepared, input: { uuid: uuid.toUpperCase() } });
  assert.equal(found.uuid, uuid);
  const renamed = { uuid: uuid.toUpperCase(), custom_name: 'Shop' };
  assert.equal((await harness.data('panel/rename', { ...prepared, input: renamed })).uuid, uuid);
});
