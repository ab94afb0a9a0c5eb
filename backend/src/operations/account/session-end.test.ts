import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { data, refused } = requests;
const people = openPeople(fixture, requests);

const sessionsOf = async (sent: object) =>
  (await data('account/tokens', { type: 'session', state: 'active' }, sent)).tokens as {
    uuid: string;
    current: boolean;
  }[];

test('anyone finds and ends a session of their own, whatever their role', async () => {
  const ada = await people.owner();
  for (const role of ['readonly', 'technical', 'billing', 'admin']) {
    const person = await people.member(ada, role);
    const lost = await people.logIn(person);
    const found = (await sessionsOf(person.sent)).filter(({ current }) => !current);
    const { uuid } = (await data('account/session', {}, lost)).token;
    assert.ok(found.some((session) => session.uuid === uuid));
    await data('account/session-end', { uuid }, person.sent);
    await openRequests(fixture).refused('token_revoked', 'account/session', {}, lost);
    await data('account/session', {}, person.sent);
    await data('account/session-end', { uuid }, person.sent);
  }
});

test('nobody ends another’s session, and nobody an API token by it', async () => {
  const [ada, bob] = [await people.owner(), await people.owner()];
  const member = await people.member(ada, 'readonly');
  const { uuid } = (await data('account/session', {}, ada.sent)).token;
  await refused('not_found', 'account/session-end', { uuid }, member.sent);
  await refused('not_found', 'account/session-end', { uuid }, bob.sent);
  const api = (await data('account/session', {}, { token: await people.apiToken(ada) })).token;
  await refused('not_found', 'account/session-end', { uuid: api.uuid }, ada.sent);
  const visit = { customer_uuid: ada.accountId, reason: 'Ticket 1' };
  const { token } = await data('staff/impersonate', visit, { token: await staffToken(fixture) });
  await refused('impersonation_restricted', 'account/session-end', { uuid }, { token });
});
