import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed } from '../../test/small-catalog.ts';
import { catalogFromDocument } from '../business/core/catalog/schema/schema.ts';
import { catalogVersion } from '../business/core/catalog/versions.ts';
import { shownPrices } from './shown-prices.ts';

const now = Temporal.Instant.from('2027-01-15T12:00:00Z');
const catalogWith = (path: string, value: unknown) =>
  catalogVersion(1, catalogFromDocument(changed(path, value)));

test('a small business has no tax in its prices, so that net and gross are the same', () => {
  const catalog = catalogWith('tax', { scheme: 'small_business' });
  for (const display of ['gross', 'net'] as const) {
    const shown = shownPrices(display, catalog, null, now);
    assert.equal(shown.price(39_900n), 3.99);
    assert.deepEqual(shown.tax, {
      kind: 'small_business',
      rate: 0,
      included: display === 'gross',
      home_rate: 0,
    });
  }
});

test('a consumer of another EU country is told the rate there, and sees the same prices', () => {
  const catalog = catalogWith('tax', { one_stop_shop: true });
  const shown = shownPrices('gross', catalog, { tax_country: 'FI', tax_business: false }, now);
  assert.deepEqual(shown.tax, { kind: 'standard', rate: 25.5, included: true, home_rate: 19 });
  assert.equal(shown.price(39_900n), 3.99);
});

test('prices per unit keep four decimals', () => {
  const shown = shownPrices('net', catalogWith('tax_rate', 25), null, now);
  assert.deepEqual(shown.pricings({ year: 430_900n, month: 39_900n, hour: 67n }), {
    year: 34.47,
    month: 3.19,
    hour: 0.0054,
  });
  assert.equal(shown.unitPricings({ year: 0n, month: 15n, hour: 1n }).month, 0.0012);
});
