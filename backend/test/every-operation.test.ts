// Slow: 110 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { eventBody } from '../src/api/event-body.ts';
import { CONTRACT } from '../src/contract.ts';
import { ERRORS, type ErrorCode } from '../src/errors.ts';
import type { Operation } from '../src/operation.ts';
import { operations } from '../src/operations.generated.ts';
import { EVENTS, type EventType } from '../src/unit-of-work/event.ts';
import { groupOf } from '../src/wire/group.ts';
import { BODY_LIMIT } from '../src/wire/http.ts';
import { errorsOf } from '../src/wire/openapi.ts';
import { inputSchema } from '../src/wire/schema.ts';
import { differencesOfForm } from './answer-form.ts';
import { casesOf as casesAt, loadCases } from './cases/load.ts';
import { each } from './each-operation.ts';
import { type Answered, type Call, type Caller, openHarness, operationAt } from './harness.ts';

const harness = await openHarness();
const { call, send, seen } = harness;
const cases = await loadCases();

const casesOf = ({ path }: Operation) => casesAt(cases, path);

function isRefused(answer: Answered, code: ErrorCode): void {
  assert.equal(answer.body.error, code, answer.text.slice(0, 300));
  assert.equal(answer.status, ERRORS[code].status);
  assert.equal(answer.body.code, answer.status);
  assert.equal(answer.body.data, null);
}

const customer = await harness.customer();
const operator = await harness.operator();

/** Who may call it, as far as the audience goes. */
function fitting(operation: Operation): Caller {
  return operation.audience === 'staff' ? operator : customer;
}

const protectedOnes = operations.filter(({ audience }) => audience !== 'public');
const writes = operations.filter(({ kind }) => kind !== 'read');
const posts = operations.filter(({ method }) => method === 'POST');
const gets = operations.filter(({ method }) => method === 'GET');

// What holds for all, over HTTP ------------------------------------------------------------------------------

test('without a token: 401 with WWW-Authenticate', async () => {
  await each(protectedOnes, async (operation) => {
    const answer = await call(operation, { as: null, input: operation.example.input });
    isRefused(answer, 'token_missing');
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer /);
  });
});

test('with a token that nobody was given: 401, also where none is needed', async () => {
  await each(operations, async (operation) => {
    const answer = await call(operation, {
      as: { ...customer, token: 'hk_wrong' },
      input: operation.example.input,
    });
    isRefused(answer, 'token_invalid');
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer .*error="invalid_token"/);
  });
});

test('with a token that is over, was revoked, or comes from elsewhere: refused', async () => {
  const past = harness.clock.now().subtract({ seconds: 1 });
  const variants = async (caller: Caller) => {
    const revoked = await harness.tokenOf(caller, {});
    await harness.pool.pg.query('UPDATE tokens SET revoked_at = created_at WHERE id = $1', [revoked.tokenId]);
    return {
      token_expired: await harness.tokenOf(caller, { expiresAt: past }),
      token_revoked: revoked,
      ip_not_allowed: await harness.tokenOf(caller, { ipAllowlist: ['203.0.113.0/24'] }),
    };
  };
  const [customers, operators] = await Promise.all([variants(customer), variants(operator)]);
  await each(operations, async (operation) => {
    const callers = operation.audience === 'staff' ? operators : customers;
    for (const [code, as] of Object.entries(callers)) {
      isRefused(await call(operation, { as, input: operation.example.input }), code as keyof typeof callers);
    }
  });
});

test('without the scope: 403 that names it', async () => {
  const [none, noneOfStaff] = await Promise.all([
    harness.tokenOf(customer, { scopes: [] }),
    harness.tokenOf(operator, { scopes: [] }),
  ]);
  await each(protectedOnes, async (operation) => {
    const as = operation.audience === 'staff' ? noneOfStaff : none;
    const answer = await call(operation, { as, input: operation.example.input });
    isRefused(answer, 'scope_missing');
    assert.equal(answer.body.required_scope, operation.scope);
  });
});

test("operators' operations do not exist for customers", async () => {
  const staff = operations.filter(({ audience }) => audience === 'staff');
  await each(staff, async (operation) => {
    isRefused(await call(operation, { as: customer, input: operation.example.input }), 'operation_not_found');
  });
});

test('an operator without two-factor authentication can do nothing but set it up', async () => {
  const { accountId, userId } = operator;
  const scopes = ['account:security'];
  const sent = await harness.tokenOf({ ...operator, accountId, userId }, { kind: 'session', scopes });
  const others = operations.filter(({ audience }) => audience === 'staff');
  await each(others, async (operation) => {
    isRefused(
      await call(operation, { as: sent, input: operation.example.input }),
      'two_factor_setup_required',
    );
  });
});

