import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openServers } from '../../../../test/servers.ts';
import { planFault } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { isLogin } from '../../../drivers/hypervisor/sandbox/password.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { Job } from '../../../work/job.ts';
import provision from './provision.job.ts';

const site = await openServers();
const { pool } = site;

async function ordered(balance = 10_000n, input: object = {}) {
  const who = await site.customer(balance);
  const data = await site.order(who, input);
  return { who, data, payload: { order_id: data.order_id } };
}
type Ordered = Awaited<ReturnType<typeof ordered>>;

async function stateOf({ who, data }: Ordered) {
  const { rows } = await pool.pg.query<{
    service: string;
    order: string;
    hold: string;
    task: string;
    task_error: string | null;
    balance: bigint;
    reserved: bigint;
    entries: bigint;
    addresses: bigint;
  }>(
    `SELECT s.state AS service, o.state AS order, h.state AS hold, t.state AS task, t.error AS task_error,
       a.balance, a.reserved,
       (SELECT count(*) FROM ledger_entries e WHERE e.order_id = o.id) AS entries,
       (SELECT count(*) FROM addresses d WHERE d.server_id = s.id) AS addresses
     FROM orders o JOIN services s ON s.id = o.service_id JOIN holds h ON h.order_id = o.id
     JOIN tasks t ON t.order_id = o.id JOIN accounts a ON a.id = o.account_id
     WHERE o.id = $1 AND a.id = $2`,
    [data.order_id, who.accountId],
  );
  return rows[0];
}

const DELIVERED = {
  service: 'active',
  order: 'completed',
  hold: 'captured',
  task: 'succeeded',
  task_error: null,
  balance: 9_601n,
  reserved: 0n,
  entries: 1n,
  addresses: 2n,
};
const WAITING = {
  service: 'pending',
  order: 'pending',
  hold: 'open',
  task: 'queued',
  task_error: null,
  balance: 10_000n,
  reserved: 399n,
  entries: 0n,
  addresses: 2n,
};
const GIVEN_BACK = {
  service: 'error',
  order: 'failed',
  hold: 'released',
  task: 'failed',
  task_error: 'backend_error',
  balance: 10_000n,
  reserved: 0n,
  entries: 0n,
  addresses: 0n,
};

async function machineOf({ data }: Ordered) {
  return (await site.machines()).find((machine) => machine.server_id === data.server_uuid);
}

/** The job with a step that dies, as the process would. */
function dying(step: 'finish' | 'command'): Job {
  if (provision.kind !== 'command') assert.fail('it is a command job');
  const { finish, command } = provision;
  return step === 'finish'
    ? {
        ...provision,
        async finish(...args) {
          await finish(...args);
          throw new Error('killed before COMMIT');
        },
      }
    : {
        ...provision,
        async command(...args) {
          await command(...args);
          throw new Error('killed before the answer was read');
        },
      };
}

test('an ordered server holds its money, capacity and addresses, and waits for its job', async () => {
  const order = await ordered();
  assert.deepEqual(await stateOf(order), WAITING);
  assert.equal(await machineOf(order), undefined);
  assert.deepEqual(await site.stockProblems(), []);
});

test('the job makes the machine as ordered, takes the money once, and says so', async () => {
  const order = await ordered(10_000n, { password: 'correct horse battery', start: false });
  await site.run(provision, order.payload);
  assert.deepEqual(await stateOf(order), DELIVERED);
  const machine = await machineOf(order);
  assert.equal(machine?.node, order.data.hostsystem.node);
  assert.equal(machine?.power, 'stopped');
  assert.equal(machine?.ipv4, `{${order.data.config.ipv4.ip_address}}`);
  assert.equal(await isLogin(machine?.login_hash ?? null, 'root', 'correct horse battery'), true);
  const { rows } = await pool.pg.query<{ type: string }>(
    'SELECT type FROM events WHERE account_id = $1 AND (resource_id = $2) ORDER BY sequence',
    [order.who.accountId, order.data.server_uuid],
  );
  assert.deepEqual(
    rows.map((row) => row.type),
    ['account.transaction_booked', 'order.paid', 'server.provisioned', 'task.succeeded'],
  );
  const entry = await pool.pg.query<{ id: string; description: string }>(
    'SELECT id, description FROM ledger_entries WHERE order_id = $1',
    [order.data.order_id],
  );
  assert.deepEqual(entry.rows, [{ id: order.data.transaction_uuid, description: 'Server Cloud S, 1 month' }]);
  assert.deepEqual(await site.stockProblems(), []);
});

test('run twice, one after the other, it does its work once', async () => {
  const order = await ordered();
  await site.run(provision, order.payload);
  const delivered = await stateOf(order);
  site.results.length = 0;
  await site.run(provision, order.payload);
  assert.deepEqual(site.results, [{ job: 'server.provision', result: 'nothing' }]);
  assert.deepEqual(await stateOf(order), delivered);
  assert.equal((await machineOf(order))?.installs, 1);
});

test('run by several workers at once, it makes one machine and one entry', async () => {
  const order = await ordered();
  await Promise.all([1, 2, 3, 4].map(() => site.run(provision, order.payload)));
  assert.deepEqual(await stateOf(order), DELIVERED);
  assert.equal((await machineOf(order))?.installs, 1);
  assert.deepEqual(await site.stockProblems(), []);
});

