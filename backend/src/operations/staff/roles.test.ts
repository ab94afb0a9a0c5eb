// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openPeople, PASSWORD } from '../../../test/people.ts';
import { openRequests } from '../../../test/requests.ts';
import { STAFF_ROLES, type StaffRole } from '../../business/core/access/scope.ts';
import { lockOperator, setStaffRole } from '../../business/core/people/operator.ts';
import { transaction } from '../../db/transaction.ts';
import { operations } from '../../operations.generated.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const { call, data, refused, runner } = requests;
const people = openPeople(fixture, requests);

const ALL = 'support billing technical admin';
const MONEY = 'billing admin';
const MACHINES = 'technical admin';
/** Who may what. Whoever adds an operation for operators says here who may. */
const ALLOWED: Readonly<Record<string, string>> = {
  'staff/account-close': 'billing technical admin',
  'staff/account-suspend': 'billing technical admin',
  'staff/account-unsuspend': 'billing technical admin',
  'staff/adjust-balance': MONEY,
  'staff/backend-retry': MACHINES,
  'staff/backends': ALL,
  'staff/bank-assign': MONEY,
  'staff/bank-entries': MONEY,
  'staff/bank-ignore': MONEY,
  'staff/bank-import': MONEY,
  'staff/credit-limit': MONEY,
  'staff/customer': ALL,
  'staff/customers': ALL,
  'staff/discount-create': MONEY,
  'staff/discount-end': MONEY,
  'staff/discounts': ALL,
  'staff/hosts': ALL,
  'staff/impersonate': 'support technical admin',
  'staff/invoices': ALL,
  'staff/job-drop': MACHINES,
  'staff/job-retry': MACHINES,
  'staff/jobs': ALL,
  'staff/notice-create': MACHINES,
  'staff/notice-end': MACHINES,
  'staff/notices': ALL,
  'staff/null-route': MACHINES,
  'staff/payout-paid': MONEY,
  'staff/payouts': MONEY,
  'staff/refund': MONEY,
  'staff/revenue': MONEY,
  'staff/search': ALL,
  'staff/server-mail': MACHINES,
  'staff/suspend': 'billing technical admin',
  'staff/task-cancel': MACHINES,
  'staff/task-retry': MACHINES,
  'staff/unsuspend': 'billing technical admin',
  'staff/voucher-create': MONEY,
  'staff/voucher-revoke': MONEY,
  'staff/vouchers': ALL,
  ...Object.fromEntries(
    operations.filter(({ path }) => path.startsWith('staff/ticket-')).map(({ path }) => [path, ALL]),
  ),
};

async function setRole(email: string, role: StaffRole) {
  await transaction(fixture.pool, async (tx) => {
    const operator = await lockOperator(tx, email);
    assert.ok(operator !== null);
    await setStaffRole(tx, operator, role, fixture.clock.now());
  });
}

test('each operation of operators is open to the roles that need it, and refused to all others', async () => {
  const staff = operations.filter(({ audience }) => audience === 'staff');
  assert.deepEqual(staff.map(({ path }) => path).sort(), Object.keys(ALLOWED).sort());
  for (const role of STAFF_ROLES) {
    const { sent } = await people.staff(role);
    for (const { path, scope } of staff) {
      // No input: whoever may is told what is missing, or is answered.
      const { body } = await call(path, { nothing_has_this_member: true }, sent);
      const expected = ALLOWED[path]?.split(' ').includes(role) ? 'validation_failed' : 'scope_missing';
      assert.equal(body.error, expected, `${role}: ${path}`);
      if (expected === 'scope_missing') assert.equal(body.required_scope, scope);
    }
  }
});

test('another role ends the sessions that had the former one, within a second', async () => {
  const olga = await people.staff('admin');
  await data('staff/revenue', {}, olga.sent).catch(() => {});
  await setRole(olga.email, 'support');
  await openRequests(fixture).refused('token_revoked', 'staff/customers', {}, olga.sent);
  people.later();
  const sent = await people.logIn(olga, olga.app.code());
  await data('staff/customers', {}, sent);
  await refused('scope_missing', 'staff/revenue', {}, sent);
});

