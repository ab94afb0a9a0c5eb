import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';
import { endedCookie, sessionCookie } from '../../business/core/access/session.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const people = openPeople(fixture, requests);

test('no other host of the domain can plant a session: browsers take the cookie from this host alone', () => {
  for (const cookie of [
    sessionCookie('hk_x', 3_600, 'https://hostkeep.example'),
    endedCookie('https://hostkeep.example'),
  ]) {
    assert.match(cookie, /^__Host-/);
    // What the prefix demands (RFC 6265bis §4.1.3.2).
    assert.match(cookie, /; Path=\/;.*; Secure$/);
    assert.ok(!/Domain=/i.test(cookie));
  }
});

test('a session is taken from the cookie of the right name alone', async () => {
  const { sent } = await people.owner();
  const under = (name: string) => ({ headers: { cookie: `${name}=${sent.cookie}` } });
  const plain = openRequests(fixture, { publicUrl: 'http://localhost:8080' });
  const [prefixed, bare] = [under('__Host-hostkeep_session'), under('hostkeep_session')];
  await requests.refused('token_missing', 'account/session', {}, bare);
  await plain.refused('token_missing', 'account/session', {}, prefixed);
  await requests.data('account/session', {}, prefixed);
  await plain.data('account/session', {}, bare);
  const both = { cookie: `hostkeep_session=planted; __Host-hostkeep_session=${sent.cookie}` };
  await requests.data('account/session', {}, { headers: both });
});