for (const step of ['command', 'finish'] as const) {
  test(`killed in ${step}, after the machine was made, the next run finds it and takes the money once`, async () => {
    const order = await ordered();
    await assert.rejects(site.run(dying(step), order.payload), /killed/);
    const between = await stateOf(order);
    assert.deepEqual(between, { ...WAITING, service: 'provisioning', task: 'running' });
    assert.equal((await machineOf(order))?.installs, 1);
    await site.run(provision, order.payload);
    assert.deepEqual(await stateOf(order), DELIVERED);
    assert.equal((await machineOf(order))?.installs, 1);
    assert.deepEqual(await site.stockProblems(), []);
  });
}

test('refused by the back end, everything is given back, once', async () => {
  const order = await ordered();
  await planFault(site.sandbox, {
    command: 'ensure_machine',
    fault: 'refuse',
    serverId: order.data.server_uuid,
  });
  await site.run(provision, order.payload);
  assert.deepEqual(await stateOf(order), GIVEN_BACK);
  await site.run(provision, order.payload);
  assert.deepEqual(await stateOf(order), GIVEN_BACK);
  assert.equal(await machineOf(order), undefined);
  assert.deepEqual(await site.stockProblems(), []);
  const { rows } = await pool.pg.query<Record<string, unknown>>(
    `SELECT o.failure, v.password_sealed, v.user_data_sealed,
       (SELECT array_agg(type ORDER BY sequence) FROM events e WHERE e.resource_id = v.id) AS events,
       (SELECT count(*) FROM addresses a WHERE a.state = 'quarantine' AND host(a.address) = $2) AS quarantined
     FROM orders o JOIN servers v ON v.id = o.service_id WHERE o.id = $1`,
    [order.data.order_id, order.data.config.ipv4.ip_address],
  );
  assert.deepEqual(rows[0], {
    failure: 'the sandbox was told to refuse',
    password_sealed: null,
    user_data_sealed: null,
    events: ['order.failed', 'task.failed'],
    quarantined: 1n,
  });
});

test('killed while everything is given back, it is given back once', async () => {
  const order = await ordered();
  const fault = { command: 'ensure_machine', fault: 'refuse', serverId: order.data.server_uuid } as const;
  await planFault(site.sandbox, { ...fault, times: 2 });
  await assert.rejects(site.run(dying('finish'), order.payload), /killed/);
  assert.equal((await stateOf(order))?.hold, 'open');
  await site.run(provision, order.payload);
  assert.deepEqual(await stateOf(order), GIVEN_BACK);
  assert.deepEqual(await site.stockProblems(), []);
});

for (const fault of ['timeout_before', 'timeout_after'] as const) {
  test(`after a ${fault} nothing is decided; the next run finds out`, async () => {
    const order = await ordered();
    await planFault(site.sandbox, { command: 'ensure_machine', fault, serverId: order.data.server_uuid });
    await assert.rejects(site.run(provision, order.payload), BackendUnavailable);
    assert.deepEqual(await stateOf(order), { ...WAITING, service: 'provisioning', task: 'running' });
    await site.run(provision, order.payload);
    assert.deepEqual(await stateOf(order), DELIVERED);
    assert.equal((await machineOf(order))?.installs, 1);
  });
}

for (const fault of ['repeat', 'slow'] as const) {
  test(`a back end that is "${fault}" delivers one machine for one charge`, async () => {
    const order = await ordered();
    await planFault(site.sandbox, { command: 'ensure_machine', fault, serverId: order.data.server_uuid });
    await site.run(provision, order.payload);
    assert.deepEqual(await stateOf(order), DELIVERED);
    assert.equal((await machineOf(order))?.installs, 1);
  });
}

test('an order for nothing (a discount of everything) is delivered with an entry of nothing', async () => {
  await pool.pg.query(
    `INSERT INTO discount_codes (code, percent, valid_from, created_at) VALUES ('FREE', 10000, '2026-01-01', '2026-01-01')`,
  );
  const order = await ordered(0n, { discount_code: 'free' });
  await site.run(provision, order.payload);
  assert.deepEqual(await stateOf(order), { ...DELIVERED, balance: 0n });
  assert.deepEqual(await site.booksProblems(), []);
});

test('no secret of an order is in its job, its task, its events, the audit or the back end, in clear', async () => {
  const password = 'a confidential pass phrase';
  const userData = '#cloud-config\n# a confidential script';
  const order = await ordered(10_000n, { password, user_data: userData });
  const dump = async () => {
    // The queue's rows are for its owner alone.
    const { rows } = await site.queue.query<{ text: string }>(`
      SELECT j::text AS text FROM graphile_worker._private_jobs j UNION ALL SELECT t::text FROM tasks t
      UNION ALL SELECT e::text FROM events e UNION ALL SELECT a::text FROM audit a
      UNION ALL SELECT v::text FROM servers v UNION ALL SELECT o::text FROM orders o
      UNION ALL SELECT i::text FROM idempotency_keys i UNION ALL SELECT m::text FROM sandbox.machines m`);
    return rows.map((row) => row.text).join('\n');
  };
  const hex = (text: string) => Buffer.from(text).toString('hex');
  for (const before of [true, false]) {
    const text = await dump();
    for (const secret of ['confidential', hex(password), hex(userData)]) {
      assert.equal(text.includes(secret), false, `${secret} ${before ? 'before' : 'after'} the job`);
    }
    await site.run(provision, order.payload);
  }
  const { rows } = await pool.pg.query('SELECT user_data_sealed FROM servers WHERE id = $1', [
    order.data.server_uuid,
  ]);
  assert.deepEqual(rows, [{ user_data_sealed: null }], 'what only the first boot needs is forgotten');
});

test('through the queue, every order that was taken is delivered', async () => {
  await site.work();
  const { rows } = await pool.pg.query("SELECT id FROM orders WHERE state = 'pending'");
  assert.deepEqual(rows, []);
  assert.deepEqual(await site.stockProblems(), []);
});
