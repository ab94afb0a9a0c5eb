import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taxTerritory } from './territory.ts';

test('an address belongs to the territory whose tax applies there', () => {
  const places = [
    ['DE', '10115', 'DE'],
    ['MC', '98000', 'FR'],
    ['IM', 'IM1 1AA', 'GB'],
    ['ES', '28001', 'ES'],
    ['ES', '35001', 'IC'],
    ['ES', '38001', 'IC'],
    ['ES', '51001', 'EA'],
    ['ES', '52001', 'EA'],
    ['FR', '35000', 'FR'],
    ['AX', '22100', 'AX'],
    ['RE', '97400', 'RE'],
    ['JE', 'JE2 3AB', 'JE'],
  ] as const;
  for (const [country, zip, territory] of places) {
    assert.equal(taxTerritory({ country, zip }), territory, `${country} ${zip}`);
  }
});