test('until an operator has two-factor authentication, a log-in can do nothing but set it up', async () => {
  const olga = await people.staff('admin');
  people.later();
  await data('account/two-factor-disable', { password: PASSWORD, code: olga.app.code() }, olga.sent);
  people.later();
  const sent = await people.logIn(olga);
  const open = openRequests(fixture);
  for (const { path, audience, scope } of operations) {
    if (audience === 'customer' || audience === 'public') continue;
    if (scope === 'account:read' || scope === 'account:security') continue;
    await open.refused('two_factor_setup_required', path, {}, sent);
  }
  assert.deepEqual((await open.data('account/session', {}, sent)).two_factor, {
    enabled: false,
    methods: [],
  });
  await people.secondFactor({ ...olga, sent });
  // At once, also where the token was looked up a moment ago.
  await data('staff/customers', {}, sent);
});

test('an operator’s session ends after thirty minutes without a request, and after twelve hours', async () => {
  const olga = await people.staff('support');
  const minutes = (n: number) => fixture.clock.set(fixture.clock.now().add({ minutes: n }));
  const begun = fixture.clock.now();
  people.later();
  const other = await people.logIn(olga, olga.app.code());
  // What each process remembers of a token for a moment goes by another clock.
  const asks = async (sent: typeof olga.sent) => {
    const fresh = openRequests(fixture);
    const { body } = await fresh.call('staff/customers', {}, sent);
    await fresh.runner.close();
    return body.error ?? 'answered';
  };
  while (fixture.clock.now().since(begun).total('minutes') < 12 * 60 - 25) {
    minutes(20);
    assert.equal(await asks(olga.sent), 'answered');
  }
  assert.equal(await asks(other), 'token_expired', 'it lay unused');
  minutes(26);
  assert.equal(await asks(olga.sent), 'token_expired', 'twelve hours are over');
  people.later();
  const idle = await people.logIn(olga, olga.app.code());
  minutes(29);
  assert.equal(await asks(idle), 'answered');
  minutes(32);
  assert.equal(await asks(idle), 'token_expired');
});

test('an operator lists and ends their own sessions, and no one else’s', async () => {
  const [olga, oskar] = [await people.staff('support'), await people.staff('support')];
  people.later();
  const elsewhere = await people.logIn(olga, olga.app.code());
  const { tokens } = await data('account/tokens', { state: 'active' }, olga.sent);
  assert.equal(tokens.length, 2);
  const other = tokens.find(({ current }: { current: boolean }) => !current);
  await refused('not_found', 'account/session-end', { uuid: other.uuid }, oskar.sent);
  await data('account/session-end', { uuid: other.uuid }, olga.sent);
  await openRequests(fixture).refused('token_revoked', 'account/session', {}, elsewhere);
});

test('what operators read of customers is audited: by customer, by what a search found, and in a customer’s place', async () => {
  const olga = await people.staff('admin');
  const dana = await people.owner();
  await data('staff/customer', { uuid: dana.accountId }, olga.sent);
  await data('staff/search', { query: dana.email }, olga.sent);
  const { token } = await data(
    'staff/impersonate',
    { customer_uuid: dana.accountId, reason: 'a look' },
    olga.sent,
  );
  await data('account/services', {}, { token });
  await runner.close();
  const { rows } = await fixture.pool.pg.query(
    `SELECT a.operation, coalesce(t.impersonated_by, a.user_id) = $2 AS by_olga FROM audit a LEFT JOIN tokens t ON t.id = a.token_id
     WHERE a.account_id = $1 AND a.input @> '{"read": true}' ORDER BY a.operation`,
    [dana.accountId, olga.userId],
  );
  assert.deepEqual(rows, [
    { operation: 'account/services', by_olga: true },
    { operation: 'staff/customer', by_olga: true },
    { operation: 'staff/search', by_olga: true },
  ]);
  // They are no changes, which is what the customer's page shows of operators.
  const { operator_actions } = await data('staff/customer', { uuid: dana.accountId }, olga.sent);
  const paths = operator_actions.map(({ operation }: { operation: string }) => operation);
  assert.deepEqual(paths, ['staff/impersonate']);
});
