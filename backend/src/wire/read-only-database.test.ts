// Slow: 8 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openHarness } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { operations } from '../operations.generated.ts';

const harness = await openHarness();
const url = harness.installation.directUrl;
// A session that may write whatever is set for the others.
const owner = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
await owner.connect();
owner.on('error', () => {});
const { rows } = await owner.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
const database = rows[0]?.name ?? '';

/** Ends every other session, as a server does that changes its role. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  await owner.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`);
  await owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

test('on a server that only reads, what writes is refused for now, and nothing is said to be a fault of ours', async (t) => {
  t.after(() => owner.end());
  const [customer, operator] = await Promise.all([harness.customer(), harness.operator()]);
  await setReadOnly('on');
  const answered = new Set<string>();
  for (const operation of operations) {
    const as = operation.audience === 'staff' ? operator : operation.audience === 'public' ? null : customer;
    const { status, body, text, headers } = await harness.call(operation, {
      as,
      input: operation.example.input,
    });
    answered.add(status === 503 ? `503 ${body.error} ${body.retryable}` : String(status));
    assert.ok(
      status < 500 || body.error === 'backend_unavailable' || status === 501,
      `${operation.path}: ${text} ${harness.logged.join()}`,
    );
    if (status === 503) assert.ok(Number(headers['retry-after']) > 0);
  }
  assert.ok(answered.has('503 backend_unavailable true'), [...answered].join());
  await setReadOnly('off');
  await until(
    async () => ((await harness.call('account/session', { as: customer })).status === 200 ? true : null),
    () => 'it does not come back',
  );
  const made = await until(
    async () => {
      const answer = await harness.call('account/token-create', {
        as: customer,
        input: { name: 'x', scopes: ['*'] },
      });
      return answer.status === 200 ? answer : null;
    },
    () => 'it does not write again',
  );
  assert.equal(made.status, 200);
  assert.deepEqual(
    harness.logged.map((line) => JSON.parse(line).msg),
    [],
  );
  // Those who read a secret got it: the audit says so once it can be written.
  const path = 'panel/list';
  await until(
    async () => {
      const { rows } = await harness.pool.pg.query(
        `SELECT FROM audit WHERE operation = $1 AND input @> '{"read": true}' AND user_id = $2`,
        [path, customer.userId],
      );
      return rows.length > 0 ? true : null;
    },
    () => `${path} is not audited`,
  );
});
