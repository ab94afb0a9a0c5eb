// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, openDomains } from '../../../test/domains.ts';
import type { Customer } from '../../../test/fixture.ts';
import { staffToken } from '../../../test/requests.ts';
import { Rival } from '../../drivers/registry/sandbox/rival.ts';
import changes from './changes/changes.job.ts';
import converge from './convergence/converge.job.ts';
import look from './convergence/look.job.ts';
import renew from './renewal/renew.job.ts';
import { DOMAIN_AUTHCODE } from './transfer/authcode.ts';
import follow from './transfer/follow-transfers.job.ts';
import push from './transfer/push.job.ts';
import transfer from './transfer/transfer.job.ts';

// Two things about one domain at once: what ends, moves or cancels it, and what is ordered for it.
const domains = await openDomains((document) => {
  // Where another owner costs a fee, and nobody has to agree by mail.
  const de = document.tlds.find(({ tld }) => tld === 'de');
  Object.assign(de ?? {}, { transfer: 6.99 });
});
const { clock, pool, ports, rival, sandbox, sealer, requests } = domains;
const CODE = 'Code-of-the-owner-1';
const FIRST_YEAR = 1_299n;
const RENEWAL = 1_499n;
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });
const days = (count: number) => clock.now().add({ hours: 24 * count });
const sentBy = (who: Customer) => ({ token: who.secret });
const cancelling = (domain: string, mode: string) => ({ domain, mode, confirm: domain });

/** A customer with 100.00 EUR and a domain that can be renewed. */
async function owner(domain: string): Promise<{ who: Customer; id: string }> {
  const who = await domains.customer(10_000n);
  const id = await domains.register(who, domain, { transfer_lock: false });
  clock.set(days(100));
  return { who, id };
}

/** The ports, with what happens between a registry's answer to a command and its being written down. */
function meanwhile(command: string, happens: () => Promise<unknown>) {
  const registry = new Proxy(ports.registry, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        const outcome = await method.apply(target, given);
        if (name === command) await happens();
        return outcome;
      };
    },
  });
  return { ports: { ...ports, registry } };
}

async function statesOf(serviceId: string) {
  const { rows } = await pool.pg.query<{ order: string; hold: string; task: string }>(
    `SELECT o.state AS order, h.state AS hold, t.state AS task FROM orders o JOIN holds h ON h.order_id = o.id
     JOIN tasks t ON t.order_id = o.id WHERE o.service_id = $1 ORDER BY o.created_at DESC, o.id DESC LIMIT 1`,
    [serviceId],
  );
  return rows[0];
}

for (const mode of ['end_of_term', 'immediate'] as const) {
  test(`a renewal that no registry has heard of is given up by a cancellation (${mode}), and not paid`, async () => {
    const name = `given-up-${mode.replaceAll('_', '-')}.com`;
    const { who, id } = await owner(name);
    await domains.order(who, { action: 'renew', domain: name });
    await requests.data('domain/cancel', cancelling(name, mode), sentBy(who));
    assert.deepEqual(await statesOf(id), { order: 'failed', hold: 'released', task: 'cancelled' });
    await domains.work();
    assert.deepEqual(await domains.charges(name), ['create']);
    assert.equal(await domains.balanceOf(who), 10_000n - FIRST_YEAR);
    const { service_state: state } = await domains.domain(id);
    assert.equal(state, mode === 'immediate' ? 'cancelled' : 'cancel_scheduled');
    assert.deepEqual(await domains.booksProblems(), []);
  });
}

