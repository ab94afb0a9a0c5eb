// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import type { Customer } from '../../../../test/fixture.ts';
import { renewalYears } from './renewable.ts';

/** As registries of countries are that let expire what is not renewed. */
const EXPIRING = {
  whois_privacy: null,
  add_grace_days: 0,
  renew_grace_days: 0,
  policy: {
    autorenew_at_registry: false,
    delete_deadline_days: 0,
    explicit_delete: false,
    transfer_lock_days: 0,
  },
};

function addTlds(tlds: object[], changing: { renew: number; periods: number[] }): void {
  const to10 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const even = [2, 4, 6, 8, 10];
  tlds.push(
    { ...EXPIRING, tld: 'gr', register: 24.99, renew: 29.99, transfer: 24.99, restore: 79, periods: even },
    { ...EXPIRING, tld: 'in', register: 9.99, renew: 14.99, transfer: 12.99, restore: 89, periods: to10 },
    { ...EXPIRING, tld: 'ro', register: 12.99, transfer: 12.99, restore: 59, ...changing },
  );
}

const domains = await openDomains(({ tlds }) => addTlds(tlds, { renew: 14.99, periods: [1, 2, 3] }));
const { clock, rival, requests } = domains;
const at = (text: string) => Temporal.Instant.from(text);
const CODE = 'Rival-Code-123';

/** What a customer is shown of a renewal that comes by itself. */
async function shown(who: Customer, domain: string) {
  const sent = { token: who.secret };
  const { services } = await requests.data('account/services', {}, sent);
  const { period } = await requests.data('domain/details', { domain }, sent);
  const found = services.find(({ name }: { name: string }) => name === domain);
  return { period, gross: found.renewal_gross };
}

