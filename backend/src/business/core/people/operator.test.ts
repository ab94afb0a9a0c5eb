import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openFixture } from '../../../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../../../test/people.ts';
import { openRequests } from '../../../../test/requests.ts';
import { transaction } from '../../../db/transaction.ts';
import { createStaff } from '../accounts/customer.ts';
import { lockOperator, operators, passwordLink, setOperatorState } from './operator.ts';
import { dropSecondFactor } from './second-factor.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;
const requests = openRequests(fixture);
const { data, refused } = requests;
const people = openPeople(fixture, requests);

async function created() {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const person = {
    email,
    passwordHash: null,
    firstName: 'Olga',
    lastName: 'Operator',
    locale: 'en' as const,
  };
  await transaction(pool, (tx) =>
    createStaff(tx, { ...person, timezone: 'UTC', staffRole: 'admin' }, clock.now()),
  );
  return email;
}

/** What follows # in a new link to set a password. */
async function secretOf(email: string): Promise<string> {
  const link = await transaction(pool, async (tx) => {
    const operator = await lockOperator(tx, email);
    assert.ok(operator !== null);
    return await passwordLink(tx, operator, { publicUrl: 'https://hostkeep.example', now: clock.now() });
  });
  const [page, secret = ''] = link.split('#');
  assert.equal(page, 'https://hostkeep.example/reset-password');
  return secret;
}

async function set(email: string, state: 'active' | 'disabled') {
  await transaction(pool, async (tx) => {
    const operator = await lockOperator(tx, email);
    assert.ok(operator !== null);
    await setOperatorState(tx, operator, state, clock.now());
  });
}

const password = (token: string) => ({ token, new_password: PASSWORD });

test('a new operator sets their password by a link that is good once, and until there is another', async () => {
  const email = await created();
  const [first, second] = [await secretOf(email), await secretOf(email)];
  await refused('link_invalid', 'account/password-reset-confirm', password(first));
  await data('account/password-reset-confirm', password(second));
  await refused('link_invalid', 'account/password-reset-confirm', password(second));
  await data('account/session', {}, await people.logIn({ email, password: PASSWORD }));
});

test('a disabled operator is out at once, with what is open in customers’ places, and comes back without it', async () => {
  const email = await created();
  await data('account/password-reset-confirm', password(await secretOf(email)));
  const sent = await people.logIn({ email, password: PASSWORD });
  const { app } = await people.secondFactor({ email, password: PASSWORD, sent });
  const ada = await people.owner();
  const place = { customer_uuid: ada.accountId, reason: 'Ticket 1' };
  const { token } = await data('staff/impersonate', place, sent);
  const link = await secretOf(email);
  await set(email, 'disabled');
  const fresh = openRequests(fixture);
  await fresh.refused('token_revoked', 'staff/customers', {}, sent);
  await fresh.refused('token_revoked', 'account/services', {}, { token });
  await refused('link_invalid', 'account/password-reset-confirm', password(link));
  await refused('credentials_invalid', 'account/login', { email, password: PASSWORD });
  await set(email, 'active');
  const again = openRequests(fixture);
  await again.refused('token_revoked', 'staff/customers', {}, sent);
  await again.refused('token_revoked', 'account/services', {}, { token });
  people.later();
  await people.logIn({ email, password: PASSWORD }, app.code());
});

test('who has lost their second factor sets a password by a link once it was dropped, and not before', async () => {
  const email = await created();
  await data('account/password-reset-confirm', password(await secretOf(email)));
  const sent = await people.logIn({ email, password: PASSWORD });
  await people.secondFactor({ email, password: PASSWORD, sent });
  const token = await secretOf(email);
  await refused('two_factor_required', 'account/password-reset-confirm', password(token));
  await transaction(pool, async (tx) => {
    const operator = await lockOperator(tx, email);
    assert.ok(operator !== null);
    await dropSecondFactor(tx, operator.id);
  });
  await data('account/password-reset-confirm', password(token));
  await people.logIn({ email, password: PASSWORD });
});

test('customers are no operators: neither listed nor found by their address', async () => {
  const ada = await people.owner();
  const email = await created();
  const listed = (await operators(pool)).map((one) => one.email);
  assert.ok(listed.includes(email));
  assert.ok(!listed.includes(ada.email));
  assert.equal(await transaction(pool, (tx) => lockOperator(tx, ada.email)), null);
});