test('a domain whose renewal its registry may be making is not cancelled before that has answered', async () => {
  const name = 'being-renewed.com';
  const { who, id } = await owner(name);
  const ordered = await domains.order(who, { action: 'renew', domain: name });
  await domains.fault('renew', 'timeout_after');
  const payload = { order_id: ordered.order_id };
  await domains.run(renew, payload).catch(() => {});
  for (const mode of ['immediate', 'end_of_term', 'withdraw']) {
    const refused = await requests.refused(
      'state_conflict',
      'domain/cancel',
      cancelling(name, mode),
      sentBy(who),
    );
    assert.equal(refused.task_uuid, ordered.task.uuid);
  }
  await domains.run(renew, payload);
  assert.equal(await domains.balanceOf(who), 10_000n - FIRST_YEAR - RENEWAL);
  await requests.data('domain/cancel', cancelling(name, 'end_of_term'), sentBy(who));
  await domains.work();
  assert.equal((await domains.domain(id)).service_state, 'cancel_scheduled');
  assert.deepEqual(await domains.booksProblems(), []);
});

test('money is not paid back with the end of a domain that cannot be ended at this moment', async () => {
  const name = 'not-paid-back.com';
  const { who, id } = await owner(name);
  const { rows } = await pool.pg.query('SELECT id FROM orders WHERE service_id = $1', [id]);
  const ordered = await domains.order(who, { action: 'renew', domain: name });
  await domains.fault('renew', 'timeout_after');
  await domains.run(renew, { order_id: ordered.order_id }).catch(() => {});
  const refund = { order_id: rows[0]?.id, reason: 'test', basis: 'goodwill', end_service: true };
  const staff = { token: await staffToken(domains) };
  const refused = await requests.refused('state_conflict', 'staff/refund', refund, staff);
  assert.equal(refused.task_uuid, ordered.task.uuid);
  assert.equal(await domains.balanceOf(who), 10_000n - FIRST_YEAR);
});

test('a cancellation and the beginning of a renewal at the same instant never both happen', async () => {
  for (let time = 0; time < 12; time += 1) {
    const name = `same-instant-${time}.com`;
    const { who, id } = await owner(name);
    const ordered = await domains.order(who, { action: 'renew', domain: name });
    const cancel = requests.call('domain/cancel', cancelling(name, 'immediate'), sentBy(who));
    const [cancelled] = await Promise.all([cancel, domains.run(renew, { order_id: ordered.order_id })]);
    const isCancelled = (await domains.domain(id)).service_state === 'cancelled';
    assert.equal(cancelled.status === 200, isCancelled, cancelled.text);
    const isRenewed = (await domains.charges(name)).includes('renew');
    assert.equal(await domains.balanceOf(who), 10_000n - FIRST_YEAR - (isRenewed ? RENEWAL : 0n));
    if (!isRenewed) assert.ok(isCancelled);
  }
  await domains.work();
  assert.deepEqual(await domains.booksProblems(), []);
});

test('what its customer says of renewing by itself holds, whatever was ordered before', async () => {
  const name = 'said-no.com';
  const { who, id } = await owner(name);
  const ordered = await domains.order(who, { action: 'renew', domain: name, auto_renew: true });
  await requests.data('domain/settings', { domain: name, auto_renew: false }, sentBy(who));
  await domains.run(renew, { order_id: ordered.order_id });
  const row = await domains.domain(id);
  assert.equal(row.auto_renew, false);
  assert.equal(row.expire_at.toString(), row.registry_expire_at?.toString());
});

test('a domain that its registry deleted is not renewed instead of restored, and costs nothing', async () => {
  const name = 'deleted-first.com';
  const { who, id } = await owner(name);
  await domains.order(who, { action: 'renew', domain: name });
  // So nothing but its deletion speaks against the years that were ordered: its registry has them.
  const { expire_at: believedExpireAt } = await domains.domain(id);
  const years = await ports.registry.renew({ ...ref(name), years: 1, believedExpireAt, fee: null });
  assert.equal(years.kind, 'done');
  clock.set(days(10));
  assert.equal((await ports.registry.delete(ref(name))).kind, 'done');
  await domains.run(look, { domain_id: id });
  await domains.work();
  const row = await domains.domain(id);
  assert.deepEqual([row.state, row.service_state], ['redemption', 'expired']);
  assert.equal(await domains.balanceOf(who), 10_000n - FIRST_YEAR);
});

