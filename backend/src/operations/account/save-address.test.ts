import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { AMERICAN, AUSTRIAN, AUSTRIAN_VAT, CANARIAN, GERMAN, SWISS } from '../../../test/addresses.ts';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { wireTime } from '../../base/time.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import type { VatAnswer } from '../../drivers/vat/port.ts';
import { SandboxVatRegister } from '../../drivers/vat/sandbox/register.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;

/** The sandbox, which can be away altogether, and what it was asked. */
class Register extends SandboxVatRegister {
  readonly asked: { vatId: string; requester: string | null; deadlineMs: number }[] = [];
  away = false;

  override async check(vatId: string, requester: string | null, deadlineMs = 0): Promise<VatAnswer> {
    this.asked.push({ vatId, requester, deadlineMs });
    if (this.away) throw new BackendUnavailable('register');
    return await super.check(vatId, requester);
  }
}
const register = new Register();
const { data, call, refused } = openRequests(fixture, { ports: { vat: register } as never });
const START = clock.now();
beforeEach(() => {
  register.asked.length = 0;
  register.away = false;
  clock.set(START);
});

const save = (customer: Customer, input: object) =>
  data('account/save-address', input, { token: customer.secret });
const pass = (days: number) => clock.set(clock.now().add({ hours: 24 * days }));

async function taxed(customer: Customer): Promise<[string, boolean]> {
  const { tax_country, tax_business } = await pool.kysely
    .selectFrom('accounts')
    .select(['tax_country', 'tax_business'])
    .where('id', '=', customer.accountId)
    .executeTakeFirstOrThrow();
  return [tax_country, tax_business];
}

async function checks(customer: Customer) {
  return await pool.kysely
    .selectFrom('vat_checks')
    .select(['vat_id', 'state', 'reference'])
    .where('account_id', '=', customer.accountId)
    .orderBy('checked_at')
    .execute();
}

async function taxEvents(customer: Customer): Promise<unknown[]> {
  const rows = await pool.kysely
    .selectFrom('events')
    .select('body')
    .where('account_id', '=', customer.accountId)
    .where('type', '=', 'account.tax_changed')
    .orderBy('sequence')
    .execute();
  return rows.map(({ body }) => body);
}

test('an address is saved as it is given, tidied, and each time as a new version', async () => {
  const customer = await fixture.customer(0n);
  const given = {
    ...AUSTRIAN,
    salutation: 'mx',
    first_name: '  Jose\u0301 ',
    last_name: "O'Neill-Müller 王",
    company: '',
    street: 'улица Ленина',
    address_addition: ' 2. Stock ',
    country: 'at',
    region: 'at-9',
    phone: '+43 (1) 234-5678',
    email: 'Billing@Example.com',
  };
  const first = await save(customer, given);
  assert.deepEqual(first, {
    address: {
      ...AUSTRIAN,
      salutation: 'mx',
      first_name: 'José',
      last_name: "O'Neill-Müller 王",
      company: null,
      vat_id: null,
      street: 'улица Ленина',
      address_addition: '2. Stock',
      region: 'AT-9',
      phone: '+4312345678',
      email: 'billing@example.com',
    },
    vat_validation: { state: 'not_checked', checked_at: null, name: null },
    tax: { rate: 19, reverse_charge: false },
    version: 1,
    updated_at: wireTime(START),
  });
  pass(1);
  const second = await save(customer, GERMAN);
  assert.equal(second.version, 2);
  const read = await data('account/get-address', {}, { token: customer.secret });
  assert.deepEqual(read, {
    address: second.address,
    complete: true,
    missing_fields: [],
    vat_validation: second.vat_validation,
    version: 2,
    updated_at: second.updated_at,
  });
  assert.equal(read.address.company, null);
  assert.deepEqual(register.asked, []);
});

test('one address is not another customer’s', async () => {
  const [one, other] = [await fixture.customer(0n), await fixture.customer(0n)];
  await save(one, GERMAN);
  const read = await data('account/get-address', {}, { token: other.secret });
  assert.deepEqual([read.address, read.version], [null, 0]);
});

test('the version that the caller has seen must be the newest', async () => {
  const customer = await fixture.customer(0n);
  await save(customer, { ...GERMAN, expected_version: 0 });
  const late = { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid, expected_version: 0 };
  const body = await refused('version_mismatch', 'account/save-address', late, { token: customer.secret });
  assert.equal(body.current_version, 1);
  assert.deepEqual([await taxed(customer), await checks(customer)], [['DE', false], []]);
  assert.equal((await save(customer, { ...AUSTRIAN, expected_version: 1 })).version, 2);
});

