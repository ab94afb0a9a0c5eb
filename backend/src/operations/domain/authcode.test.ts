// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../test/domains.ts';
import type { Customer } from '../../../test/fixture.ts';
import poll from '../../business/domains/convergence/poll.job.ts';
import tellAuthcode from '../../business/domains/transfer/authcode.job.ts';
import authcodeEnds from '../../business/domains/transfer/authcode-ends.job.ts';
import lockEnds from '../../business/domains/transfer/lock-ends.job.ts';
import transfer from '../../business/domains/transfer/transfer.job.ts';
import type { RegistryContact, WantedDomain } from '../../drivers/registry/port.ts';
import { RoutedRegistries } from '../../drivers/registry/routing.ts';
import { SandboxRegistry } from '../../drivers/registry/sandbox/registry.ts';

const domains = await openDomains();
const { requests, clock, pool } = domains;

const RIVAL: RegistryContact = {
  handle: 'RIVAL-1',
  type: 'person',
  name: 'A Rival',
  organisation: null,
  street: ['Other Street 1'],
  city: 'Berlin',
  region: null,
  zip: '10115',
  country: 'DE',
  phone: '+49.301234567',
  fax: null,
  email: 'rival@example.com',
  disclosed: false,
  extra: {},
};

async function ask(who: Customer, input: object, path = 'domain/authcode') {
  const received = await requests.call(path, input, { token: who.secret });
  assert.ok(received.status < 300, received.text);
  return received.body.data;
}

/** A domain that is old enough to leave. */
async function settled(who: Customer, name: string): Promise<string> {
  const uuid = await domains.register(who, name);
  clock.set(clock.now().add({ hours: 61 * 24 }));
  return uuid;
}

const codeAtRegistry = async (name: string) =>
  (
    await pool.pg.query<{ authcode: string | null }>(
      'SELECT authcode FROM sandbox.registry_domains WHERE name = $1',
      [name],
    )
  ).rows[0]?.authcode ?? null;

test('a code is made when it is asked for, told to the registry, and cleared at its end (rule F2)', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await settled(who, 'leaves.com');
  const asked = await ask(who, { uuid });
  assert.deepEqual(
    [asked.delivery, asked.transferable, asked.blocked_reasons],
    ['response', false, ['transfer_lock']],
  );
  assert.match(asked.authcode, /^[\w.!$+-]{24}$/);
  await domains.work();
  assert.equal(await codeAtRegistry('leaves.com'), asked.authcode);
  const again = await ask(who, { uuid, unlock: true });
  assert.deepEqual([again.authcode, again.task, again.transferable], [asked.authcode, null, true]);
  const other = await ask(who, { uuid, regenerate: true });
  assert.notEqual(other.authcode, asked.authcode);
  await domains.work();
  assert.equal(await codeAtRegistry('leaves.com'), other.authcode);
  assert.equal((await ask(who, { uuid: other.task.uuid }, 'task/details')).task.state, 'succeeded');

  clock.set(Temporal.Instant.from(`${other.expires_at.replace(' ', 'T')}Z`).subtract({ seconds: 1 }));
  await domains.run(authcodeEnds);
  await domains.work();
  assert.equal(await codeAtRegistry('leaves.com'), other.authcode);
  clock.set(clock.now().add({ seconds: 1 }));
  await domains.run(authcodeEnds);
  await domains.work();
  assert.equal(await codeAtRegistry('leaves.com'), null);
  const { rows } = await pool.pg.query('SELECT authcode_sealed FROM domains WHERE id = $1', [uuid]);
  assert.equal(rows[0]?.authcode_sealed, null);
  assert.deepEqual((await domains.mails(who, 'domain.authcode-issued')).length, 6);
});

test('only what nobody here can lift refuses a code: the days after a registration, the registry, the law', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'too-young.com');
  const refuse = async (reason: string) => {
    const body = await requests.refused(
      'transfer_locked',
      'domain/authcode',
      { uuid },
      { token: who.secret },
    );
    assert.deepEqual(body.blocked_reasons, [reason]);
  };
  await refuse('recent_change');
  clock.set(clock.now().add({ hours: 61 * 24 }));
  await pool.pg.query(
    `UPDATE domains SET statuses = '["serverTransferProhibited"]', seen_at = $2 WHERE id = $1`,
    [uuid, clock.now()],
  );
  await refuse('registry_lock');
  await pool.pg.query(`UPDATE domains SET statuses = '["ok"]' WHERE id = $1`, [uuid]);
  await pool.pg.query(
    `INSERT INTO suspensions (service_id, reason, note, since, resumes_as) VALUES ($1, 'unpaid', '', $2, 'active')`,
    [uuid, clock.now()],
  );
  await pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  assert.ok((await ask(who, { uuid })).authcode, 'a debt does not block it');
});

