import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUSTRIAN, AUSTRIAN_VAT, GERMAN } from '../../../../test/addresses.ts';
import type { Customer } from '../../../../test/fixture.ts';
import { openInvoicing } from '../../../../test/invoicing.ts';
import { openRequests } from '../../../../test/requests.ts';
import { openServers } from '../../../../test/servers.ts';

const fixture = await openServers();
const { clock, pool, customer } = fixture;
const { data } = openRequests(fixture, { ports: fixture.ports as never });
const invoicing = openInvoicing(fixture);

const save = (who: Customer, address: object) => data('account/save-address', address, { token: who.secret });
const pass = (hours: number) => clock.set(clock.now().add({ hours }));

async function collected(who: Customer) {
  pass(24);
  await invoicing.collect();
  return (await invoicing.invoices(who)).map(({ buyer, tax_country, tax_kind, gross }) => ({
    ...(buyer as { country: string; vat_id: string | null; city: string }),
    tax_country,
    tax_kind,
    gross,
  }));
}

test('an invoice names the buyer as its order was taxed, wherever they have moved since', async () => {
  const who = await customer(100_00n);
  await save(who, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid });
  await invoicing.renewals(who, 1);
  pass(1);
  await save(who, GERMAN);
  const [invoice, ...others] = await collected(who);
  assert.deepEqual(others, []);
  assert.equal(invoice?.country, 'AT');
  assert.equal(invoice?.tax_country, 'AT');
  assert.equal(invoice?.tax_kind, 'reverse_charge');
  assert.equal(invoice?.vat_id, AUSTRIAN_VAT.valid);
  assert.deepEqual(await invoicing.problems(), []);
});

test('renewals of a day before and after a move are on different invoices, also where they are taxed alike', async () => {
  const who = await customer(100_00n);
  await save(who, GERMAN);
  await invoicing.renewals(who, 2);
  await save(who, { ...GERMAN, zip: '20095', city: 'Hamburg' });
  await invoicing.renewals(who, 1);
  const invoices = await collected(who);
  assert.deepEqual(invoices.map(({ city, gross }) => [city, gross]).toSorted(), [
    ['Frankfurt am Main', 798n],
    ['Hamburg', 399n],
  ]);
});

test('who had given no address is named without one', async () => {
  const who = await customer(100_00n);
  await invoicing.renewals(who, 1);
  await save(who, AUSTRIAN);
  const [invoice] = await collected(who);
  assert.deepEqual([invoice?.country, invoice?.city, invoice?.vat_id], ['', '', null]);
});

test('the versions of an address are kept, and the application cannot change them', async () => {
  const who = await customer(0n);
  await save(who, GERMAN);
  await save(who, { ...GERMAN, city: 'Offenbach' });
  const { rows } = await pool.pg.query(
    `SELECT version, address ->> 'city' AS city FROM billing_address_versions WHERE account_id = $1 ORDER BY version`,
    [who.accountId],
  );
  assert.deepEqual(rows, [
    { version: 1, city: 'Frankfurt am Main' },
    { version: 2, city: 'Offenbach' },
  ]);
  for (const change of [
    'UPDATE billing_address_versions SET version = 9',
    'DELETE FROM billing_address_versions',
  ])
    await assert.rejects(pool.pg.query(change), /permission denied/);
});