test('a confirmed VAT number of another EU country makes the tax the customer’s own', async () => {
  const customer = await fixture.customer(0n);
  const saved = await save(customer, { ...AUSTRIAN, company: 'Engines', vat_id: 'at u1234 5678' });
  assert.deepEqual(saved.vat_validation, {
    state: 'valid',
    checked_at: wireTime(START),
    name: 'Sandbox Company ATU12345678',
  });
  assert.deepEqual(saved.tax, { rate: 0, reverse_charge: true });
  assert.deepEqual(await taxed(customer), ['AT', true]);
  // The seller asks, so that the consultation is a proof; the wait is bounded.
  assert.deepEqual(register.asked, [{ vatId: 'ATU12345678', requester: 'DE136695976', deadlineMs: 3_000 }]);
  assert.deepEqual(await checks(customer), [
    { vat_id: 'ATU12345678', state: 'valid', reference: 'SANDBOX-ATU12345678' },
  ]);
  assert.deepEqual(await taxEvents(customer), [
    {
      kind: 'reverse_charge',
      rate: 0,
      country: 'AT',
      previous: { kind: 'standard', rate: 19, country: 'DE' },
    },
  ]);
});

test('what is ordered from then on is charged without tax', async () => {
  const customer = await fixture.customer(10_000n);
  await save(customer, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid });
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  const { charged } = await data('panel/order', order, { token: customer.secret });
  // 3.99 with 19 % tax in it.
  assert.deepEqual([charged.gross, charged.tax, charged.tax_rate], [3.35, 0, 0]);
});

test('a VAT number needs no company: freelancers have one', async () => {
  const customer = await fixture.customer(0n);
  const saved = await save(customer, { ...AUSTRIAN, company: null, vat_id: AUSTRIAN_VAT.valid });
  assert.equal(saved.tax.reverse_charge, true);
});

test('a company without a VAT number is taxed like a consumer', async () => {
  const customer = await fixture.customer(0n);
  const saved = await save(customer, { ...AUSTRIAN, company: 'Engines' });
  assert.deepEqual(saved.tax, { rate: 19, reverse_charge: false });
});

test('an invalid number is kept and shown as such, and is taxed like none', async () => {
  const customer = await fixture.customer(0n);
  const saved = await save(customer, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.invalid });
  assert.equal(saved.vat_validation.state, 'invalid');
  assert.deepEqual(saved.tax, { rate: 19, reverse_charge: false });
  assert.deepEqual(await taxed(customer), ['AT', false]);
  await save(customer, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.invalid });
  assert.equal(register.asked.length, 2, 'a number that was not confirmed is asked for again');
});

test('while the register does not answer, a new number is taxed like none', async () => {
  const customer = await fixture.customer(0n);
  const saved = await save(customer, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.unavailable });
  assert.deepEqual(saved.vat_validation, { state: 'unavailable', checked_at: wireTime(START), name: null });
  assert.deepEqual(saved.tax, { rate: 19, reverse_charge: false });
  assert.deepEqual(
    (await checks(customer)).map(({ state }) => state),
    ['unavailable'],
  );
});

test('a confirmation holds for 90 days without asking; then the number is asked for again', async () => {
  const customer = await fixture.customer(0n);
  const business = { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid };
  await save(customer, business);
  pass(90);
  register.away = true;
  const kept = await save(customer, { ...business, city: 'Graz' });
  assert.equal(register.asked.length, 1);
  assert.deepEqual(kept.vat_validation.checked_at, wireTime(START));
  assert.equal(kept.tax.reverse_charge, true);
  pass(1);
  const lost = await save(customer, business);
  assert.deepEqual([register.asked.length, lost.vat_validation.state], [2, 'unavailable']);
  assert.deepEqual(lost.tax, { rate: 19, reverse_charge: false });
  register.away = false;
  assert.equal((await save(customer, business)).tax.reverse_charge, true);
});

test('a confirmation belongs to its number: leaving it and coming back', async () => {
  const customer = await fixture.customer(0n);
  await save(customer, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid });
  register.away = true;
  const other = await save(customer, { ...AUSTRIAN, vat_id: 'ATU87654321' });
  assert.equal(other.vat_validation.state, 'unavailable');
  const back = await save(customer, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid });
  assert.deepEqual([back.vat_validation.state, register.asked.length], ['valid', 2]);
  const none = await save(customer, AUSTRIAN);
  assert.deepEqual([none.vat_validation.state, none.tax.reverse_charge], ['not_checked', false]);
});

