import assert from 'node:assert/strict';
import { test } from 'node:test';
import { days, eppStatuses, graceStatuses, nextHappening, transferredEnd, years } from './life.ts';
import { type RegistryPolicy, readName } from './policy.ts';
import type { Registration, Transfer } from './registration.ts';

const CREATED = Temporal.Instant.from('2027-01-15T12:00:00Z');

function policyOf(tld: string): RegistryPolicy {
  const policy = readName(`name.${tld}`)?.policy;
  assert.ok(policy, tld);
  return policy;
}

const COM = policyOf('com');

function registration(change: Partial<Registration> = {}): Registration {
  return {
    id: 1n,
    name: 'name.com',
    sponsor: 'hostkeep',
    createdBy: 'hostkeep',
    createdAt: CREATED,
    updatedBy: null,
    updatedAt: null,
    transferredAt: null,
    expireAt: years(CREATED, 1),
    registrant: 'HK-1',
    contacts: [],
    hosts: ['ns1.example.net'],
    ds: [],
    clientStatuses: [],
    serverStatuses: [],
    authcode: null,
    authcodeExpireAt: null,
    transferLockedUntil: days(CREATED, 60),
    graces: [
      { period: 'addPeriod', until: days(CREATED, 5), registrar: 'hostkeep', amount: 80_000n, years: 1 },
    ],
    deletedAt: null,
    restoreRequestedAt: null,
    ...change,
  };
}

const pending: Transfer = {
  id: 1n,
  status: 'pending',
  requestedBy: 'rival',
  requestedAt: CREATED,
  actedBy: 'hostkeep',
  actAt: days(CREATED, 5),
  years: 1,
  amount: 80_000n,
};

/** What a domain is at a moment, in days after its registration. */
function statesAt(domain: Registration, after: number, transfer: Transfer | null = null) {
  const now = days(CREATED, after);
  return [...eppStatuses(domain, transfer, COM, now), ...graceStatuses(domain, COM, now)];
}

test('a domain is locked for 60 days and in its add period for five, to the instant', () => {
  const domain = registration();
  assert.deepEqual(statesAt(domain, 0), ['serverTransferProhibited', 'addPeriod']);
  assert.deepEqual(statesAt(domain, 5), ['serverTransferProhibited']);
  assert.deepEqual(statesAt(domain, 60), ['ok']);
  assert.deepEqual(statesAt(registration({ hosts: [] }), 60), ['inactive']);
  assert.deepEqual(statesAt(domain, 60, pending), ['pendingTransfer']);
  assert.deepEqual(statesAt(registration({ clientStatuses: ['clientHold'] }), 60), ['clientHold']);
});

test('a deleted domain is redeemable for 30 days, and waits five more for its end', () => {
  const domain = registration({ deletedAt: CREATED, graces: [] });
  assert.deepEqual(statesAt(domain, 29), ['pendingDelete', 'redemptionPeriod']);
  assert.deepEqual(statesAt(domain, 30), ['pendingDelete', 'pendingDelete']);
  assert.deepEqual(nextHappening(domain, null, COM), { kind: 'purge', at: days(CREATED, 35) });
});

test('a restore without its report lapses after seven days', () => {
  const domain = registration({ deletedAt: CREATED, restoreRequestedAt: days(CREATED, 20), graces: [] });
  assert.deepEqual(statesAt(domain, 21), ['pendingDelete', 'pendingRestore']);
  assert.deepEqual(nextHappening(domain, null, COM), { kind: 'lapse_restore', at: days(CREATED, 27) });
});

test('what happens at the end of a term is the policy of the TLD', () => {
  const domain = registration();
  const end = years(CREATED, 1);
  const next = (tld: string, change: Partial<Registration> = {}) =>
    nextHappening({ ...domain, ...change }, null, policyOf(tld));
  assert.deepEqual(next('com'), { kind: 'autorenew', at: end });
  assert.deepEqual(next('cz'), { kind: 'expire', at: end });
  assert.deepEqual(next('co.uk'), { kind: 'expire', at: days(end, 90) });
  assert.equal(next('de', { expireAt: null }), null);
});

test('a transfer that is due at the end of the term goes first', () => {
  const domain = registration({ expireAt: pending.actAt });
  assert.equal(nextHappening(domain, pending, COM)?.kind, 'approve_transfer');
  assert.equal(nextHappening(domain, { ...pending, status: 'clientRejected' }, COM)?.kind, 'autorenew');
});

test('a transfer adds its year up to ten years from now, and takes nothing away', () => {
  const end = (from: number) => transferredEnd(years(CREATED, from), 1, CREATED).toString();
  assert.equal(end(1), years(CREATED, 2).toString());
  assert.equal(end(9), years(CREATED, 10).toString());
  assert.equal(
    transferredEnd(days(years(CREATED, 9), 30), 1, CREATED).toString(),
    years(CREATED, 10).toString(),
  );
  assert.equal(end(10), years(CREATED, 10).toString());
});

test('29 February ends on the 28th', () => {
  const leap = Temporal.Instant.from('2028-02-29T00:00:00Z');
  assert.equal(years(leap, 1).toString(), '2029-02-28T00:00:00Z');
});

test('only a label under a TLD is a name to register', () => {
  assert.equal(readName('name.co.uk')?.tld, 'co.uk');
  assert.equal(readName('name.shop')?.tld, 'shop');
  for (const none of [
    'com',
    'co.uk',
    'www.name.com',
    '-name.com',
    'na_me.com',
    `${'a'.repeat(64)}.com`,
    '.com',
  ])
    assert.equal(readName(none), null, none);
});
