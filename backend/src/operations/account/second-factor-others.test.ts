import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { data, refused } = requests;
const people = openPeople(fixture, requests);

test('with a second factor, a session lets nobody else in without a code: neither a token nor an invited person', async () => {
  const ada = await people.owner();
  const { app } = await people.secondFactor(ada);
  const token = { name: 'stolen', scopes: ['*'] };
  const person = { email: 'thief@example.net', role: 'admin' };
  await refused('two_factor_required', 'account/token-create', token, ada.sent);
  await refused('two_factor_required', 'account/user-invite', person, ada.sent);
  people.later();
  await refused('two_factor_invalid', 'account/token-create', { ...token, code: '000000' }, ada.sent);
  await data('account/token-create', { ...token, code: app.code() }, ada.sent);
  people.later();
  await data('account/user-invite', { ...person, code: app.code() }, ada.sent);
});
