// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, openDomains } from '../../../test/domains.ts';
import type { Customer } from '../../../test/fixture.ts';
import { mailedToken } from '../../../test/mailed.ts';
import changes from '../../business/domains/changes/changes.job.ts';
import verification from '../../business/domains/contacts/verification.job.ts';

const domains = await openDomains();
const { requests, ports, clock, pool } = domains;
const { data, refused } = requests;

const ORGANISATION = { ...OWNER, type: 'organisation', company: 'Muster GmbH' };

async function ask(who: Customer, path: string, input: object) {
  const received = await requests.call(path, input, { token: who.secret });
  assert.ok(received.status < 300, received.text);
  return received.body.data;
}

async function registrant(domain: string, tld: string): Promise<string | null> {
  const found = await ports.registry.info({ domain, tld, registry: 'sandbox' });
  return found?.registrant ?? null;
}

async function handleOf(contactId: string): Promise<string> {
  const { rows } = await pool.pg.query<{ handle: string }>('SELECT handle FROM contacts WHERE id = $1', [
    contactId,
  ]);
  return rows[0]?.handle ?? '';
}

async function taskState(who: Customer, uuid: string): Promise<[string, string | null]> {
  const { task } = await ask(who, 'task/details', { uuid });
  return [task.state, task.error?.error ?? null];
}

test('another address of the same owner is an update: the registry follows, other domains keep theirs', async () => {
  const who = await domains.customer(10_000n);
  const first = await domains.register(who, 'address-first.com');
  const second = await domains.register(who, 'address-second.com');
  const before = await ask(who, 'domain/contact-get', { uuid: second });
  const changed = await ask(who, 'domain/contact-update', {
    uuid: first,
    contacts: { owner: { ...OWNER, street: 'Neue Straße' } },
  });
  assert.equal(changed.change.kind, 'update');
  assert.equal(changed.contacts.owner.street, 'Neue Straße');
  await domains.work();
  assert.equal(await registrant('address-first.com', 'com'), await handleOf(changed.contacts.owner.uuid));
  assert.deepEqual(await taskState(who, changed.task.uuid), ['succeeded', null]);
  assert.deepEqual(await ask(who, 'domain/contact-get', { uuid: second }), before);
  assert.deepEqual((await domains.events(who)).at(-1), 'domain.contacts_changed');
});

test('the same contacts once more change nothing; a dry run shows everything and changes nothing', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'nothing-new.com');
  const same = await ask(who, 'domain/contact-update', { uuid, contacts: { owner: OWNER } });
  assert.equal(same.task, null);
  const contacts = { owner: ORGANISATION };
  const dry = await ask(who, 'domain/contact-update', { uuid, contacts, dry_run: true });
  assert.deepEqual([dry.change.kind, dry.change.approval.required, dry.task], ['trade', true, null]);
  assert.deepEqual([dry.contacts.owner.uuid, dry.contacts.owner.company], [null, 'Muster GmbH']);
  assert.equal((await ask(who, 'domain/contact-get', { uuid })).contacts.owner.company, null);
  const { total } = (await ask(who, 'domain/contacts', {})).pagination;
  assert.equal(total, 2);
});

test('under ICANN’s rules another owner needs both owners’ consent, and locks the domain', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'changes-hands.com');
  const contacts = {
    owner: { ...OWNER, first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org' },
  };
  await refused('trade_required', 'domain/contact-update', { uuid, contacts }, { token: who.secret });
  const asked = await ask(who, 'domain/contact-update', { uuid, contacts, accept_trade: true });
  assert.deepEqual(asked.change.approval.sent_to.sort(), ['erika@example.com', 'grace@example.org']);
  assert.equal(asked.change.transfer_lock_until, '2027-03-16 12:00:00');
  assert.equal(asked.contacts.owner.first_name, 'Grace');
  const again = await refused(
    'state_conflict',
    'domain/contact-update',
    { uuid, contacts, accept_trade: true },
    { token: who.secret },
  );
  assert.equal(again.task_uuid, asked.task.uuid);

  const token = await mailedToken(domains, 'domain.owner-change', 'grace@example.org');
  assert.equal((await data('domain/contact-approve', { token })).outcome, 'missing');
  await domains.work();
  assert.equal((await ask(who, 'domain/contact-get', { uuid })).contacts.owner.first_name, 'Erika');
  const present = await mailedToken(domains, 'domain.owner-change', 'erika@example.com');
  assert.equal((await data('domain/contact-approve', { token: present })).outcome, 'begun');
  await refused('link_invalid', 'domain/contact-approve', { token: present });
  await domains.work();

  const { contacts: after } = await ask(who, 'domain/contact-get', { uuid });
  assert.deepEqual([after.owner.first_name, after.owner.verification.state], ['Grace', 'verified']);
  assert.equal(await registrant('changes-hands.com', 'com'), await handleOf(after.owner.uuid));
  assert.deepEqual(await taskState(who, asked.task.uuid), ['succeeded', null]);
  const details = await ask(who, 'domain/details', { uuid });
  assert.equal(details.transfer_lock_until, '2027-03-16 12:00:00');
  const told = await domains.mails(who, 'domain.owner-changed');
  assert.deepEqual(told, [{ domain: 'changes-hands.com', new_owner: 'Grace Hopper', ip: '192.0.2.1' }]);
});

