import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const people = openPeople(fixture, requests);

test('nobody elsewhere keeps a person from resetting their password by asking before them', async () => {
  const ada = await people.owner();
  for (let times = 0; times < 8; times += 1)
    await requests.call('account/password-reset', { email: ada.email }, { ip: '203.0.113.7' });
  await requests.data('account/password-reset', { email: ada.email }, { ip: '198.51.100.1' });
});
