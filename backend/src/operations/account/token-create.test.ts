import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { sha256 } from '../../base/canonical.ts';
import { hasScope } from '../../base/scope.ts';
import { wireTime } from '../../base/time.ts';
import { SCOPES, STAFF_SCOPES } from '../../business/core/access/scope.ts';
import { operations } from '../../operations.generated.ts';
import { network } from './network.schema.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);
const owner = await fixture.customer(0n);
const token = owner.secret;
const create = (request: object, by = token) =>
  data('account/token-create', { name: 'made', scopes: ['*'], ...request }, { token: by });
const inFuture = (duration: object) => wireTime(fixture.clock.now().add(duration));

test('a token is in the answer alone: the database has its hash, the event and the audit do not have it', async () => {
  const made = await create({ name: 'monitoring', scopes: ['server:read', 'server:read'] });
  assert.match(made.token, /^hk_[\w-]{43}$/);
  assert.deepEqual(made.scopes, ['server:read']);
  const { rows } = await fixture.pool.pg.query('SELECT hash FROM tokens WHERE id = $1', [made.uuid]);
  assert.deepEqual(rows[0].hash, sha256(made.token));
  const traces = await fixture.pool.pg.query(
    `SELECT body::text AS text FROM events WHERE account_id = $1
     UNION ALL SELECT input::text FROM audit WHERE account_id = $1`,
    [owner.accountId],
  );
  const text = JSON.stringify(traces.rows);
  assert.ok(text.includes('monitoring') && text.includes(made.uuid));
  assert.ok(!text.includes(made.token));
  assert.ok(!(await call('account/tokens', {}, { token })).text.includes(made.token));
  await data('account/session', {}, { token: (await create({ scopes: ['account:read'] })).token });
});

test('a repeated key gives the same token and makes no second', async () => {
  const request = { name: 'once', scopes: ['*'] };
  const [first, second] = await Promise.all([
    call('account/token-create', request, { token, key: 'once' }),
    call('account/token-create', request, { token, key: 'once' }),
  ]);
  assert.equal(first.text, second.text);
  assert.equal((await data('account/tokens', { search: 'once' }, { token })).pagination.total, 1);
});

test('no token has a scope that the one which made it lacks', async () => {
  const known = SCOPES.filter((scope) => scope !== '*');
  await fc.assert(
    fc.asyncProperty(
      fc.subarray([...SCOPES], { minLength: 1, maxLength: 4 }),
      fc.subarray([...SCOPES], { minLength: 1, maxLength: 4 }),
      async (own, wanted) => {
        const maker = (await create({ scopes: [...own, 'account:write'] })).token;
        const answer = await call('account/token-create', { name: 'x', scopes: wanted }, { token: maker });
        const allowed = [...own, 'account:write'];
        if (answer.status === 200) {
          for (const scope of known.filter((one) => hasScope(wanted, one))) {
            assert.ok(hasScope(allowed, scope), `${allowed} made ${wanted}, which may do ${scope}`);
          }
        } else {
          assert.equal(answer.body.error, 'scope_missing');
          assert.ok(wanted.includes(answer.body.required_scope));
          assert.ok(!hasScope(allowed, answer.body.required_scope));
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('scopes that do not exist, or none, are refused', async () => {
  for (const scopes of [['panel:fly'], [''], ['**'], ['staff:*'], 'panel:read', [7], []]) {
    await refused('validation_failed', 'account/token-create', { name: 'odd', scopes }, { token });
  }
});

test('every scope that an operation asks for can be given', () => {
  for (const { audience, path, scope } of operations) {
    if (scope === null) continue;
    const known = audience === 'staff' ? STAFF_SCOPES : SCOPES;
    assert.ok(known.includes(scope), `${path} needs ${scope}`);
  }
});

test('a token that is limited in anything makes no tokens', async () => {
  const uuid = owner.accountId;
  for (const limit of [
    { ip_allowlist: ['192.0.2.0/24'] },
    { resource_allowlist: [uuid] },
    { spending_limit_per_day: 10 },
    { spending_limit_per_day: 0 },
  ]) {
    const limited = (await create(limit)).token;
    await refused(
      'token_restricted',
      'account/token-create',
      { name: 'x', scopes: ['*'] },
      { token: limited },
    );
  }
  const dry = (await create({ dry_run_only: true })).token;
  await refused('dry_run_only', 'account/token-create', { name: 'x', scopes: ['*'] }, { token: dry });
});

test('a token ends when it was told to, and makes none that lasts longer', async () => {
  const { token: short } = await create({ expires_at: inFuture({ minutes: 10 }) });
  const request = { name: 'child', scopes: ['*'] };
  const late = { ...request, expires_at: inFuture({ minutes: 11 }) };
  await refused('validation_failed', 'account/token-create', late, { token: short });
  const child = await data('account/token-create', request, { token: short });
  assert.equal(child.expires_at, inFuture({ minutes: 10 }), 'it inherits the end');
  fixture.clock.set(fixture.clock.now().add({ minutes: 10 }));
  await refused('token_expired', 'account/session', {}, { token: short });
  await refused('token_expired', 'account/session', {}, { token: child.token });
});

test('an end that is past, now, or no moment is refused', async () => {
  const now = wireTime(fixture.clock.now());
  for (const expires_at of [
    now,
    '2020-01-01 00:00:00',
    '2030-02-30 00:00:00',
    '2030-01-01',
    '0000-00-00 00:00:00',
  ]) {
    const body = await refused(
      'validation_failed',
      'account/token-create',
      { name: 'x', scopes: ['*'], expires_at },
      { token },
    );
    assert.equal(body.errors[0].pointer, '/expires_at');
  }
});

test('a token works from the networks it names and from nowhere else', async () => {
  const made = await create({ ip_allowlist: ['192.0.2.7/24', '2001:db8::1'] });
  assert.deepEqual(made.ip_allowlist, ['192.0.2.0/24', '2001:db8::1/128']);
  for (const ip of ['192.0.2.200', '2001:db8::1']) {
    await data('account/session', {}, { token: made.token, ip });
  }
  for (const ip of ['192.0.3.1', '2001:db8::2']) {
    await refused('ip_not_allowed', 'account/session', {}, { token: made.token, ip });
  }
});

test('every network that is accepted can be kept, and keeps its meaning', async () => {
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.nat(40)).map(([ip, prefix]) => `${ip}/${prefix}`),
    fc.tuple(fc.ipV6(), fc.nat(140)).map(([ip, prefix]) => `${ip}/${prefix}`),
    fc.constantFrom(
      'fe80::1%eth0',
      '1.2.3',
      '1.2.3.4/',
      '1.2.3.4/08',
      '::/0',
      '0.0.0.0/0',
      '::ffff:1.2.3.4/96',
      '1.2.3.4/24/8',
    ),
    fc.string(),
  );
  const accepted = fc.sample(text, 500).filter((one) => network.safeParse(one).success);
  assert.ok(accepted.length > 100);
  const { rows } = await fixture.pool.pg.query(
    'SELECT network(a::inet)::text AS kept, a::inet <<= network(a::inet)::cidr AS holds FROM unnest($1::text[]) a',
    [accepted],
  );
  assert.equal(rows.length, accepted.length);
  assert.ok(rows.every((row) => row.holds));
});

test('an operator has no account to make tokens for', async () => {
  const staff = await staffToken(fixture);
  await refused(
    'operation_not_found',
    'account/token-create',
    { name: 'x', scopes: ['*'] },
    { token: staff },
  );
});
