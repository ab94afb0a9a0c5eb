// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../test/fixture.ts';
import { openZones } from '../../../test/zones.ts';
import changes from '../domains/changes/changes.job.ts';
import { DOMAIN_AUTHCODE } from '../domains/transfer/authcode.ts';

const zones = await openZones();
const { clock, pool, ports, requests, rival, sealer } = zones;
const customer = await zones.customer(1_000_000n);
const CODE = 'The-Right-Code-1';
const OURS = ['ns1.hosting.example', 'ns2.hosting.example'];
const hosts = (names: readonly string[]) => names.map((hostname) => ({ hostname }));
const THEIRS = ['ns1.example.net', 'ns2.example.net'];
const OTHERS = ['ns1.example.org', 'ns2.example.org'];
const DS = { key_tag: 4711, algorithm: 13, digest_type: 2, digest: 'AB'.repeat(32) };
const SIGNER = { keyTag: 4711, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });

async function delegate(who: Customer, domain: string, input: object): Promise<void> {
  const { status, text } = await requests.call(
    'domain/nameservers',
    { domain, ignore_warnings: true, ...input },
    { token: who.secret },
  );
  assert.ok(status < 300, text);
  await zones.work();
}

/** What its registry publishes of a domain: its name servers and how many DS. */
async function published(domain: string): Promise<string> {
  const found = await ports.registry.info(ref(domain));
  const names = found?.nameservers.map(({ hostname }) => hostname).sort();
  return `${names?.join(' ')} ${found?.ds.length}`;
}

async function later(hours: number): Promise<void> {
  clock.set(clock.now().add({ hours }));
  await zones.run(changes);
  await zones.work();
  // A wait that is over has name servers asked, whose answer is another step.
  await zones.tick();
  await zones.tick();
}

const at = (names: readonly string[], signers: number) => `${names.join(' ')} ${signers}`;

/** A domain of ours that somebody else's name servers serve, with a DS at the registry. */
async function signedElsewhere(domain: string): Promise<void> {
  await zones.zone(customer, domain);
  await delegate(customer, domain, { nameservers: hosts(THEIRS), ds: [DS] });
  await later(48);
  assert.equal(await published(domain), at(THEIRS, 1));
}

test('asked twice, the wait for a DS is not over sooner (rule F7)', async () => {
  await signedElsewhere('asked-twice.com');
  await delegate(customer, 'asked-twice.com', { nameservers: hosts(OTHERS) });
  await later(10);
  await delegate(customer, 'asked-twice.com', { nameservers: hosts(OTHERS) });
  await later(13);
  assert.equal(await published('asked-twice.com'), at(THEIRS, 0));
  await later(1);
  assert.equal(await published('asked-twice.com'), at(OTHERS, 0));
});

test('asked twice, the wait for old name servers is not over sooner, either', async () => {
  await zones.zone(customer, 'ns-twice.com');
  await delegate(customer, 'ns-twice.com', { nameservers: hosts(THEIRS), ds: [DS] });
  await later(10);
  await delegate(customer, 'ns-twice.com', { nameservers: hosts(THEIRS), ds: [DS] });
  await later(37);
  assert.equal(await published('ns-twice.com'), at(THEIRS, 0));
  await later(1);
  assert.equal(await published('ns-twice.com'), at(THEIRS, 1));
});

test('a DS that was taken away alone is waited for by the change that comes next', async () => {
  await signedElsewhere('ds-alone.com');
  await delegate(customer, 'ds-alone.com', { nameservers: hosts(THEIRS), ds: [] });
  assert.equal(await published('ds-alone.com'), at(THEIRS, 0));
  await delegate(customer, 'ds-alone.com', { nameservers: hosts(OTHERS) });
  await later(23);
  assert.equal(await published('ds-alone.com'), at(THEIRS, 0));
  await later(1);
  assert.equal(await published('ds-alone.com'), at(OTHERS, 0));
});

