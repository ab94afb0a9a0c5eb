import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data } = requests;
const people = openPeople(fixture, requests);
const good = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

test('one code and one recovery code let one of six in', async () => {
  const ada = await people.owner();
  const { app, recoveryCodes } = await people.secondFactor(ada);
  people.later();
  for (const code of [app.code(), recoveryCodes[0]]) {
    const tries = Array.from({ length: 6 }, (_, at) =>
      call(
        'account/login',
        { email: ada.email, password: ada.password, code },
        { ip: `2001:db8:99:${at}::1` },
      ),
    );
    assert.equal(good(await Promise.all(tries)), 1);
  }
});

test('of an address that two want at once, one gets it; and one reset link sets one password', async () => {
  const [ada, bob] = [await people.owner(), await people.owner()];
  const tokens: string[] = [];
  for (const who of [ada, bob]) {
    await data('account/email-change', { email: 'both@example.org', password: who.password }, who.sent);
    tokens.push(await mailedToken(fixture, 'account.email-verification', 'both@example.org'));
  }
  assert.equal(good(await Promise.all(tokens.map((token) => call('account/email-verify', { token })))), 1);
  const eve = await people.owner();
  await data('account/password-reset', { email: eve.email });
  const token = await mailedToken(fixture, 'account.password-reset', eve.email);
  const sets = Array.from({ length: 5 }, (_, at) =>
    call('account/password-reset-confirm', { token, new_password: `incorrect zebra dynamo ${at}` }),
  );
  assert.equal(good(await Promise.all(sets)), 1);
});
