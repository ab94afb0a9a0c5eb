import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { data, refused, runner } = requests;
const people = openPeople(fixture, requests);

async function signIns(sent: object, filter: object = {}) {
  await runner.close();
  return (await data('account/sign-ins', filter, sent)).sign_ins as {
    created_at: string;
    user: { uuid: string; email: string };
    succeeded: boolean;
    error: string | null;
    times: number;
    ip_address: string;
    user_agent: string | null;
    session_uuid: string | null;
  }[];
}

test('an account holder sees who came in from where, and who tried', async () => {
  const ada = await people.owner();
  const { app } = await people.secondFactor(ada);
  people.later();
  const guess = { email: ada.email, password: 'a guess' };
  const from = { ip: '203.0.113.5', headers: { 'user-agent': 'Firefox' } };
  for (let times = 0; times < 3; times += 1)
    await refused('credentials_invalid', 'account/login', guess, from);
  fixture.clock.set(fixture.clock.now().add({ seconds: 1 }));
  const right = { email: ada.email, password: PASSWORD };
  await refused('two_factor_invalid', 'account/login', { ...right, code: '000000' }, from);
  fixture.clock.set(fixture.clock.now().add({ seconds: 1 }));
  const { token } = await data('account/login', { ...right, code: app.code() }, from);
  const seen = await signIns(ada.sent);
  assert.deepEqual(
    seen.slice(0, 3).map(({ user, created_at: _, ...one }) => ({ ...one, email: user.email })),
    [
      {
        succeeded: true,
        error: null,
        times: 1,
        ip_address: '203.0.113.5',
        user_agent: 'Firefox',
        session_uuid: token.uuid,
        email: ada.email,
      },
      ...(['two_factor_invalid', 'credentials_invalid'] as const).map((error) => ({
        succeeded: false,
        error,
        times: error === 'credentials_invalid' ? 3 : 1,
        ip_address: '203.0.113.5',
        user_agent: null,
        session_uuid: null,
        email: ada.email,
      })),
    ],
  );
  assert.equal((await signIns(ada.sent, { succeeded: false })).length, 2);
  await data('account/session-end', { uuid: token.uuid }, ada.sent);
});

test('others than owners and administrators see their own, and nobody those of another account', async () => {
  const [ada, bob] = [await people.owner(), await people.owner()];
  const reader = await people.member(ada, 'readonly');
  const emails = async (sent: object) => new Set((await signIns(sent)).map(({ user }) => user.email));
  assert.deepEqual(await emails(reader.sent), new Set([reader.email]));
  assert.deepEqual(await emails(ada.sent), new Set([reader.email, ada.email]));
  assert.deepEqual(await emails(bob.sent), new Set([bob.email]));
});