test('a domain that is being renewed at the last moment is not deleted', async () => {
  const name = 'last-moment.com';
  const { who, id } = await owner(name);
  await requests.data('domain/settings', { domain: name, auto_renew: false }, sentBy(who));
  await domains.travel(days(267), { hours: 24 * 4 });
  for (let day = 0; (await domains.domain(id)).delete_at === null; day += 1) {
    assert.ok(day < 20, 'it is never switched off');
    clock.set(days(1));
    await domains.live();
  }
  const { delete_at: deleteAt } = await domains.domain(id);
  assert.ok(deleteAt !== null);
  clock.set(deleteAt.subtract({ minutes: 1 }));
  const ordered = await domains.order(who, { action: 'renew', domain: name });
  await domains.fault('info', 'timeout_before');
  const payload = { order_id: ordered.order_id };
  await domains.run(renew, payload).catch(() => {});
  clock.set(deleteAt);
  await domains.run(converge, { domain_id: id });
  const found = await ports.registry.info(ref(name));
  assert.ok(found?.statuses.every((status) => status !== 'redemptionPeriod'));
  await domains.run(renew, payload);
  assert.deepEqual(
    [(await domains.domain(id)).state, (await domains.domain(id)).service_state],
    ['active', 'active'],
  );
});

/** A domain whose owner has given its code away; the winner's order for it, and the loser's answer. */
async function pushed(name: string) {
  const { who: loser, id } = await owner(name);
  await pool.pg.query('UPDATE domains SET transfer_lock_until = NULL, authcode_sealed = $2 WHERE id = $1', [
    id,
    sealer.seal(DOMAIN_AUTHCODE, CODE),
  ]);
  const winner = await domains.customer(0n);
  const ask = (by: Customer) => domains.order(by, { action: 'transfer', domain: name, authcode: CODE });
  const ordered = await ask(winner);
  await domains.work();
  const approve = () =>
    requests.data('domain/transfer-answer', { domain: name, answer: 'approve' }, sentBy(loser));
  return { loser, id, winner, ordered, ask, approve };
}