test('without consent within a week, or by a no, the owner stays', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'stays-hers.com');
  const contacts = { owner: { ...OWNER, last_name: 'Andere', email: 'andere@example.org' } };
  const input = { uuid, contacts, accept_trade: true };
  const first = await ask(who, 'domain/contact-update', input);
  const token = await mailedToken(domains, 'domain.owner-change', 'erika@example.com');
  await data('domain/contact-approve', { token, answer: 'reject' });
  assert.deepEqual(await taskState(who, first.task.uuid), ['failed', 'change_rejected']);
  const second = await ask(who, 'domain/contact-update', input);
  clock.set(clock.now().add({ hours: 7 * 24 - 1 }));
  await domains.run(changes);
  assert.equal((await taskState(who, second.task.uuid))[0], 'queued');
  clock.set(clock.now().add({ hours: 1 }));
  await domains.run(changes);
  assert.deepEqual(await taskState(who, second.task.uuid), ['failed', 'change_rejected']);
  assert.equal((await ask(who, 'domain/contact-get', { uuid })).contacts.owner.last_name, 'Muster');
});

test('where the registry asks a fee for another owner, it is held, and taken when it is done', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'mit-gebuehr.de');
  const before = await domains.balanceOf(who);
  const contacts = { owner: { ...OWNER, last_name: 'Neu' } };
  const asked = await ask(who, 'domain/contact-update', { uuid, contacts, accept_trade: true });
  assert.deepEqual([asked.change.price, asked.change.approval.required], [4.9, false]);
  assert.equal(await domains.balanceOf(who), before);
  await domains.work();
  assert.equal(await domains.balanceOf(who), before - 490n);
  assert.equal(await registrant('mit-gebuehr.de', 'de'), await handleOf(asked.contacts.owner.uuid));
  assert.deepEqual(await domains.booksProblems(), []);
});

test('the present owner of a domain is told of a change of owner, where they have another address than its account', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'er-weiss-es.de');
  const contacts = { owner: { ...OWNER, last_name: 'Neu', email: 'neu@example.org' } };
  await ask(who, 'domain/contact-update', { uuid, contacts, accept_trade: true });
  const { rows } = await pool.pg.query(
    "SELECT coalesce(recipient, 'account') AS address FROM mails WHERE template = 'domain.owner-changed' AND account_id = $1 ORDER BY 1",
    [who.accountId],
  );
  assert.deepEqual(
    rows.map(({ address }) => address),
    ['account', OWNER.email],
  );
});

test('of a domain that was transferred here, whoever is named first is another owner than the one nobody knows', async () => {
  const who = await domains.customer(10_000n);
  const named = { contacts: { owner: OWNER }, accept_trade: true };
  const com = await domains.register(who, 'unknown-before.com');
  const de = await domains.register(who, 'unbekannt-vorher.de');
  await pool.pg.query('UPDATE domains SET owner_id = NULL WHERE id = ANY($1)', [[com, de]]);
  const sent = { token: who.secret };
  const unsaid = { uuid: de, contacts: named.contacts };
  assert.equal((await refused('trade_required', 'domain/contact-update', unsaid, sent)).fee, 4.9);
  const traded = await ask(who, 'domain/contact-update', { uuid: de, ...named });
  assert.deepEqual([traded.change.kind, traded.change.price], ['trade', 4.9]);
  const { change } = await ask(who, 'domain/contact-update', { uuid: com, ...named });
  assert.equal(change.approval.required, true);
  assert.equal(
    change.approval.sent_to.length,
    2,
    'in place of the unknown one, whoever looks after the account',
  );
  assert.ok(change.approval.sent_to.includes(OWNER.email));
});