test('a POST with a session cookie and without its CSRF token: 403', async () => {
  const session = async (caller: Caller) => await harness.tokenOf(caller, { kind: 'session' });
  const [customers, operators] = await Promise.all([session(customer), session(operator)]);
  await each(posts, async (operation) => {
    const { token } = operation.audience === 'staff' ? operators : customers;
    const headers = { cookie: `hostkeep_session=${token}` };
    isRefused(
      await call(operation, { as: null, headers, input: operation.example.input }),
      'csrf_token_invalid',
    );
  });
});

test('with a token for dry runs only, nothing is written', async () => {
  const [customers, operators] = await Promise.all([
    harness.tokenOf(customer, { dryRunOnly: true }),
    harness.tokenOf(operator, { dryRunOnly: true }),
  ]);
  await each(writes, async (operation) => {
    const as = operation.audience === 'staff' ? operators : customers;
    isRefused(await call(operation, { as, input: operation.example.input }), 'dry_run_only');
  });
});

test('what guards an account is refused to limited tokens, and to an operator in the place of its owner', async () => {
  const limits = [
    { ipAllowlist: ['127.0.0.0/8'] },
    { resourceAllowlist: [randomUUID()] },
    { spendingLimit: 0n },
  ];
  const customers = await Promise.all(limits.map((limit) => harness.tokenOf(customer, limit)));
  const operators = await Promise.all(limits.map((limit) => harness.tokenOf(operator, limit)));
  const asOperator = { customer_uuid: customer.accountId, reason: 'Test' };
  const begun = await harness.data('staff/impersonate', { as: operator, input: asOperator });
  const guarding = operations.filter(({ security }) => security);
  await each(guarding, async (operation) => {
    const input = operation.example.input;
    for (const as of operation.audience === 'staff' ? operators : customers) {
      isRefused(await call(operation, { as, input }), 'token_restricted');
    }
    if (operation.audience === 'staff') return;
    const impersonated = { ...customer, token: begun.token };
    isRefused(await call(operation, { as: impersonated, input }), 'impersonation_restricted');
  });
});

test("an operator in the customer's place sets no password and no key of a thing", async () => {
  const asOperator = { customer_uuid: customer.accountId, reason: 'Test' };
  const { token } = await harness.data('staff/impersonate', { as: operator, input: asOperator });
  const planting = operations.filter(({ plantsAccess }) => plantsAccess);
  assert.ok(planting.length >= 8);
  await each(planting, async (operation) => {
    const { input } = operation.example;
    isRefused(await call(operation, { as: { ...customer, token }, input }), 'impersonation_restricted');
  });
});

test("an operator in the customer's place orders nothing with a password or a key of their own", async () => {
  const asOperator = { customer_uuid: customer.accountId, reason: 'Test' };
  const { token } = await harness.data('staff/impersonate', { as: operator, input: asOperator });
  const given: Readonly<Record<string, unknown>> = {
    password: 'correct horse battery staple',
    ssh_keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6F2cQbX9gG0Q7d1bq1Vh8s9yR0cS1t2u3v4w5x6y7z'],
    user_data: '#cloud-config',
  };
  const ordering = operations.filter(({ plantingMembers }) => plantingMembers.length > 0);
  assert.ok(ordering.length >= 2);
  await each(ordering, async (operation) => {
    const { password: _, ssh_keys: __, user_data: ___, ...input } = operation.example.input as typeof given;
    const as = { ...customer, token };
    const plain = await call(operation, { as, input: { ...input, dry_run: true } });
    assert.notEqual(plain.body.error, 'impersonation_restricted');
    for (const name of operation.plantingMembers) {
      const answer = await call(operation, { as, input: { ...input, [name]: given[name] } });
      isRefused(answer, 'impersonation_restricted');
    }
  });
});

test('what is about the whole account is refused to tokens for certain things', async () => {
  const narrow = await harness.tokenOf(customer, { resourceAllowlist: [randomUUID()] });
  const whole = operations.filter(({ wholeAccount }) => wholeAccount);
  await each(whole, async (operation) => {
    isRefused(await call(operation, { as: narrow, input: operation.example.input }), 'token_restricted');
  });
});

const TOO_LARGE = Buffer.alloc(BODY_LIMIT + 1, ' ');