test('whoever has the code gets the domain: another customer with it, once its customer agrees', async () => {
  const who = await domains.customer(10_000n);
  const winner = await domains.customer(10_000n);
  const uuid = await settled(who, 'goes-on.com');
  const { authcode } = await ask(who, { uuid, unlock: true });
  await domains.work();
  const ordered = await domains.order(winner, { action: 'transfer', domain: 'goes-on.com', authcode });
  const asked = await ask(who, { uuid }, 'domain/transfer');
  assert.deepEqual(
    [asked.transfer.direction, asked.transfer.between, asked.transfer.state],
    ['out', 'customers', 'pending'],
  );
  await ask(who, { uuid, answer: 'approve' }, 'domain/transfer-answer');
  await domains.work();
  const got = await ask(winner, { uuid: ordered.domain_uuid }, 'domain/transfer');
  assert.deepEqual([got.transfer.direction, got.transfer.state], ['in', 'approved']);
  assert.equal((await domains.domain(uuid)).state, 'transferred_out');
});

test('a code opens nothing any more once its domain went to another customer, or came from another registrar', async () => {
  const who = await domains.customer(10_000n);
  const winner = await domains.customer(10_000n);
  const uuid = await settled(who, 'changes-hands.com');
  const { authcode } = await ask(who, { uuid, unlock: true });
  await domains.work();
  const pushed = await domains.order(winner, { action: 'transfer', domain: 'changes-hands.com', authcode });
  await ask(who, { uuid, answer: 'approve' }, 'domain/transfer-answer');
  await domains.work();
  assert.equal((await domains.domain(pushed.domain_uuid)).state, 'active');
  assert.equal(await codeAtRegistry('changes-hands.com'), null);

  const code = 'Rival-Code-123';
  const ref = { domain: 'comes-in.com', tld: 'com', registry: 'sandbox' };
  const contacts = { registrant: RIVAL, admin: null, tech: null, billing: null };
  const wanted = { ...ref, ...contacts, years: 1, nameservers: [], ds: [], authcode: code, fee: null };
  const registered = await domains.rival.register({ ...wanted, since: clock.now() });
  assert.equal(registered.kind, 'done', JSON.stringify(registered));
  clock.set(clock.now().add({ hours: 61 * 24 }));
  await domains.rival.update({ ...ref, authcode: code });
  const ordered = await domains.order(winner, { action: 'transfer', domain: ref.domain, authcode: code });
  await domains.work();
  await domains.rival.answerTransfer(ref, 'approve');
  await domains.run(poll);
  await domains.run(transfer, { order_id: ordered.order_id });
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
  await pool.pg.query('UPDATE sandbox.registry_domains SET authcode = $2 WHERE name = $1', [
    ref.domain,
    code,
  ]);
  await domains.work();
  assert.equal(await codeAtRegistry(ref.domain), null, 'also where the registry keeps it');
});

test('a code that its registry refuses is over: the next one asked for is another, and the registry is told that', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await settled(who, 'refused-code.com');
  await domains.fault('update', 'refuse');
  const first = await ask(who, { uuid });
  const meanwhile = await ask(who, { uuid });
  assert.deepEqual(
    [meanwhile.authcode, meanwhile.task.uuid],
    [first.authcode, first.task.uuid],
    'not known yet',
  );
  await domains.work();
  const { task } = await ask(who, { uuid: first.task.uuid }, 'task/details');
  assert.deepEqual([task.state, task.error.error], ['failed', 'backend_error']);
  const second = await ask(who, { uuid });
  assert.notEqual(second.authcode, first.authcode);
  assert.equal(second.task.state, 'queued');
  await domains.work();
  assert.equal(await codeAtRegistry('refused-code.com'), second.authcode);
});

