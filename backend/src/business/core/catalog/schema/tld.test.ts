import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, comparable, problems, smallDocument } from '../../../../../test/small-catalog.ts';
import { Catalog, catalogDocument, catalogFromDocument } from './schema.ts';

test('a TLD inherits field by field: its own, its profile, the defaults', () => {
  const [com, de, uk] = Catalog.parse(smallDocument()).tlds;
  assert.equal(com?.whois_privacy, 0n);
  assert.deepEqual(com?.features, {
    idn: true,
    dnssec: true,
    glue: true,
    whois_privacy: true,
    authcode: true,
  });
  assert.equal(com?.policy.renew_not_before_days, null);
  assert.equal(de?.features.whois_privacy, false);
  assert.equal(uk?.policy.transfer_model, 'tag_push');
  assert.equal(uk?.policy.delete_deadline_days, 40);
  assert.equal(uk?.features.authcode, false);
  const own = Catalog.parse(changed('tlds.2.policy', { delete_deadline_days: 0 })).tlds[2];
  assert.deepEqual([own?.policy.delete_deadline_days, own?.policy.transfer_model], [0, 'tag_push']);
});

test('a promotion ends at a moment in UTC and is no dearer than the regular price', () => {
  const until = '2027-03-31 23:59:59';
  const { promo } = Catalog.parse(changed('tlds.0.promo', { register: 3.99, until })).tlds[0] ?? {};
  assert.equal(promo?.until.toString(), '2027-03-31T23:59:59Z');
  assert.deepEqual(problems(changed('tlds.0.promo', { register: 13, until })), ['tlds.0.promo.register']);
  for (const wrong of ['2027-02-30 00:00:00', '2027-03-31T23:59:59Z', '2027-03-31', '2027-03-31 24:00:00']) {
    assert.deepEqual(
      problems(changed('tlds.0.promo', { register: 1, until: wrong })),
      ['tlds.0.promo.until'],
      wrong,
    );
  }
});

test('a contact schema describes an object whose required members exist', () => {
  const properties = { us_nexus_category: { type: 'string', pattern: '^C1[12]$' } };
  const schema = { type: 'object', properties, required: ['us_nexus_category'], additionalProperties: false };
  assert.deepEqual(problems(changed('tlds.0.contact_schema', schema)), []);
  const at = 'tlds.0.contact_schema';
  assert.deepEqual(problems(changed(at, { ...schema, required: ['x'] })), [`${at}.required.0`]);
  assert.deepEqual(problems(changed(at, { type: 'object' })), [
    `${at}.properties`,
    `${at}.additionalProperties`,
  ]);
  const broken = { ...schema, properties: { us_nexus_category: { type: 'string', pattern: '(' } } };
  assert.deepEqual(problems(changed(at, broken)), [`${at}.properties.us_nexus_category.pattern`]);
});

test('the characters of internationalised names can be in names, each once, and need that there are such', () => {
  for (const wrong of ['äÄ', 'ää', 'ä♥', 'ä.', 'a\u0308']) {
    assert.deepEqual(
      problems(changed('tlds.0.idn', { characters: wrong })),
      ['tlds.0.idn.characters'],
      wrong,
    );
  }
  assert.deepEqual(problems(changed('tlds.0.idn', { scripts: ['Klingon'] })), ['tlds.0.idn.scripts.0']);
  const document = changed('tlds.0.idn', { characters: 'äöüß' });
  assert.deepEqual(problems(document), []);
  Object.assign(Object(document).tlds[0], { features: { idn: false } });
  assert.deepEqual(problems(document), ['tlds.0.idn']);
});

test('what only the availability is told of is not sold', () => {
  assert.deepEqual(problems(changed('tlds.2.registry', 'rdap')), ['tlds.2.sold']);
  const document = changed('tlds.2.registry', 'rdap');
  Object.assign(Object(document).tlds[2], { sold: false });
  assert.deepEqual(problems(document), []);
});

test('a TLD that says something other than it inherits keeps saying it', () => {
  for (const [path, value] of [
    ['whois_privacy', null],
    ['trade', 0],
    ['policy', { renew_not_before_days: 30, transfer_model: 'tag_push' }],
    ['features', { idn: false }],
    ['idn', { characters: 'äöüß', scripts: ['Latin'] }],
    ['contact_schema', { type: 'object', properties: {}, additionalProperties: false }],
    ['sold', false],
  ] as const) {
    const base = changed('default_tld', 'de');
    const catalog = Catalog.parse(
      Object.assign(Object(base), {
        suggested_tlds: [],
        tlds: smallDocument().tlds.map((tld) => (tld.tld === 'com' ? { ...tld, [path]: value } : tld)),
      }),
    );
    assert.deepEqual(Object(catalogDocument(catalog).tlds)[0][path], value, path);
    assert.equal(comparable(catalogFromDocument(catalogDocument(catalog))), comparable(catalog));
  }
});