test('a registry that refuses leaves the books as they were, and the money free', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'will-nicht.de');
  const before = await domains.balanceOf(who);
  await domains.fault('update', 'refuse');
  const contacts = { owner: { ...OWNER, last_name: 'Neu' } };
  const asked = await ask(who, 'domain/contact-update', { uuid, contacts, accept_trade: true });
  await domains.work();
  assert.equal((await taskState(who, asked.task.uuid))[0], 'failed');
  assert.equal((await ask(who, 'domain/contact-get', { uuid })).contacts.owner.last_name, 'Muster');
  assert.equal(await domains.balanceOf(who), before);
  assert.deepEqual(await domains.booksProblems(), []);
  const { rows } = await pool.pg.query('SELECT FROM domain_changes WHERE domain_id = $1', [uuid]);
  assert.equal(rows.length, 0);
});

test('only the roles that the TLD wants are told to its registry', async () => {
  const who = await domains.customer(10_000n);
  await domains.register(who, 'zwei-rollen.de');
  await domains.register(who, 'no-roles.com');
  const roles = async (domain: string, tld: string) =>
    Object.keys((await ports.registry.info({ domain, tld, registry: 'sandbox' }))?.contacts ?? {}).sort();
  assert.deepEqual(await roles('zwei-rollen.de', 'de'), ['admin', 'tech']);
  assert.deepEqual(await roles('no-roles.com', 'com'), []);
});

test('an owner who does not prove their address within 15 days is taken off, until they do (rule F10)', async () => {
  const who = await domains.customer(10_000n);
  const owner = { ...OWNER, email: 'unproven@example.org' };
  const uuid = await domains.register(who, 'unproven.com', { contacts: { owner } });
  assert.deepEqual(
    await domains.events(who),
    ['domain.registered', 'domain.contact_verification_required'].sort(),
  );
  const { contacts } = await ask(who, 'domain/contact-get', { uuid });
  assert.equal(contacts.owner.verification.state, 'pending');
  clock.set(
    clock
      .now()
      .add({ hours: 15 * 24 })
      .subtract({ seconds: 1 }),
  );
  await domains.run(verification);
  assert.equal((await domains.domain(uuid)).service_state, 'active');
  clock.set(clock.now().add({ seconds: 1 }));
  await domains.run(verification);
  await domains.run(verification);
  await domains.work();
  assert.equal((await domains.domain(uuid)).service_state, 'suspended');
  assert.ok((await domains.domain(uuid)).statuses.includes('clientHold'));
  assert.equal((await domains.mails(who, 'domain.verification-failed')).length, 1);

  const token = await mailedToken(domains, 'domain.contact-verification', owner.email);
  assert.equal((await ask(who, 'domain/contact-verify-resend', { uuid })).email, owner.email);
  assert.deepEqual(await data('domain/contact-verify', { token }), { email: owner.email });
  await domains.work();
  assert.ok(!(await domains.domain(uuid)).statuses.includes('clientHold'));
  await refused('state_conflict', 'domain/contact-verify-resend', { uuid }, { token: who.secret });
  await refused('link_invalid', 'domain/contact-verify', { token });
});

test('under a country’s TLD nobody has to prove anything', async () => {
  const who = await domains.customer(10_000n);
  await domains.register(who, 'beweist-nichts.de', {
    contacts: { owner: { ...OWNER, email: 'x@example.org' } },
  });
  assert.deepEqual(await domains.events(who), ['domain.registered']);
});

test('organisations are shown to the public while their customer wants it, persons never', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'shown.com', { contacts: { owner: ORGANISATION } });
  const hidden = { name: null, organisation: null, email: null, country: 'DE' };
  assert.deepEqual((await ask(who, 'domain/whois-privacy-get', { uuid })).published, hidden);
  const shown = await ask(who, 'domain/whois-privacy-update', { uuid, enabled: false });
  assert.deepEqual([shown.whois_privacy.enabled, shown.whois_privacy.mode], [false, 'none']);
  await domains.work();
  const { published } = await ask(who, 'domain/whois-privacy-get', { uuid });
  assert.equal(published.organisation, 'Muster GmbH');
  const person = await domains.register(who, 'hidden.com', { whois_privacy: false });
  assert.deepEqual((await ask(who, 'domain/whois-privacy-get', { uuid: person })).published, hidden);
});

test('a contact keeps as many further fields as registries may ask for, and no more', async () => {
  const who = await domains.customer(10_000n);
  const uuid = await domains.register(who, 'many-fields.com');
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${at}`, 'x'.repeat(255)]));
  const tech = { ...OWNER, first_name: 'Technik' };
  const sent = { token: who.secret };
  const many = { uuid, contacts: { tech: { ...tech, extra: fields(51) } } };
  const { errors } = await refused('validation_failed', 'domain/contact-update', many, sent);
  assert.match(errors[0].pointer, /^\/contacts\/tech/);
  const changed = await ask(who, 'domain/contact-update', {
    uuid,
    contacts: { tech: { ...tech, extra: fields(50) } },
  });
  assert.equal(Object.keys(changed.contacts.tech.extra).length, 50);
});
