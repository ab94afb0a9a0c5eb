import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const people = openPeople(fixture, requests);

test('who may not see the people and tokens of the account gets no archive that lists them', async () => {
  const owner = await people.owner();
  const billing = await people.member(owner, 'billing');
  await requests.refused('scope_missing', 'account/users', {}, billing.sent);
  await requests.refused('scope_missing', 'account/export', {}, billing.sent);
  await requests.refused('scope_missing', 'account/exports', {}, billing.sent);
});
