// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAIN_ORDER, OWNER, openDomains } from '../../../test/domains.ts';
import { storeAddress } from '../../business/core/accounts/address.ts';
import { transaction } from '../../db/transaction.ts';

const domains = await openDomains();
const { requests, pool, clock } = domains;

test('a quote holds for its request and for as long as it says, whatever is sold meanwhile', async () => {
  const customer = await domains.customer(10_000n);
  const sent = { token: customer.secret };
  const wanted = { domain: 'quoted.com', period: 2, contacts: DOMAIN_ORDER.contacts };
  const { quote } = await requests.data('domain/order', { ...wanted, dry_run: true }, sent);
  assert.equal(quote.gross, 27.98);
  assert.equal(quote.renewal_gross, 29.98);
  assert.deepEqual(
    quote.lines.map(({ description, quantity }: { description: string; quantity: number }) => [
      description,
      quantity,
    ]),
    [
      ['.com registration (year)', 1],
      ['.com renewal (year)', 1],
    ],
  );
  await domains.importServers((document) => {
    const [com] = document.tlds;
    if (com !== undefined) Reflect.set(com, 'register', 50);
  });
  const consent = { tos: true, cancellation: true, quote_uuid: quote.quote_uuid };
  await requests.refused('validation_failed', 'domain/order', { ...wanted, ...consent, period: 1 }, sent);
  const ordered = await requests.call('domain/order', { ...wanted, ...consent }, sent);
  assert.equal(ordered.status, 202);
  assert.equal(ordered.body.data.charged.gross, 27.98);
  await domains.importServers(() => {});
});

test('a quote for a name in letters of several scripts says that it looks like another', async () => {
  const sent = { token: (await domains.customer(10_000n)).secret };
  const warnings = async (domain: string) => {
    const wanted = { domain, contacts: DOMAIN_ORDER.contacts, dry_run: true };
    const { quote } = await requests.data('domain/order', wanted, sent);
    return quote.warnings.map(({ error }: { error: string }) => error);
  };
  assert.deepEqual(await warnings('pаypаl-shop.com'), ['mixed_scripts']);
  assert.deepEqual(await warnings('bücher-shop.com'), []);
});

test('of many who want one name at the same moment one gets it, and nobody else pays', async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, () => domains.customer(10_000n)));
  const answers = await Promise.all(
    customers.map(({ secret }) =>
      requests.call('domain/order', { ...DOMAIN_ORDER, domain: 'wanted-by-all.com' }, { token: secret }),
    ),
  );
  const errors = answers.map(({ status, body }) => (status === 202 ? 'ordered' : body.error)).sort();
  assert.deepEqual(errors, [...Array(5).fill('domain_not_available'), 'ordered']);
  await domains.work();
  assert.deepEqual(await domains.booksProblems(), []);
});

test('the account’s address is a contact, once it is complete', async () => {
  const customer = await domains.customer(10_000n);
  const wanted = { domain: 'my-address.com', use_account_address: true, tos: true, cancellation: true };
  const sent = { token: customer.secret };
  const refused = await requests.refused('contact_incomplete', 'domain/order', wanted, sent);
  assert.ok(refused.errors.length > 5);
  const { type: _type, ...address } = OWNER;
  const full = {
    ...address,
    salutation: 'none' as const,
    company: null,
    vat_id: null,
    address_addition: null,
    region: null,
  };
  const standing = { state: 'not_checked' as const, checkedAt: null, name: null };
  await transaction(pool, (tx) =>
    storeAddress(tx, customer.accountId, full, { version: 1, standing, now: clock.now() }),
  );
  const ordered = await requests.call('domain/order', wanted, sent);
  assert.equal(ordered.status, 202, ordered.text);
});

test('name servers below the domain need their addresses, others must not have any, and each is there once', async () => {
  const customer = await domains.customer(10_000n);
  const pointers = async (nameservers: object[]) => {
    const input = { ...DOMAIN_ORDER, domain: 'delegated.com', nameservers };
    const body = await requests.refused('validation_failed', 'domain/order', input, {
      token: customer.secret,
    });
    return body.errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  assert.deepEqual(await pointers([{ hostname: 'ns1.delegated.com' }, { hostname: 'ns.other.net' }]), [
    '/nameservers/0',
  ]);
  assert.deepEqual(
    await pointers([{ hostname: 'ns1.other.net', ipv4: ['192.0.2.1'] }, { hostname: 'NS2.other.net.' }]),
    ['/nameservers/0'],
  );
  assert.deepEqual(await pointers([{ hostname: 'ns1.other.net' }, { hostname: 'ns1.other.net' }]), [
    '/nameservers/1',
  ]);
  const glue = [{ hostname: 'ns1.delegated.com', ipv4: ['192.0.2.1'] }, { hostname: 'ns.other.net' }];
  const id = await domains.register(customer, 'delegated.com', { nameservers: glue });
  const shown = await requests.data('domain/details', { uuid: id }, { token: customer.secret });
  assert.equal(shown.state, 'active');
  assert.equal(shown.dns_hosted, false);
});

test('renewals and restorations keep contacts and name servers; transfers are of names that are taken', async () => {
  const customer = await domains.customer(10_000n);
  const sent = { token: customer.secret };
  const further = { action: 'renew', domain: 'kept.com', tos: true, cancellation: true };
  await requests.refused('validation_failed', 'domain/order', { ...further, ...DOMAIN_ORDER }, sent);
  const free = { action: 'transfer', domain: 'nobody-has-this.com', authcode: 'x' };
  const refused = await requests.refused(
    'domain_not_available',
    'domain/order',
    { ...free, tos: true, cancellation: true },
    sent,
  );
  assert.equal(refused.reason, 'not_registered');
});

test('what a TLD asks of its contacts is asked by its field', async () => {
  await domains.importServers((document) => {
    const [com] = document.tlds;
    assert.ok(com !== undefined);
    const properties = { us_nexus_category: { type: 'string', title: 'Nexus', pattern: '^C[123][12]$' } };
    const required = ['us_nexus_category'];
    const contact_schema = { type: 'object', properties, required, additionalProperties: false };
    Reflect.set(document, 'tlds', [...document.tlds, { ...com, tld: 'us', contact_schema }]);
  });
  const customer = await domains.customer(10_000n);
  const sent = { token: customer.secret };
  const refused = await requests.refused(
    'contact_incomplete',
    'domain/order',
    { ...DOMAIN_ORDER, domain: 'nexus.us' },
    sent,
  );
  assert.equal(refused.errors[0].pointer, '/contacts/owner/extra/us_nexus_category');
  const owner = { ...OWNER, extra: { us_nexus_category: 'C11' } };
  const ordered = await requests.call(
    'domain/order',
    { ...DOMAIN_ORDER, domain: 'nexus.us', contacts: { owner } },
    sent,
  );
  assert.equal(ordered.status, 202, ordered.text);
});