test('a body that is not JSON, not of that type, or too large: refused as such', async () => {
  await each(operations, async (operation) => {
    const { method, path } = operation;
    const as = fitting(operation);
    isRefused(await send(method, path, '{"uuid":', as), 'malformed_request');
    isRefused(
      await send(method, path, 'a=b', as, { 'content-type': 'text/plain' }),
      'unsupported_media_type',
    );
    const tooLarge = operation.bodyLimit === null ? TOO_LARGE : Buffer.alloc(operation.bodyLimit + 1, ' ');
    isRefused(await send(method, path, tooLarge, as), 'payload_too_large');
  });
});

test('a field that is not known: 422 that points to it, and to nothing else in the example', async () => {
  await each(operations, async (operation) => {
    const example = operation.example.input as object;
    const answer = await call(operation, {
      as: fitting(operation),
      input: { ...example, unexpected_field: 1 },
    });
    isRefused(answer, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map(({ pointer, error }: { pointer: string; error: string }) => [pointer, error]),
      [['/unexpected_field', 'unknown_field']],
    );
  });
});

test('a field that is missing: 422 that points to it', async () => {
  const demanding = operations.filter((operation) => (inputSchema(operation).required ?? []).length > 0);
  await each(demanding, async (operation) => {
    const answer = await call(operation, { as: fitting(operation), input: {} });
    isRefused(answer, 'validation_failed');
    const missing = answer.body.errors.filter(({ error }: { error: string }) => error === 'required');
    assert.deepEqual(
      missing.map(({ pointer }: { pointer: string }) => pointer),
      (inputSchema(operation).required ?? []).map((name) => `/${name}`),
    );
  });
});

test('a parameter with one value in the query and another in the body: 400', async () => {
  await each(gets, async (operation) => {
    const answer = await send('GET', `${operation.path}?uuid=a`, '{"uuid":"b"}', fitting(operation));
    isRefused(answer, 'parameter_conflict');
  });
});

test('another method: 405 with Allow', async () => {
  await each(operations, async (operation) => {
    const other = operation.method === 'GET' ? 'POST' : 'GET';
    const answer = await send(other, operation.path, undefined, fitting(operation));
    isRefused(answer, 'method_not_allowed');
    assert.equal(answer.headers.allow, operation.method === 'GET' ? 'GET, HEAD' : 'POST');
  });
});

// What each one does ------------------------------------------------------------------------------------------

for (const operation of operations) {
  test(`${operation.path} succeeds, and leaves an audit entry exactly if it has an effect`, async () => {
    const prepared = await casesOf(operation).succeeds(harness);
    const answer = await call(operation, prepared);
    assert.ok(answer.status === 200 || answer.status === 202, answer.text);
    assert.deepEqual([answer.body.state, answer.body.code], ['success', answer.status]);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const shown = CONTRACT.answers[operation.path];
    assert.ok(shown !== undefined, 'no answer is shown: run npm run generate:answers');
    const stale = differencesOfForm(shown, answer.body.data);
    assert.deepEqual(stale, [], `the answer that is shown has another form: npm run generate:answers`);
    const { rows } = await harness.pool.pg.query<{ operation: string; code: number; input: unknown }>(
      // Reads that are audited are written within a second, beside the requests: they may be there by now.
      `SELECT operation, code, input FROM audit WHERE request_id = $1 AND input IS DISTINCT FROM '{"read": true}'`,
      [answer.headers['x-request-id']],
    );
    if (operation.effect === 'none') return assert.deepEqual(rows, []);
    assert.deepEqual(
      rows.map(({ operation, code }) => [operation, code]),
      [[operation.path, answer.status]],
    );
    const audited = JSON.stringify(rows[0]?.input);
    for (const secret of secretsIn(prepared.input, operation))
      assert.ok(!audited.includes(secret), 'a secret was audited');
  });

  for (const code of new Set(operation.errors)) {
    test(`${operation.path} refuses with ${code}`, async () => {
      const prepare = casesOf(operation).refuses[code];
      assert.ok(prepare, `no case provokes ${code}: add one, or do not declare it`);
      const prepared = await prepare(harness);
      isRefused(await settled(() => call(operation, prepared), code), code);
    });
  }
}

/** The values of the input's members that are declared secrets. */
function secretsIn(input: unknown, { secrets }: Operation): string[] {
  return Object.entries(input ?? {}).flatMap(([name, value]) =>
    secrets.includes(name) && typeof value === 'string' && value !== '' ? [value] : [],
  );
}

test('cases stand for operations that exist', () => {
  const paths = new Set(operations.map(({ path }) => path));
  assert.deepEqual(
    Object.keys(cases).filter((path) => !paths.has(path)),
    [],
  );
});

// What they have in common when they are called rightly --------------------------------------------------------

