import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { mailsOf } from '../../../test/mailed.ts';
import { openPeople } from '../../../test/people.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { operations } from '../../operations.generated.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused } = requests;
const { owner } = openPeople(fixture, requests);
const staff = { token: await staffToken(fixture) };

async function impersonated(accountId: string) {
  const begun = await data('staff/impersonate', { customer_uuid: accountId, reason: 'Ticket 4711' }, staff);
  return { ...begun, sent: { token: String(begun.token) } };
}

test('the operator sees what the customer sees, and the session says who they are', async () => {
  const ada = await owner();
  const { sent, token_uuid } = await impersonated(ada.accountId);
  const session = await data('account/session', {}, sent);
  assert.deepEqual([session.account.uuid, session.account.role], [ada.accountId, 'owner']);
  assert.deepEqual([session.token.uuid, session.token.type], [token_uuid, 'session']);
  assert.equal(session.impersonated_by, 'Test Operator');
  assert.equal((await data('account/session', {}, ada.sent)).impersonated_by, null);
});

test('the customer is told by mail and in the log, sees the session, and can end it', async () => {
  const ada = await owner();
  const { sent, token_uuid } = await impersonated(ada.accountId);
  assert.ok((await mailsOf(fixture, ada.email)).includes('account.accessed-by-operator'));
  const { rows } = await fixture.pool.pg.query(
    "SELECT body FROM events WHERE account_id = $1 AND type = 'account.accessed_by_operator'",
    [ada.accountId],
  );
  assert.deepEqual(rows, [
    {
      body: {
        token_uuid,
        operator: 'Test Operator',
        reason: 'Ticket 4711',
        expires_at: '2027-01-15 13:00:00',
      },
    },
  ]);
  const { tokens } = await data('account/tokens', {}, ada.sent);
  assert.ok(tokens.some((token: { uuid: string; name: string }) => token.uuid === token_uuid));
  await data('account/token-revoke', { uuid: token_uuid }, ada.sent);
  await openRequests(fixture).refused('token_revoked', 'account/session', {}, sent);
});

test('it lasts an hour, however much it is used', async () => {
  const { accountId } = await fixture.customer(0n);
  const { sent } = await impersonated(accountId);
  for (const minutes of [29, 30]) {
    fixture.clock.set(fixture.clock.now().add({ minutes }));
    // What each process remembers of a token for a moment goes by another clock.
    const used = openRequests(fixture);
    await used.data('account/session', {}, sent);
    await used.runner.close();
  }
  fixture.clock.set(fixture.clock.now().add({ minutes: 1 }));
  await openRequests(fixture).refused('token_expired', 'account/session', {}, sent);
});

test('what guards the account is refused to them, by one rule', async () => {
  const { accountId } = await fixture.customer(0n);
  const { sent } = await impersonated(accountId);
  const guarding = operations.filter(({ security, audience }) => security && audience !== 'staff');
  const guarded = new Set(guarding.map(({ path }) => path));
  for (const path of [
    'account/email-change',
    'account/invitation-revoke',
    'account/password-change',
    'account/recovery-codes',
    'account/token-create',
    'account/two-factor-confirm',
    'account/two-factor-disable',
    'account/two-factor-setup',
    'account/user-invite',
    'account/user-remove',
    'account/user-update',
  ]) {
    assert.ok(guarded.has(path), path);
  }
  for (const { path, example } of guarding) {
    await refused('impersonation_restricted', path, example.input as object, sent);
  }
});

test('they see no license key: not in a list, not in the details, not in the answer to an order of theirs', async () => {
  const customer = await fixture.customer(10_000n);
  const { sent } = await impersonated(customer.accountId);
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  const ordered = await call('panel/order', order, { ...sent, key: 'once' });
  assert.equal(ordered.status, 200, ordered.text);
  const again = await call('panel/order', order, { ...sent, key: 'once' });
  assert.equal(again.text, ordered.text);
  const uuid = ordered.body.data.license_uuid;
  const own = await data('panel/details', { uuid }, { token: customer.secret });
  const key = own.license_key;
  assert.ok(key.length > 10);
  for (const [path, input] of [
    ['panel/details', { uuid }],
    ['panel/list', {}],
    ['panel/order', order],
  ] as const) {
    const answer = await call(path, input, sent);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(!answer.text.includes(key), path);
    assert.match(answer.text, /"license_key":""/, path);
  }
  await refused('scope_missing', 'panel/license-file', { uuid }, sent);
});

test('what they do is audited under the owner, and the token leads to the operator', async () => {
  const customer = await fixture.customer(10_000n);
  const { sent, token_uuid } = await impersonated(customer.accountId);
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  await data('panel/order', order, sent);
  const { rows } = await fixture.pool.pg.query(
    `SELECT a.operation, a.user_id = $2 AS by_owner, o.first_name || ' ' || o.last_name AS operator
     FROM audit a JOIN tokens t ON t.id = a.token_id LEFT JOIN users o ON o.id = t.impersonated_by
     WHERE a.account_id = $1 AND a.token_id = $3`,
    [customer.accountId, customer.userId, token_uuid],
  );
  assert.deepEqual(rows, [{ operation: 'panel/order', by_owner: true, operator: 'Test Operator' }]);
  const begun = await fixture.pool.pg.query(
    `SELECT u.role, a.input ->> 'reason' AS reason FROM audit a JOIN users u ON u.id = a.user_id
     WHERE a.operation = 'staff/impersonate' AND a.input ->> 'customer_uuid' = $1`,
    [customer.accountId],
  );
  assert.deepEqual(begun.rows, [{ role: 'staff', reason: 'Ticket 4711' }]);
});

test('customers, operators without the scope, and unknown or closed accounts', async () => {
  const customer = await fixture.customer(0n);
  const request = { customer_uuid: customer.accountId, reason: 'Ticket 4711' };
  await refused('operation_not_found', 'staff/impersonate', request, { token: customer.secret });
  const reader = { token: await staffToken(fixture, ['staff:read']) };
  await refused('scope_missing', 'staff/impersonate', request, reader);
  const unknown = { ...request, customer_uuid: customer.userId };
  await refused('not_found', 'staff/impersonate', unknown, staff);
  for (const reason of ['ab', '   ab   ', 'x'.repeat(201)]) {
    await refused('validation_failed', 'staff/impersonate', { ...request, reason }, staff);
  }
  await fixture.pool.pg.query("UPDATE accounts SET state = 'closed' WHERE id = $1", [customer.accountId]);
  await refused('state_conflict', 'staff/impersonate', request, staff);
});
