import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { createCustomer, type PersonDraft } from '../../business/core/accounts/customer.ts';
import { transaction } from '../../db/transaction.ts';

const fixture = await openFixture();
const { data, refused } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

async function create(email: string, firstName: string, lastName: string): Promise<string> {
  const person: PersonDraft = {
    email,
    passwordHash: null,
    firstName,
    lastName,
    locale: 'en',
    timezone: 'UTC',
  };
  const created = await transaction(fixture.pool, (tx) =>
    createCustomer(tx, { ...person, currency: 'EUR' }, fixture.clock.now()),
  );
  if (created.kind !== 'created') throw new Error('the address is taken');
  return created.accountId;
}

const emails = async (filter: object = {}): Promise<string[]> =>
  (await data('staff/customers', filter, staff)).customers.map((one: { email: string }) => one.email);

const ada = await create('ada@example.com', 'Ada', 'Lovelace');
await create('grace@example.com', 'Grace', 'Hopper');
await create('50%_off@example.com', 'Percent', 'Sign');

test('customers are listed by number, newest first, in pages', async () => {
  assert.deepEqual(await emails(), ['50%_off@example.com', 'grace@example.com', 'ada@example.com']);
  assert.deepEqual(await emails({ order: 'asc', per_page: 1, page: 2 }), ['grace@example.com']);
  const { pagination } = await data('staff/customers', { per_page: 2 }, staff);
  assert.deepEqual(pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
});

test('they are found by number, uuid, and parts of address and name, taken literally', async () => {
  const [{ customer_number }] = (await data('staff/customers', { search: 'lovel' }, staff)).customers;
  for (const search of [
    'ADA@',
    'a Love',
    ada,
    ada.toUpperCase(),
    customer_number,
    String(Number(customer_number)),
  ]) {
    assert.deepEqual(await emails({ search }), ['ada@example.com'], search);
  }
  assert.deepEqual(await emails({ search: '%' }), ['50%_off@example.com']);
  assert.deepEqual(await emails({ search: '_' }), ['50%_off@example.com']);
  assert.deepEqual(await emails({ search: 'nobody' }), []);
  assert.deepEqual(await emails({ search: '999999999999999' }), []);
  assert.deepEqual(await emails({ state: 'suspended' }), []);
  await fixture.pool.pg.query("UPDATE accounts SET state = 'suspended' WHERE id = $1", [ada]);
  assert.deepEqual(await emails({ state: 'suspended' }), ['ada@example.com']);
});

test('a customer’s money and services are shown as they are', async () => {
  const customer = await fixture.customer(1_000n);
  const request = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  await data('panel/order', request, { token: customer.secret });
  const [listed] = (await data('staff/customers', { search: customer.accountId }, staff)).customers;
  const { uuid, balance, available, services, currency } = listed;
  assert.deepEqual(
    { uuid, balance, available, services, currency },
    {
      uuid: customer.accountId,
      balance: 6.01,
      available: 6.01,
      services: 1,
      currency: 'EUR',
    },
  );
});

test('customers do not see one another', async () => {
  const { secret } = await fixture.customer(0n);
  await refused('operation_not_found', 'staff/customers', {}, { token: secret });
});