/** Operations on a thing of the caller's own. */
const onOwnThings = operations.filter(
  (operation) =>
    operation.audience !== 'staff' &&
    operation.errors.includes('not_found') &&
    inputSchema(operation).properties?.uuid !== undefined,
);

test("somebody else's thing and one that does not exist are told apart by nothing", async () => {
  const other = await harness.customer();
  await each(onOwnThings, async (operation) => {
    const prepared = await casesOf(operation).succeeds(harness);
    const foreign = await call(operation, { ...prepared, as: other });
    const unknown = await call(operation, {
      as: other,
      input: { ...(prepared.input as object), uuid: randomUUID() },
    });
    isRefused(foreign, 'not_found');
    assert.deepEqual(told(foreign), told(unknown));
    const own = await call(operation, prepared);
    assert.ok(own.status < 300, `its owner is refused too: ${own.text}`);
  });
});

/** An answer less what differs with each request. */
function told({ status, headers, body }: Answered) {
  return { status, type: headers['content-type'], body: { ...body, request_id: '', instance: '' } };
}

test('a token for certain things finds no others', async () => {
  // Tokens and tasks are not such things.
  const services = onOwnThings.filter((operation) => !['account', 'task'].includes(groupOf(operation)));
  await each(services, async (operation) => {
    const { as, input } = await casesOf(operation).succeeds(harness);
    assert.ok(as !== null);
    const narrow = await harness.tokenOf(as, { resourceAllowlist: [randomUUID()] });
    isRefused(await call(operation, { as: narrow, input }), 'not_found');
    const { uuid } = input as { uuid: string };
    const wide = await harness.tokenOf(as, { resourceAllowlist: [uuid] });
    assert.ok((await call(operation, { as: wide, input })).status < 300);
  });
});

test('a GET takes its parameters from the query as from the body', async () => {
  await each(gets, async (operation) => {
    const { as, input } = await casesOf(operation).succeeds(harness);
    const query = new URLSearchParams(
      Object.entries(input ?? {}).flatMap(([name, value]) =>
        [value].flat().map((item): [string, string] => [name, String(item)]),
      ),
    );
    const byBody = await call(operation, { as, input });
    const byQuery = await send('GET', `${operation.path}?${query}`, undefined, as);
    assert.deepEqual(
      [byQuery.status, Object.keys(byQuery.body.data)],
      [200, Object.keys(byBody.body.data)],
      byQuery.text,
    );
  });
});

const idempotent = operations.filter((operation) => operation.idempotent);

test('the same Idempotency-Key takes effect once, and belongs to one request', async () => {
  await each(idempotent, async (operation) => {
    const prepared = await casesOf(operation).succeeds(harness);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call(operation, { ...prepared, headers });
    const second = await settled(() => call(operation, { ...prepared, headers }));
    assert.ok(first.status < 300, first.text);
    assert.equal(second.text, first.text);
    assert.deepEqual(
      [first.headers['idempotent-replayed'], second.headers['idempotent-replayed']],
      [undefined, 'true'],
    );
    const audits = [first, second].map(({ headers }) => headers['x-request-id']);
    const { rows } = await harness.pool.pg.query('SELECT FROM audit WHERE request_id = ANY($1::uuid[])', [
      audits,
    ]);
    assert.equal(rows.length, 1);
    isRefused(await settled(() => reuse(operation, prepared, headers)), 'idempotency_key_reused');
  });
});

/** As clients do: while a job has what a request is about, it is told to come again, unless that is `expected`. */
async function settled(ask: () => Promise<Answered>, expected?: ErrorCode): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const answered = await ask();
    const { error } = answered.body;
    const isBusy = error === 'idempotency_in_progress' || error === 'resource_locked';
    if (!isBusy || error === expected || tries === 10) return answered;
  }
}

/** The key again for what is another request to the idempotent operation: with a default written out. */
async function reuse(
  operation: Operation,
  prepared: Call,
  headers: Record<string, string>,
): Promise<Answered> {
  const { properties = {} } = inputSchema(operation);
  const given = (prepared.input ?? {}) as object;
  const spare = Object.entries(properties).find(
    ([name, { default: value }]) => value !== undefined && !(name in given),
  );
  if (spare !== undefined) {
    return await call(operation, { ...prepared, input: { ...given, [spare[0]]: spare[1].default }, headers });
  }
  // Nothing can be added: another operation takes a key first.
  const key = { 'idempotency-key': randomUUID() };
  const other = operation.audience === 'staff' ? 'staff/suspend' : 'account/token-create';
  const first = await casesOf(operationAt(other)).succeeds(harness);
  assert.equal((await call(other, { ...first, as: prepared.as, headers: key })).status, 200);
  return await call(operation, { ...prepared, headers: key });
}