test('of several codes that are asked for at once only the task of the one that the registry has succeeds', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await settled(who, 'asked-often.com');
  const stateOf = async (id: string) => (await ask(who, { uuid: id }, 'task/details')).task.state;
  const asked = await Promise.all([1, 2, 3].map(() => ask(who, { uuid, regenerate: true })));
  await domains.work();
  const known = await codeAtRegistry('asked-often.com');
  const states = await Promise.all(asked.map(({ task }) => stateOf(task.uuid)));
  assert.deepEqual(
    states,
    asked.map(({ authcode }) => (authcode === known ? 'succeeded' : 'cancelled')),
  );
  assert.equal(states.filter((state) => state === 'succeeded').length, 1);

  // Another is asked for while the registry is told of one.
  const first = await ask(who, { uuid, regenerate: true });
  const later: { authcode: string; task: { uuid: string } }[] = [];
  class SlowRegistries extends RoutedRegistries {
    override async update(wanted: WantedDomain) {
      later.push(await ask(who, { uuid, regenerate: true }));
      return await super.update(wanted);
    }
  }
  const registry = new SlowRegistries(
    new Map([['sandbox', new SandboxRegistry({ db: domains.sandbox, clock })]]),
  );
  await domains.run(tellAuthcode, { domain_id: uuid }, { ports: { ...domains.ports, registry } });
  const [second] = later;
  assert.ok(second);
  assert.deepEqual(
    [await stateOf(first.task.uuid), await stateOf(second.task.uuid)],
    ['cancelled', 'queued'],
  );
  await domains.work();
  assert.equal(await codeAtRegistry('asked-often.com'), second.authcode);
  assert.equal(await stateOf(second.task.uuid), 'succeeded');
});

test('the task of a code whose time is over before the registry has it does not succeed', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await settled(who, 'too-late.com');
  const { task, authcode, expires_at } = await ask(who, { uuid });
  clock.set(Temporal.Instant.from(`${expires_at.replace(' ', 'T')}Z`));
  await domains.work();
  assert.notEqual(await codeAtRegistry('too-late.com'), authcode);
  assert.equal((await ask(who, { uuid: task.uuid }, 'task/details')).task.state, 'cancelled');
});

test('a code that reaches the registry after its domain went to another customer is taken back there', async () => {
  const who = await domains.customer(10_000n);
  const winner = await domains.customer(10_000n);
  const uuid = await settled(who, 'late-code.com');
  const { authcode } = await ask(who, { uuid, unlock: true });
  await domains.work();
  await domains.order(winner, { action: 'transfer', domain: 'late-code.com', authcode });
  const { authcode: late, task } = await ask(who, { uuid, regenerate: true });
  class SlowRegistries extends RoutedRegistries {
    override async update(wanted: WantedDomain) {
      await ask(who, { uuid, answer: 'approve' }, 'domain/transfer-answer');
      await domains.work();
      return await super.update(wanted);
    }
  }
  const registry = new SlowRegistries(
    new Map([['sandbox', new SandboxRegistry({ db: domains.sandbox, clock })]]),
  );
  await domains.run(tellAuthcode, { domain_id: uuid }, { ports: { ...domains.ports, registry } });
  assert.equal(await codeAtRegistry('late-code.com'), late);
  await domains.work();
  assert.equal(await codeAtRegistry('late-code.com'), null);
  assert.notEqual((await ask(who, { uuid: task.uuid }, 'task/details')).task.finished_at, null);
});

test('a code that was asked for a domain that has gone since then is a task that fails, not one that waits', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await settled(who, 'gone-first.com');
  const { task } = await ask(who, { uuid });
  await pool.pg.query("UPDATE domains SET state = 'transferred_out', authcode_sealed = NULL WHERE id = $1", [
    uuid,
  ]);
  await domains.work();
  const { state, error } = (await ask(who, { uuid: task.uuid }, 'task/details')).task;
  assert.deepEqual([state, error.error], ['failed', 'state_conflict']);
});

test('when the days after a registration are over, the registry is asked, and told that the lock is off', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'comes-of-age.com', { transfer_lock: false });
  assert.ok((await domains.domain(uuid)).statuses.includes('clientTransferProhibited'));
  clock.set(clock.now().add({ hours: 60 * 24 }));
  await domains.run(lockEnds);
  await domains.work();
  const { statuses } = await domains.domain(uuid);
  assert.ok(!statuses.some((status) => status.endsWith('TransferProhibited')), statuses.join());
});
