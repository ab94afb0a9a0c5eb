import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../test/fixture.ts';
import { mailedToken } from '../../test/mailed.ts';
import { openPeople } from '../../test/people.ts';
import { openRequests } from '../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const people = openPeople(fixture, requests);

test('rule A4: a public operation locks the account that its link is of, and not besides it the caller’s', async () => {
  const [ada, bob] = [await people.owner(), await people.owner()];
  const token = await mailedToken(fixture, 'account.email-verification', ada.email);
  // Bob's account is busy; Ada's link has nothing to do with it, whoever opens it in whichever browser.
  const client = await fixture.pool.pg.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [bob.accountId]);
  try {
    await requests.data('account/email-verify', { token }, bob.sent);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  const { rows } = await fixture.pool.pg.query(
    "SELECT account_id FROM audit WHERE operation = 'account/email-verify'",
  );
  assert.deepEqual(rows, [{ account_id: ada.accountId }], 'it belongs to the history of the link’s account');
});
