import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { data, refused } = requests;
const people = openPeople(fixture, requests);
const NEW = 'incorrect zebra dynamo clip';

for (const way of ['reset', 'change'] as const) {
  test(`a password ${way} ends an open change of address: who asked for it is locked out`, async () => {
    const ada = await people.owner();
    // Somebody with her password (and her browser) has a link mailed to themselves, and keeps it.
    const thief = `thief-${way}@example.net`;
    await data('account/email-change', { email: thief, password: ada.password }, ada.sent);
    const kept = await mailedToken(fixture, 'account.email-verification', thief);
    if (way === 'reset') {
      await data('account/password-reset', { email: ada.email });
      const token = await mailedToken(fixture, 'account.password-reset', ada.email);
      await data('account/password-reset-confirm', { token, new_password: NEW });
    } else {
      const input = { current_password: ada.password, new_password: NEW };
      await data('account/password-change', input, ada.sent);
    }
    await refused('link_invalid', 'account/email-verify', { token: kept });
    assert.ok((await people.logIn({ email: ada.email, password: NEW })).cookie);
  });
}

test('switching a second factor on ends an open change of address, which was asked for without it', async () => {
  const ada = await people.owner();
  await data('account/email-change', { email: 'thief-2fa@example.net', password: ada.password }, ada.sent);
  const kept = await mailedToken(fixture, 'account.email-verification', 'thief-2fa@example.net');
  await people.secondFactor(ada);
  await refused('link_invalid', 'account/email-verify', { token: kept });
});