test('an Idempotency-Key that is none, or that an operation cannot keep: 400', async () => {
  await each(idempotent, async (operation) => {
    const headers = { 'idempotency-key': 'k'.repeat(256) };
    isRefused(
      await call(operation, { as: fitting(operation), input: operation.example.input, headers }),
      'idempotency_key_invalid',
    );
  });
});

test('while other work on the account is under way: 409, at once, and another code while the same key is', async () => {
  const locking = writes.filter(({ audience }) => audience !== 'public');
  const prepared = new Map<Operation, Call>();
  for (const operation of locking) prepared.set(operation, await casesOf(operation).succeeds(harness));
  const client = new pg.Client({ connectionString: harness.installation.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM accounts FOR UPDATE');
    // What operators do to no account waits for these.
    await client.query(
      `LOCK TABLE vouchers, discount_codes, notices, bank_entries, canned_replies, incoming_mails, failing_jobs,
         graphile_worker._private_jobs IN SHARE MODE`,
    );
    const impatient = await harness.impatient();
    await each(locking, async (operation) => {
      const given = prepared.get(operation) ?? { as: customer };
      isRefused(await impatient.call(operation, given), 'resource_locked');
      if (!operation.idempotent) return;
      const key = randomUUID();
      const keyed = { ...given, headers: { 'idempotency-key': key } };
      isRefused(await impatient.call(operation, keyed), 'resource_locked');
      // As a request with this key that has begun does.
      await client.query(
        "SELECT pg_advisory_xact_lock(hashtextextended('idempotency ' || $1 || ' ' || $2, 0))",
        [given.as?.accountId ?? given.as?.userId, key],
      );
      isRefused(await impatient.call(operation, keyed), 'idempotency_in_progress');
    });
  } finally {
    await client.end();
  }
});

// All of it together ------------------------------------------------------------------------------------------

test('beyond the rate limit: 429 with Retry-After', async () => {
  const narrow = await openHarness({ settings: { tokenRate: 1, addressRate: 1 }, seen });
  const [someone, staff] = await Promise.all([narrow.customer(), narrow.operator()]);
  await each(operations, async (operation) => {
    const as = await narrow.tokenOf(operation.audience === 'staff' ? staff : someone, {});
    const given = { as, input: operation.example.input };
    assert.notEqual((await narrow.call(operation, given)).status, 429);
    const answer = await narrow.call(operation, given);
    isRefused(answer, 'rate_limited');
    assert.equal(Number(answer.headers['retry-after']), answer.body.retry_after);
    assert.equal(answer.headers['ratelimit-remaining'], '0');
  });
});

/** What every operation documents but cannot be made to answer here. */
const ELSEWHERE: readonly ErrorCode[] = [
  'internal_error', // what brings it about is mended
  'backend_unavailable', // while PostgreSQL is away: database-away.test.ts
  'outcome_unknown', // a COMMIT whose answer is lost
];

test('every error that an operation documents was answered by it in these tests', async () => {
  await each(operations, (operation) => {
    const missing = errorsOf(operation).filter(
      (code) =>
        !seen.has(`${operation.path} ${code}`) &&
        (!ELSEWHERE.includes(code) || operation.errors.includes(code)),
    );
    assert.deepEqual(missing, []);
  });
});

test('no operation answered with an error that it does not document', () => {
  const anywhere = new Set<string>(['method_not_allowed']);
  const documented = new Map(operations.map((operation) => [operation.path, errorsOf(operation)]));
  const undocumented = [...seen].filter((pair) => {
    const [path = '', code = ''] = pair.split(' ');
    return !anywhere.has(code) && !documented.get(path)?.some((known) => known === code);
  });
  assert.deepEqual(undocumented, []);
});

test('every event that all this made is a documented one, its members too', async () => {
  const { rows } = await harness.pool.pg.query<{ type: EventType; body: unknown }>(
    'SELECT type, body FROM events',
  );
  const undocumented = rows.flatMap(({ type, body }) => {
    assert.ok(type in EVENTS, type);
    const { error } = eventBody(type).strict().safeParse(body);
    return error === undefined ? [] : [`${type} ${JSON.stringify(body)}: ${error.message}`];
  });
  assert.ok(rows.length > 100);
  assert.deepEqual([...new Set(undocumented)], []);
});

test('nothing of all this was a fault of the program', () => {
  assert.deepEqual(harness.logged, []);
});
