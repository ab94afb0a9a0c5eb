import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MEMBER_STATES, standardRate } from './rates.ts';
import { type TaxHome, type TaxTreatment, taxTreatment } from './treatment.ts';

const GERMANY: TaxHome = { homeRate: 1900, homeCountry: 'DE', scheme: 'standard', oneStopShop: true };
const NEW_YEAR = Temporal.Instant.from('2026-01-01T12:00:00Z');
const standard = (country: string, rate: number): TaxTreatment => ({ kind: 'standard', rate, country });
const without = (kind: TaxTreatment['kind'], country: string): TaxTreatment => ({ kind, rate: 0, country });

test('a seller in Germany with the one-stop shop', () => {
  const table: readonly (readonly [string, boolean, TaxTreatment])[] = [
    ['', false, standard('DE', 1900)],
    ['', true, standard('DE', 1900)],
    ['DE', false, standard('DE', 1900)],
    ['DE', true, standard('DE', 1900)],
    ['AT', false, standard('AT', 2000)],
    ['AT', true, without('reverse_charge', 'AT')],
    ['GR', false, standard('GR', 2400)],
    ['FI', false, standard('FI', 2550)],
    ['CH', false, without('export', 'CH')],
    ['CH', true, without('export', 'CH')],
    ['US', false, without('export', 'US')],
    // Northern Ireland is within the EU for goods only.
    ['GB', true, without('export', 'GB')],
    ['IM', false, without('export', 'GB')],
    ['MC', false, standard('FR', 2000)],
    ['MC', true, without('reverse_charge', 'FR')],
    ['AX', false, without('export', 'AX')],
    ['IC', false, without('export', 'IC')],
    ['EA', true, without('export', 'EA')],
    ['MQ', false, without('export', 'MQ')],
    ['JE', false, without('export', 'JE')],
  ];
  for (const [country, business, expected] of table) {
    assert.deepEqual(
      taxTreatment(GERMANY, { country, business }, NEW_YEAR),
      expected,
      `${country} ${business}`,
    );
  }
});

test('a consumer pays the rate of the day', () => {
  const estonian = { country: 'EE', business: false };
  const rateOn = (day: string) =>
    taxTreatment(GERMANY, estonian, Temporal.Instant.from(`${day}T12:00:00Z`)).rate;
  assert.deepEqual(['2025-06-30', '2025-07-01'].map(rateOn), [2200, 2400]);
});

test('without the one-stop shop a consumer in the EU pays the tax of the seller’s home', () => {
  const home = { ...GERMANY, oneStopShop: false };
  assert.deepEqual(taxTreatment(home, { country: 'HU', business: false }, NEW_YEAR), standard('DE', 1900));
  assert.deepEqual(
    taxTreatment(home, { country: 'HU', business: true }, NEW_YEAR),
    without('reverse_charge', 'HU'),
  );
});

test('a seller outside the EU charges no tax of home on sales into it', () => {
  const swiss: TaxHome = { homeRate: 810, homeCountry: 'CH', scheme: 'standard', oneStopShop: false };
  const consumer = { country: 'DE', business: false };
  assert.deepEqual(taxTreatment(swiss, { country: 'CH', business: false }, NEW_YEAR), standard('CH', 810));
  assert.deepEqual(taxTreatment(swiss, consumer, NEW_YEAR), without('export', 'DE'));
  assert.deepEqual(taxTreatment({ ...swiss, oneStopShop: true }, consumer, NEW_YEAR), standard('DE', 1900));
  assert.deepEqual(
    taxTreatment(swiss, { ...consumer, business: true }, NEW_YEAR),
    without('reverse_charge', 'DE'),
  );
});

test('Monaco is at home with a seller in France, and the other way round', () => {
  const french = { ...GERMANY, homeCountry: 'FR', homeRate: 2000 };
  assert.deepEqual(taxTreatment(french, { country: 'MC', business: true }, NEW_YEAR), standard('FR', 2000));
  const monegasque = { ...french, homeCountry: 'MC' };
  assert.deepEqual(
    taxTreatment(monegasque, { country: 'FR', business: true }, NEW_YEAR),
    standard('FR', 2000),
  );
});

const homes = fc.record({
  homeRate: fc.integer({ min: 0, max: 10_000 }),
  homeCountry: fc.constantFrom(null, ...MEMBER_STATES, 'CH', 'GB', 'MC', 'US'),
  scheme: fc.constantFrom('standard' as const, 'small_business' as const),
  oneStopShop: fc.boolean(),
});
const customers = fc.record({
  country: fc.constantFrom('', ...MEMBER_STATES, 'CH', 'GB', 'IM', 'MC', 'IC', 'EA', 'AX', 'US'),
  business: fc.boolean(),
});
const moments = fc
  .integer({ min: Date.UTC(2023, 0), max: Date.UTC(2030, 0) })
  .map((milliseconds) => Temporal.Instant.fromEpochMilliseconds(milliseconds));

test('property: only a standard sale carries tax, at the rate of home or of the customer’s country', () => {
  fc.assert(
    fc.property(homes, customers, moments, (home, customer, at) => {
      const treatment = taxTreatment(home, customer, at);
      if (treatment.kind !== 'standard') assert.equal(treatment.rate, 0);
      else assert.ok([home.homeRate, standardRate(treatment.country, at)].includes(treatment.rate));
    }),
  );
});

test('property: a small business charges nobody tax, and a seller without a home charges the rate of home', () => {
  fc.assert(
    fc.property(homes, customers, moments, (home, customer, at) => {
      const small = taxTreatment({ ...home, scheme: 'small_business' }, customer, at);
      assert.deepEqual([small.kind, small.rate], ['small_business', 0]);
      const homeless = taxTreatment({ ...home, scheme: 'standard', homeCountry: null }, customer, at);
      assert.deepEqual(homeless, standard('', home.homeRate));
    }),
  );
});

test('property: a confirmed VAT number changes nothing at home and outside the EU', () => {
  fc.assert(
    fc.property(homes, customers, moments, (home, customer, at) => {
      const business = taxTreatment(home, { ...customer, business: true }, at);
      if (business.kind === 'reverse_charge') assert.ok(MEMBER_STATES.includes(business.country));
      else assert.deepEqual(taxTreatment(home, { ...customer, business: false }, at), business);
    }),
  );
});
