import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { NO_LOOKUPS } from '../../../test/lookups.ts';
import { NO_PAYMENTS } from '../../../test/payments.ts';
import { importCatalog } from '../../business/core/catalog/import.ts';
import { parseCatalog } from '../../business/core/catalog/parse.ts';
import { syncInventories } from '../../business/products.ts';
import { transaction } from '../../db/transaction.ts';
import { SandboxVatRegister } from '../../drivers/vat/sandbox/register.ts';
import { Refusal } from '../../errors.ts';
import { checkInput } from '../../wire/input.ts';
import pricelist from './pricelist.ts';

const fixture = await openFixture();
const reading = parseCatalog(
  readFileSync(new URL('../../business/core/catalog/demo.yaml', import.meta.url), 'utf8'),
);
assert.ok(reading.ok);
const demo = reading.catalog;
const importedAt = Temporal.Instant.from('2027-01-10T08:30:00Z');
await transaction(fixture.pool, (tx) => importCatalog(tx, demo, 'demo', importedAt, syncInventories));
await fixture.catalogs.newest(fixture.pool);
const customer = await fixture.customer(0n);

interface Row {
  readonly tld: string;
  readonly register: number;
  readonly renew: number;
  readonly transfer: number | null;
  readonly restore: number;
  readonly promo: { register: number; until: string } | null;
  readonly [more: string]: unknown;
}

interface Answer {
  readonly tax_included: boolean;
  readonly currency: string;
  readonly prices: readonly Row[];
  readonly pagination: object;
  readonly updated_at: string;
}

test('every TLD that is sold is listed once, in the order of the names', async () => {
  const { prices, pagination, currency, updated_at } = await ask({ per_page: 2_000 });
  assert.deepEqual(
    prices.map(({ tld }) => tld),
    demo.tlds.flatMap(({ tld, sold }) => (sold ? [tld] : [])).sort(),
  );
  assert.deepEqual(pagination, { page: 1, per_page: 2_000, total: prices.length, total_pages: 1 });
  assert.equal(currency, 'EUR');
  assert.equal(updated_at, '2027-01-10 08:30:00');
});

test('a TLD comes with its prices and all its rules', async () => {
  const { prices } = await ask({ tlds: ['.DE'] });
  assert.deepEqual(prices, [
    {
      tld: 'de',
      register: 6.99,
      renew: 8.99,
      transfer: 8.99,
      restore: 29.9,
      trade: null,
      whois_privacy: null,
      periods: [1],
      promo: null,
      features: { idn: true, dnssec: true, whois_privacy: false, authcode: true, glue: true },
      add_grace_days: 0,
      renew_grace_days: 0,
      redemption_days: 30,
      transfer_extends: true,
      contact_schema: {},
    },
  ]);
});

test('tlds filters in any spelling and leaves out what is not sold', async () => {
  assert.deepEqual(await tlds({ tlds: ['рф', 'com', 'zz', 'xn--p1ai'] }), ['com', 'xn--p1ai']);
  assert.equal((await refused({ tlds: ['a..b'] })).detail.errors?.[0]?.pointer, '/tlds/0');
});

test('search finds a part of the name, in punycode or Unicode', async () => {
  assert.deepEqual(await tlds({ search: '.CO.U' }), ['co.uk']);
  assert.deepEqual(await tlds({ search: 'Р' }), await tlds({ search: 'р' }));
  assert.deepEqual(await tlds({ search: 'РФ' }), ['xn--p1ai']);
  assert.deepEqual(await tlds({ search: 'no such thing' }), []);
});

test('pages divide the list, and a page behind the last is empty', async () => {
  const all = await tlds({ per_page: 2_000 });
  assert.deepEqual(await tlds({}), all.slice(0, 25));
  assert.deepEqual(await tlds({ page: 3, per_page: 7 }), all.slice(14, 21));
  assert.deepEqual(await tlds({ page: 1_000_000, per_page: 2_000 }), []);
});

test('sorting by a price goes both ways and keeps what is not offered last', async () => {
  const ascending = (await ask({ sort: 'transfer', per_page: 2_000 })).prices.map(({ transfer }) => transfer);
  const offered = ascending.filter((price) => price !== null);
  assert.deepEqual(
    offered,
    offered.toSorted((a, b) => a - b),
  );
  assert.ok(ascending.slice(offered.length).every((price) => price === null));
  const [dearest] = (await ask({ sort: 'register', order: 'desc' })).prices;
  assert.equal(
    dearest?.register,
    Math.max(...(await ask({ per_page: 2_000 })).prices.map((row) => row.register)),
  );
});

test('a promotion is shown beside the regular price until it ends', async () => {
  const info = async (time: string) => (await ask({ tlds: ['info'] }, Temporal.Instant.from(time))).prices[0];
  const during = await info('2027-03-31T23:59:59Z');
  assert.equal(during?.register, 5.99);
  assert.deepEqual(during?.promo, { register: 3.99, until: '2027-03-31 23:59:59' });
  assert.equal((await info('2027-04-01T00:00:00Z'))?.promo, null);
});

test('prices are in one currency; asking for another is refused', async () => {
  assert.equal((await ask({ currency: 'eur' })).currency, 'EUR');
  const refusal = await refused({ currency: 'USD' });
  assert.equal(refusal.code, 'validation_failed');
  assert.deepEqual(refusal.detail.errors?.[0]?.allowed, ['EUR']);
});

test('net prices are without the tax at home, the promotion’s too', async () => {
  const input = { tlds: ['info', 'de'], display: 'net' };
  const { tax_included, prices } = await ask(input, Temporal.Instant.from('2027-03-31T00:00:00Z'));
  assert.equal(tax_included, false);
  const [de, info] = prices;
  assert.deepEqual([info?.register, info?.promo?.register], [5.03, 3.35]);
  assert.equal(de?.transfer === null, demo.tlds.find(({ tld }) => tld === 'de')?.transfer === null);
});

async function ask(input: object, now = fixture.clock.now()): Promise<Answer> {
  const ports = {
    registry: { check: async () => [], transferObstacles: async () => [], info: async () => null },
    hypervisor: {
      status: async () => null,
      hardware: async () => null,
      console: async () => null,
      metrics: async () => ({ machines: [], unreachableNodes: [] }),
      capacity: async () => ({ nodes: [], unreachableNodes: [] }),
    },
    vat: new SandboxVatRegister(),
    payment: NO_PAYMENTS,
    webserver: { status: async () => null, logs: async () => [] },
    storage: { read: async () => null },
    ...NO_LOOKUPS,
  };
  const ctx = { ...fixture.context(customer), now, db: fixture.pool, ports };
  const parsed = checkInput(pricelist.input, JSON.parse(JSON.stringify(input)));
  return pricelist.output.parse(await pricelist.read?.(ctx, parsed, undefined)) as Answer;
}

async function tlds(input: object): Promise<string[]> {
  return (await ask(input)).prices.map(({ tld }) => tld);
}

async function refused(input: object): Promise<Refusal> {
  try {
    await ask(input);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return assert.fail(`${JSON.stringify(input)} was not refused`);
}