test('a transfer between customers that its winner cancels is over, and hides no other', async () => {
  const name = 'not-wanted.com';
  const { loser, id, winner, ordered, ask } = await pushed(name);
  await requests.data('domain/cancel', cancelling(name, 'immediate'), sentBy(winner));
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'deleted');
  const { rows } = await pool.pg.query('SELECT state FROM domain_transfers WHERE from_domain_id = $1', [id]);
  assert.deepEqual(rows, [{ state: 'cancelled' }]);
  await ask(await domains.customer(0n));
  await domains.work();
  assert.equal((await domains.mails(loser, 'domain.transfer-requested')).length, 2);
  await requests.data('domain/transfer-answer', { domain: name, answer: 'reject' }, sentBy(loser));
  await domains.work();
  assert.equal((await ports.registry.update({ ...ref(name), statuses: [], authcode: CODE })).kind, 'done');
  const since = clock.now();
  const asked = await rival.requestTransfer({ ...ref(name), authcode: CODE, years: 1, fee: null, since });
  assert.equal(asked.kind, 'done');
  await domains.live();
  assert.equal((await domains.mails(loser, 'domain.transfer-requested')).length, 3);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('what its loser ordered before a domain goes is given back where no registry has heard of it', async () => {
  const name = 'goes-without.com';
  const { loser, id, ordered, approve } = await pushed(name);
  await domains.order(loser, { action: 'renew', domain: name });
  await approve();
  await domains.run(push, { order_id: ordered.order_id });
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
  assert.deepEqual(await statesOf(id), { order: 'failed', hold: 'released', task: 'failed' });
  await domains.work();
  assert.deepEqual(await domains.charges(name), ['create']);
  assert.equal(await domains.balanceOf(loser), 10_000n - FIRST_YEAR);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a domain whose renewal its registry may be making goes when it is made, with the years that were paid', async () => {
  const name = 'goes-with-years.com';
  const { loser, id, ordered, approve } = await pushed(name);
  const renewal = await domains.order(loser, { action: 'renew', domain: name });
  await domains.fault('renew', 'timeout_after');
  await domains.run(renew, { order_id: renewal.order_id }).catch(() => {});
  await approve();
  await domains.run(push, { order_id: ordered.order_id });
  assert.equal((await domains.domain(id)).state, 'active', 'it waits');
  await domains.run(renew, { order_id: renewal.order_id });
  clock.set(clock.now().add({ minutes: 5 }));
  await domains.run(follow);
  await domains.work();
  const row = await domains.domain(ordered.domain_uuid);
  assert.equal(row.state, 'active');
  assert.equal(row.expire_at.toString(), (await ports.registry.info(ref(name)))?.expireAt?.toString());
  assert.equal(await domains.balanceOf(loser), 10_000n - FIRST_YEAR - RENEWAL);
  assert.deepEqual(await domains.charges(name), ['create', 'renew']);
  assert.deepEqual(await domains.booksProblems(), []);
});

for (const answer of ['does it', 'refuses it'] as const) {
  test(`a domain whose paid change of owner its registry may be making goes once that has ended: it ${answer}`, async () => {
    const name = answer === 'does it' ? 'goes-after-trade.de' : 'goes-without-trade.de';
    const { loser, id, ordered, approve } = await pushed(name);
    const before = await domains.balanceOf(loser);
    const contacts = { owner: { ...OWNER, last_name: 'Neu' } };
    const trade = { domain: name, contacts, accept_trade: true };
    const asked = await requests.call('domain/contact-update', trade, sentBy(loser));
    assert.equal(asked.status, 202, asked.text);
    await domains.fault('update', answer === 'does it' ? 'timeout_after' : 'timeout_before');
    await domains.run(converge, { domain_id: id }).catch(() => {});
    await approve();
    await domains.run(push, { order_id: ordered.order_id });
    await domains.run(changes);
    assert.equal((await domains.domain(id)).state, 'active', 'it waits');
    assert.deepEqual(await statesOf(id), { order: 'pending', hold: 'open', task: 'queued' });
    if (answer === 'refuses it') await domains.fault('update', 'refuse');
    await domains.run(converge, { domain_id: id });
    const ended =
      answer === 'does it'
        ? { order: 'completed', hold: 'captured', task: 'succeeded' }
        : { order: 'failed', hold: 'released', task: 'failed' };
    assert.deepEqual(await statesOf(id), ended);
    clock.set(clock.now().add({ minutes: 5 }));
    await domains.run(follow);
    await domains.work();
    assert.equal((await domains.domain(id)).state, 'transferred_out');
    assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
    assert.equal(await domains.balanceOf(loser), answer === 'does it' ? before - 490n : before);
    assert.deepEqual(await domains.booksProblems(), []);
  });
}

test('what was commanded for whoever had a domain is put right for whoever has it', async () => {
  const name = 'put-right.com';
  const { loser, id, ordered, approve } = await pushed(name);
  await requests.data('domain/settings', { domain: name, transfer_lock: true }, sentBy(loser));
  await domains.work();
  await requests.data('domain/settings', { domain: name, transfer_lock: false }, sentBy(loser));
  // The registry hears of the loser's wish, and only then they let it go.
  const goes = async () => {
    await approve();
    await domains.work();
    assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
    await ports.registry.update({ ...ref(name), statuses: [] });
  };
  await domains.run(converge, { domain_id: id }, meanwhile('update', goes));
  assert.equal((await domains.domain(id)).state, 'transferred_out');
  await domains.work();
  const found = await ports.registry.info(ref(name));
  assert.ok(found?.statuses.includes('clientTransferProhibited'), 'as its new customer wants it');
});

/** A domain of another registrar's that was asked for by a customer with 50.00 EUR. */
async function coming(name: string) {
  const made = await new Rival({ db: sandbox, clock }).register(name);
  assert.ok(made.ok);
  const who = await domains.customer(5_000n);
  const ordered = await domains.order(who, { action: 'transfer', domain: name, authcode: made.data });
  return { who, ordered, id: ordered.domain_uuid as string };
}

test('a transfer that was through before it was cancelled is its customer’s domain, and paid', async () => {
  const name = 'through-before.com';
  const { who, ordered, id } = await coming(name);
  await domains.run(transfer, { order_id: ordered.order_id });
  // Nobody objects, and nobody has looked yet.
  clock.set(days(6));
  await requests.data('domain/cancel', { ...cancelling(name, 'immediate'), uuid: undefined }, sentBy(who));
  assert.equal(await domains.balanceOf(who), 5_000n);
  await domains.run(converge, { domain_id: id });
  const row = await domains.domain(id);
  assert.deepEqual([row.state, row.service_state, row.delete_at], ['active', 'active', null]);
  assert.equal((await ports.registry.info(ref(name)))?.sponsoredHere, true);
  assert.equal(await domains.balanceOf(who), 5_000n - FIRST_YEAR);
  assert.ok((await domains.events(who)).includes('domain.cancellation_revoked'));
  await domains.travel(days(40), { hours: 240 });
  assert.equal((await domains.domain(id)).service_state, 'active', 'and it stays theirs');
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a transfer is not cancelled while nobody can tell whether it was asked for', async () => {
  const name = 'maybe-asked.com';
  const { who, ordered, id } = await coming(name);
  await domains.fault('request_transfer', 'timeout_after');
  await domains.run(transfer, { order_id: ordered.order_id }).catch(() => {});
  await requests.refused('state_conflict', 'domain/cancel', cancelling(name, 'immediate'), sentBy(who));
  await domains.run(transfer, { order_id: ordered.order_id });
  await requests.data('domain/cancel', cancelling(name, 'immediate'), sentBy(who));
  await domains.work();
  assert.equal((await domains.domain(id)).state, 'deleted');
  assert.equal((await rival.transfer(ref(name)))?.status, 'cancelled');
  assert.equal(await domains.balanceOf(who), 5_000n);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a transfer that was taken back is not asked for again by the job that follows it', async () => {
  const name = 'asked-once.com';
  const { who, ordered, id } = await coming(name);
  await domains.run(transfer, { order_id: ordered.order_id });
  clock.set(days(1));
  await requests.data('domain/cancel', cancelling(name, 'immediate'), sentBy(who));
  assert.equal((await ports.registry.cancelTransfer(ref(name))).kind, 'done');
  await domains.run(transfer, { order_id: ordered.order_id });
  assert.equal((await rival.transfer(ref(name)))?.status, 'cancelled');
  const row = await domains.domain(id);
  assert.deepEqual([row.state, row.service_state], ['deleted', 'deleted']);
  assert.equal(await domains.balanceOf(who), 5_000n);
});

test('what is open for a domain that went to another registrar comes to nothing, and its money is free', async () => {
  const name = 'went-away.com';
  const { who, id } = await owner(name);
  await pool.pg.query('UPDATE domains SET transfer_lock_until = NULL WHERE id = $1', [id]);
  assert.equal((await ports.registry.update({ ...ref(name), statuses: [], authcode: CODE })).kind, 'done');
  const since = clock.now();
  const asked = await rival.requestTransfer({ ...ref(name), authcode: CODE, years: 1, fee: null, since });
  assert.equal(asked.kind, 'done');
  await domains.live();
  await ports.registry.answerTransfer(ref(name), 'approve');
  await domains.order(who, { action: 'renew', domain: name });
  await domains.run(look, { domain_id: id });
  assert.equal((await domains.domain(id)).state, 'transferred_out');
  assert.deepEqual(await statesOf(id), { order: 'failed', hold: 'released', task: 'failed' });
  const { rows } = await pool.pg.query('SELECT state FROM domain_transfers WHERE domain_id = $1', [id]);
  assert.deepEqual(rows, [{ state: 'approved' }]);
  await domains.work();
  assert.equal(await domains.balanceOf(who), 10_000n - FIRST_YEAR);
  assert.deepEqual(await domains.booksProblems(), []);
});