test('a further term is the last one, or the next shorter that is sold, else the shortest; and never ten years', () => {
  const years = (last: number, ...periods: number[]) => renewalYears({ periods }, last);
  assert.equal(years(1, 1, 2, 3), 1);
  assert.equal(years(3, 1, 2, 3), 3);
  assert.equal(years(3, 1, 2, 5, 10), 2);
  assert.equal(years(1, 2, 4, 6, 8, 10), 2);
  assert.equal(years(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 9);
  assert.equal(years(10, 2, 4, 6, 8, 10), 8);
  assert.equal(years(10, 1, 2, 3, 5, 10), 5);
  assert.equal(years(10, 10), 10);
});

test('a transfer renews itself where its TLD sells no single year, at the price that was shown from the start', async () => {
  const ref = { domain: 'comes-over.gr', tld: 'gr', registry: 'sandbox' };
  const outcome = await rival.register({
    ...ref,
    registrant: {
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
    },
    admin: null,
    tech: null,
    billing: null,
    years: 2,
    nameservers: ['ns1', 'ns2'].map((host) => ({ hostname: `${host}.rival.example`, ipv4: [], ipv6: [] })),
    ds: [],
    authcode: CODE,
    fee: null,
    since: clock.now(),
  });
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  clock.set(clock.now().add({ hours: 24 * 61 }));
  await rival.update({ ...ref, authcode: CODE });
  const who = await domains.customer(50_000n);
  const transfer = { action: 'transfer', domain: ref.domain, authcode: CODE };
  const dryRun = { ...transfer, dry_run: true };
  const { quote } = await requests.data('domain/order', dryRun, { token: who.secret });
  assert.equal(quote.renewal_gross, 59.98);
  const many = { names: [transfer], dry_run: true };
  const basket = await requests.data('domain/order-many', many, { token: who.secret });
  assert.equal(basket.quote.renewal_gross, 59.98);

  const { domain_uuid: id } = await domains.order(who, transfer);
  await domains.work();
  await domains.travel(clock.now().add({ hours: 24 * 6 }));
  const { expire_at: end } = await domains.domain(id);
  assert.deepEqual(await shown(who, ref.domain), { period: 2, gross: 59.98 });
  clock.set(end.subtract({ hours: 24 * 29 }));
  const { forecast } = await requests.data('account/balance', {}, { token: who.secret });
  assert.equal(forecast.next_30_days, 59.98);
  await domains.travel(end.add({ hours: 24 }));
  const renewed = end.toZonedDateTimeISO('UTC').add({ years: 2 }).toInstant();
  const row = await domains.domain(id);
  assert.equal(row.expire_at.toString(), renewed.toString());
  assert.equal(row.registry_expire_at?.toString(), renewed.toString());
  assert.equal(await domains.balanceOf(who), 50_000n - 2_499n - 5_998n);
  assert.ok(!(await domains.events(who)).includes('domain.not_renewable'));
  assert.deepEqual(await domains.booksProblems(), []);
});

test('ten years renew themselves for nine, which is all that their registry takes before their end', async () => {
  clock.set(at('2027-01-15T12:00:00Z'));
  const who = await domains.customer(50_000n);
  const wanted = { domain: 'ten-years.in', period: 10 };
  const { quote } = await requests.data('domain/order', { ...wanted, dry_run: true }, { token: who.secret });
  assert.equal(quote.renewal_gross, 134.91);
  const id = await domains.register(who, wanted.domain, { period: 10 });
  const first = 999n + 9n * 1_499n;
  assert.equal((await domains.domain(id)).expire_at.toString(), '2037-01-15T12:00:00Z');
  assert.deepEqual(await shown(who, wanted.domain), { period: 9, gross: 134.91 });
  clock.set(at('2036-12-15T12:00:00Z'));
  await domains.travel(at('2037-01-16T12:00:00Z'));
  const row = await domains.domain(id);
  assert.equal(row.expire_at.toString(), '2046-01-15T12:00:00Z');
  assert.equal(row.registry_expire_at?.toString(), '2046-01-15T12:00:00Z');
  assert.equal(await domains.balanceOf(who), 50_000n - first - 13_491n);
  assert.deepEqual(await domains.charges(wanted.domain), ['create', 'renew']);
  assert.deepEqual((await domains.events(who)).slice(-2), ['domain.expiring', 'domain.renewed']);
  assert.deepEqual(await shown(who, wanted.domain), { period: 9, gross: 134.91 });
});

test('years that are not sold any more become those that are, at what was announced for one, also renewed by hand', async () => {
  clock.set(at('2027-01-15T12:00:00Z'));
  const who = await domains.customer(50_000n);
  const id = await domains.register(who, 'other-terms.ro');
  const byHand = await domains.register(who, 'by-hand.ro', { auto_renew: false });
  assert.deepEqual(await shown(who, 'other-terms.ro'), { period: 1, gross: 14.99 });
  clock.set(at('2027-12-16T12:00:00Z'));
  await domains.live();
  // Announced; then its registry takes other terms, and is dearer.
  await domains.importServers(({ tlds }) => addTlds(tlds, { renew: 19.99, periods: [2, 5] }));
  assert.deepEqual(await shown(who, 'other-terms.ro'), { period: 2, gross: 29.98 });
  const renewal = { action: 'renew', domain: 'by-hand.ro', period: 2 };
  const { charged } = await domains.order(who, renewal);
  assert.equal(charged.gross, 29.98);
  await domains.travel(at('2028-01-16T12:00:00Z'));
  assert.equal((await domains.domain(id)).expire_at.toString(), '2030-01-15T12:00:00Z');
  assert.equal((await domains.domain(byHand)).expire_at.toString(), '2030-01-15T12:00:00Z');
  assert.equal(await domains.balanceOf(who), 50_000n - 2n * (1_299n + 2_998n));
  assert.deepEqual(await shown(who, 'other-terms.ro'), { period: 2, gross: 39.98 });
  assert.deepEqual(await domains.booksProblems(), []);
});
