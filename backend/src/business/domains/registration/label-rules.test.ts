import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDomainName } from '../../../base/domain-name.ts';
import { parseCatalog } from '../../core/catalog/parse.ts';
import { catalogVersion } from '../../core/catalog/versions.ts';
import { looksMixed, takesLabel } from './label-rules.ts';

const reading = parseCatalog(readFileSync(new URL('../../core/catalog/demo.yaml', import.meta.url), 'utf8'));
assert.ok(reading.ok);
const { tlds } = catalogVersion(1, reading.catalog);

test('.de takes its 93 letters and no other', () => {
  const letters = tlds.get('de')?.idn?.characters ?? '';
  assert.equal([...letters].length, 93);
  taken('de', 'bücher-24', 'straße', 'łódź', 'þing', 'ħal', ...letters);
  refused('de', 'пример', 'αβγ', 'ơ', '日本', 'ə', 'l·l');
});

test('.at, .ch and .fr have shorter lists', () => {
  taken('at', 'bücher', 'šumava', 'žena');
  refused('at', 'straße', 'łódź');
  taken('ch', 'zürich', 'œuvre');
  refused('ch', 'straße', 'šumava');
  taken('fr', 'français', 'straße');
  refused('fr', 'þing', 'łódź');
});

test('.eu is for Latin letters, .ею for Cyrillic and .ευ for Greek ones, and digits are for all', () => {
  taken('eu', 'bücher', 'example', 'łódź', '2027');
  refused('eu', 'пример', 'παράδειγμα');
  taken('xn--e1a4c', 'пример', 'пример-1', '2027');
  refused('xn--e1a4c', 'example', 'bücher', 'παράδειγμα', 'пpимер');
  taken('xn--qxa6a', 'παράδειγμα');
  refused('xn--qxa6a', 'пример');
});

test('.com takes words of any script, but no mixture made to deceive', () => {
  taken('com', 'bücher', 'пример', '日本go', '한국어', 'example');
  refused('com', 'pаypal', 'gооgle', 'αpple');
});

test('a TLD without internationalised names takes none; one whose rules nobody knows takes all', () => {
  taken('co.uk', 'example');
  refused('co.uk', 'bücher');
  taken('org', 'bücher', 'pаypal', 'пример');
});

test('the whole name must be valid, not the label alone', () => {
  const rtl = { tld: 'xn--4dbrk0ce', features: tlds.get('org')?.features, idn: null };
  assert.ok(rtl.features);
  assert.equal(takesLabel({ ...rtl, features: rtl.features }, '24shops'), false);
  assert.equal(takesLabel({ ...rtl, features: rtl.features }, 'shops24'), true);
});

test('a mixture is known for a warning', () => {
  assert.equal(looksMixed(label('pаypal')), true);
  assert.equal(looksMixed(label('bücher')), false);
  assert.equal(looksMixed(label('paypal')), false);
});

function taken(tld: string, ...names: string[]): void {
  for (const name of names) assert.equal(takes(tld, name), true, `${name}.${tld}`);
}

function refused(tld: string, ...names: string[]): void {
  for (const name of names) assert.equal(takes(tld, name), false, `${name}.${tld}`);
}

function takes(name: string, typed: string): boolean {
  const tld = tlds.get(name);
  assert.ok(tld);
  return takesLabel(tld, label(typed));
}

/** As it is in the DNS. */
function label(typed: string): string {
  const read = readDomainName(typed);
  assert.ok(read.ok, typed);
  return read.name.ascii;
}