test('another customer’s confirmation proves nothing', async () => {
  const [one, other] = [await fixture.customer(0n), await fixture.customer(0n)];
  await save(one, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid });
  register.away = true;
  const saved = await save(other, { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.valid });
  assert.equal(saved.vat_validation.state, 'unavailable');
});

test('home, abroad and the parts of the EU that levy no VAT', async () => {
  const customer = await fixture.customer(0n);
  const places = [
    [{ ...GERMAN, vat_id: 'DE123456789' }, 19, false, 'DE'],
    [SWISS, 0, false, 'CH'],
    [CANARIAN, 0, false, 'IC'],
    [{ ...AMERICAN, region: 'US-DC' }, 0, false, 'US'],
  ] as const;
  for (const [address, rate, reverse_charge, country] of places) {
    assert.deepEqual((await save(customer, address)).tax, { rate, reverse_charge });
    assert.equal((await taxed(customer))[0], country);
  }
});

test('an event comes only with another treatment', async () => {
  const customer = await fixture.customer(0n);
  // From unknown to home, and about in it, makes no difference.
  await save(customer, GERMAN);
  await save(customer, { ...GERMAN, zip: '10115' });
  assert.deepEqual(await taxEvents(customer), []);
  await save(customer, SWISS);
  await save(customer, GERMAN);
  assert.deepEqual(await taxEvents(customer), [
    { kind: 'export', rate: 0, country: 'CH', previous: { kind: 'standard', rate: 19, country: 'DE' } },
    { kind: 'standard', rate: 19, country: 'DE', previous: { kind: 'export', rate: 0, country: 'CH' } },
  ]);
});

test('what cannot be an address is refused, each field by its name', async () => {
  const customer = await fixture.customer(0n);
  const wrong: readonly (readonly [object, string])[] = [
    [{ country: 'XX' }, '/country'],
    [{ country: 'UK' }, '/country'],
    [{ zip: '1234' }, '/zip'],
    [{ ...SWISS, zip: '80011' }, '/zip'],
    [{ ...AMERICAN, zip: '2050' }, '/zip'],
    [{ country: 'GB', zip: '60311' }, '/zip'],
    [{ phone: '0691234567' }, '/phone'],
    [{ phone: '+49' }, '/phone'],
    [{ phone: '+4912345678901234' }, '/phone'],
    [{ vat_id: 'DE12345678' }, '/vat_id'],
    [{ vat_id: AUSTRIAN_VAT.valid }, '/vat_id'],
    [{ ...SWISS, vat_id: 'CHE123456789' }, '/vat_id'],
    [{ ...SWISS, vat_id: 'DE123456789' }, '/vat_id'],
    [{ region: 'Hessen' }, '/region'],
    [{ region: 'US-CA' }, '/region'],
    [{ salutation: 'dr' }, '/salutation'],
    [{ first_name: '' }, '/first_name'],
    [{ first_name: '   ' }, '/first_name'],
    [{ first_name: '\u200b' }, '/first_name'],
    [{ first_name: 'A\u202eda' }, '/first_name'],
    [{ last_name: 'x'.repeat(65) }, '/last_name'],
    [{ street: 'Main\nStreet' }, '/street'],
    [{ city: 'a\u0007b' }, '/city'],
    [{ company: 'a\u2028b' }, '/company'],
    [{ address_addition: '\u2066x' }, '/address_addition'],
    [{ house_number: '1'.repeat(17) }, '/house_number'],
    [{ email: 'nobody' }, '/email'],
    [{ phone: undefined }, '/phone'],
    [{ planet: 'Mars' }, '/planet'],
  ];
  for (const [change, pointer] of wrong) {
    const given = { ...GERMAN, ...change };
    const body = await refused('validation_failed', 'account/save-address', given, {
      token: customer.secret,
    });
    assert.deepEqual(
      body.errors.map((problem: { pointer: string }) => problem.pointer),
      [pointer],
      JSON.stringify(change),
    );
  }
});

test('nobody can try numbers without end; addresses without one are saved all the same', async () => {
  const customer = await fixture.customer(0n);
  const other = { ...AUSTRIAN, vat_id: AUSTRIAN_VAT.invalid };
  for (let times = 0; times < 30; times += 1) await save(customer, other);
  await refused('rate_limited', 'account/save-address', other, { token: customer.secret });
  assert.equal(register.asked.length, 30);
  await save(customer, AUSTRIAN);
});

test('saved twice at once, an address has two versions', async () => {
  const customer = await fixture.customer(0n);
  const sent = { token: customer.secret };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call('account/save-address', { ...GERMAN, expected_version: 0 }, sent)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...new Array(7).fill(409)]);
});