test('one that never was signed changes its name servers at once, however often', async () => {
  await zones.zone(customer, 'never-signed.com');
  for (const names of [THEIRS, THEIRS, OTHERS]) {
    await delegate(customer, 'never-signed.com', { nameservers: hosts(names) });
    assert.equal(await published('never-signed.com'), at(names, 0));
  }
});

test('a zone of ours that is signed no more is not left before its DS is forgotten', async () => {
  for (const [domain, isConfirmed] of [
    ['unsigned-here.com', true],
    ['unsigning-here.com', false],
  ] as const) {
    await zones.zone(customer, domain, { dnssec: true });
    await zones.work();
    assert.equal(await published(domain), at(OURS, 1));
    await zones.update(customer, domain, { dnssec: false });
    if (isConfirmed) await zones.work();
    await delegate(customer, domain, { nameservers: hosts(THEIRS) });
    await later(23);
    assert.equal(await published(domain), at(OURS, 0));
    await later(1);
    assert.equal(await published(domain), at(THEIRS, 0));
  }
});

test('a zone that is signed after its domain came back has no DS before the other name servers are forgotten', async () => {
  await zones.zone(customer, 'came-back.com');
  await delegate(customer, 'came-back.com', { nameservers: hosts(THEIRS) });
  await later(100);
  await delegate(customer, 'came-back.com', { mode: 'default' });
  await later(10);
  await zones.update(customer, 'came-back.com', { dnssec: true });
  await zones.work();
  await later(37);
  assert.equal(await published('came-back.com'), at(OURS, 0));
  await later(1);
  assert.equal(await published('came-back.com'), at(OURS, 1));
});

test('a signed domain that another customer takes over keeps its name servers until its DS is forgotten', async () => {
  const owner = await zones.customer(100_000n);
  const id = await zones.zone(owner, 'pushed-signed.com', { dnssec: true, transfer_lock: false });
  await zones.work();
  await pool.pg.query(
    `UPDATE domains SET authcode_sealed = $2, authcode_expires_at = $3, transfer_lock_until = NULL WHERE id = $1`,
    [id, sealer.seal(DOMAIN_AUTHCODE, CODE), clock.now().add({ hours: 24 }).toString()],
  );
  const transfer = { action: 'transfer', domain: 'pushed-signed.com', authcode: CODE };
  await zones.order(customer, { ...transfer, nameservers: hosts(THEIRS) });
  const answer = { uuid: id, answer: 'approve' };
  await requests.data('domain/transfer-answer', answer, { token: owner.secret });
  await zones.work();
  assert.equal(await published('pushed-signed.com'), at(OURS, 1));
  await later(1);
  assert.equal(await published('pushed-signed.com'), at(OURS, 0));
  await later(23);
  assert.equal(await published('pushed-signed.com'), at(OURS, 0));
  await later(1);
  assert.equal(await published('pushed-signed.com'), at(THEIRS, 0));
  await later(8 * 24);
  assert.equal((await ports.dns.zone('pushed-signed.com', 1_000))?.dnssec, true, 'still served, signed');
  await later(6 * 24);
  assert.equal(await ports.dns.zone('pushed-signed.com', 1_000), null);
});

test('a signed domain that comes from another registrar keeps its name servers until its DS is forgotten', async () => {
  await zones.elsewhere('comes-signed.com', CODE, [SIGNER]);
  const transfer = { action: 'transfer', domain: 'comes-signed.com', authcode: CODE };
  await zones.order(customer, { ...transfer, nameservers: hosts(THEIRS) });
  await zones.work();
  await rival.answerTransfer(ref('comes-signed.com'), 'approve');
  await zones.live();
  const theirs = ['ns1.rival.example', 'ns2.rival.example'];
  assert.equal(await published('comes-signed.com'), at(theirs, 1));
  await later(1);
  assert.equal(await published('comes-signed.com'), at(theirs, 0));
  await later(23);
  assert.equal(await published('comes-signed.com'), at(theirs, 0));
  await later(1);
  assert.equal(await published('comes-signed.com'), at(THEIRS, 0));
});
