import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  changed,
  comparable,
  durations,
  problems,
  smallDocument,
} from '../../../../../test/small-catalog.ts';
import { formatDecimal } from '../../../../base/decimal.ts';
import { hasCents } from './currency.ts';
import { Catalog, catalogDocument, catalogFromDocument } from './schema.ts';

test('prices become exact ten-thousandths, percentages hundredths of a percent', () => {
  const catalog = Catalog.parse(smallDocument());
  assert.equal(catalog.tlds[0]?.register, 129_900n);
  assert.equal(catalog.tlds[1]?.transfer, null);
  assert.deepEqual(catalog.license_packages[0]?.pricings, { year: 438_900n, month: 39_900n, hour: 67n });
  assert.equal(catalog.tax_rate, 1900);
  assert.equal(catalog.duration_discounts[0]?.percent, 750);
  assert.equal(Catalog.parse(changed('tlds.0.renew', '14.99')).tlds[0]?.renew, 149_900n);
});

test('a price that is negative, absurd, inexact or more precise than it is shown is refused', () => {
  for (const price of [
    -0.01,
    '-1',
    10_000_000,
    1.005,
    '1.005',
    '12,99',
    '',
    'abc',
    true,
    null,
    [1],
    Number.NaN,
  ]) {
    assert.deepEqual(problems(changed('tlds.0.register', price)), ['tlds.0.register'], String(price));
  }
  assert.deepEqual(problems(changed('license_packages.0.pricings.hour', 0.00671)), [
    'license_packages.0.pricings.hour',
  ]);
  assert.deepEqual(problems(changed('hosts.0.unit_pricings.cores.month', 0.0075)), []);
});

test('a field that the format does not know is refused everywhere', () => {
  const places = [
    '',
    'terms.',
    'terms.en.',
    'tld_defaults.',
    'tld_defaults.policy.',
    'tld_profiles.nominet.',
    'tlds.0.',
  ];
  places.push(
    'datacenters.0.',
    'hosts.0.',
    'hosts.0.networks.ipv4.',
    'hosts.0.nodes.0.capacity.',
    'operating_systems.0.',
  );
  places.push(
    'server_packages.0.',
    'license_packages.0.pricings.',
    'webspace_packages.0.limits.',
    'duration_discounts.0.',
  );
  for (const place of places) {
    const { error } = Catalog.safeParse(changed(`${place}surprise`, 1));
    assert.equal(error?.issues[0]?.code, 'unrecognized_keys', place);
  }
});

test('every field without a default is required', () => {
  const optional = [
    'nameservers',
    'zone_templates',
    'zone_history',
    'tld_defaults',
    'tld_profiles',
    'seller',
    'topup',
    'web_hosts',
    'iso_images',
  ];
  for (const name of Object.keys(smallDocument())) {
    const found = problems(changed(name, undefined));
    if (!optional.includes(name)) assert.ok(found.includes(name), name);
  }
  assert.deepEqual(problems(changed('tlds.0.restore', undefined)), ['tlds.0.restore']);
  assert.deepEqual(problems(changed('tld_defaults.policy.explicit_delete', undefined)).length, 3);
});

test('a contradiction between parts of the document is reported where it is', () => {
  const small = smallDocument();
  const twin = { ...small.license_packages[0], uuid: '84242c30-2333-41dd-bab2-8f31010b8eb6' };
  const packages = [small.license_packages[0], twin];
  const contradictions: [string, unknown, string[]][] = [
    ['default_tld', 'net', ['default_tld']],
    ['suggested_tlds', ['com', 'net', 'com'], ['suggested_tlds.1', 'suggested_tlds.2']],
    ['tlds.1.tld', 'com', ['tlds.1.tld', 'suggested_tlds.1']],
    ['tlds.0.sold', false, ['default_tld', 'suggested_tlds.0']],
    ['tlds.0.profile', 'constructor', ['tlds.0.profile']],
    ['tlds.0.features', { whois_privacy: false }, ['tlds.0.features.whois_privacy']],
    ['tlds.0.features', { authcode: false }, ['tlds.0.features.authcode']],
    ['tlds.0.policy', { transfer_model: 'none' }, ['tlds.0.transfer']],
    ['tlds.0.periods', [2, 1], ['tlds.0.periods']],
    ['tlds.2.tld', 'COM', ['tlds.2.tld']],
    ['tlds.2.tld', '.com', ['tlds.2.tld']],
    ['tlds.2.tld', 'рф', ['tlds.2.tld']],
    ['tlds.2.tld', 'xn--0', ['tlds.2.tld']],
    ['datacenters.0.country', 'UK', ['datacenters.0.country']],
    ['hosts.0.datacenter', 'ams1', ['hosts.0.datacenter']],
    ['hosts.0.configuration.ipv4.max', 0, ['hosts.0.configuration.ipv4.max']],
    ['hosts.0.configuration.cores.max', 65, ['hosts.0.configuration.cores.max']],
    ['hosts.0.configuration.memory.step', 512, ['hosts.0.configuration.memory.step']],
    ['hosts.0.configuration.uplink.min', 50, ['hosts.0.configuration.uplink.min']],
    ['hosts.0.nodes.1', small.hosts[0]?.nodes[0], ['hosts.0.nodes.1.name']],
    ['operating_systems.1', small.operating_systems[0], ['operating_systems.1.name']],
    ['server_packages.0.host', 'ams', ['server_packages.0.host']],
    ['server_packages.0.disk', 1001, ['server_packages.0.disk']],
    ['server_packages.0.memory', 512, ['server_packages.0.memory']],
    ['license_packages', packages, ['license_packages.1.id', 'license_packages.1.name']],
    ['license_packages.0.uuid', small.server_packages[0]?.uuid, ['license_packages.0.uuid']],
    ['license_packages.0.uuid', 'A3A65EC6-C839-4942-8933-DDD5852E3205', ['license_packages.0.uuid']],
    ['license_packages.0.durations', [...durations, ...durations], ['license_packages.0.durations']],
    [
      'webspace_packages.0.durations.0.duration_unit',
      'hour',
      ['webspace_packages.0.durations.0.duration_unit'],
    ],
    ['duration_discounts.1', small.duration_discounts[0], ['duration_discounts.1.duration']],
  ];
  for (const [path, value, expected] of contradictions) {
    assert.deepEqual(
      problems(changed(path, value)).sort(),
      expected.sort(),
      `${path} = ${JSON.stringify(value)}`,
    );
  }
});

test('what the platform cannot deliver cannot be sold', () => {
  for (const [limit, value] of Object.entries({
    mailboxes: 10,
    ftp_accounts: null,
    cron_jobs: 1,
    ssh: true,
  })) {
    const path = `webspace_packages.0.limits.${limit}`;
    assert.deepEqual(problems(changed(path, value)), [path]);
  }
  const { mailboxes, ftp_accounts, cron_jobs, ssh } =
    Catalog.parse(smallDocument()).webspace_packages[0]?.limits ?? {};
  assert.deepEqual(
    { mailboxes, ftp_accounts, cron_jobs, ssh },
    { mailboxes: 0, ftp_accounts: 0, cron_jobs: 0, ssh: false },
  );
});

test('only currencies with cents are accepted', () => {
  assert.deepEqual(['EUR', 'CHF', 'HUF', 'JPY', 'KWD', 'eur', 'XYZ', ''].filter(hasCents), [
    'EUR',
    'CHF',
    'HUF',
  ]);
});

test('a stored document gives the catalogue back, whatever order jsonb keeps its members in', () => {
  const promo = { register: 3.99, until: '2027-03-31 23:59:59' };
  const catalog = Catalog.parse(changed('tlds.0.promo', promo));
  const stored: unknown = JSON.parse(JSON.stringify(catalogDocument(catalog)));
  assert.equal(comparable(catalogFromDocument(stored)), comparable(catalog));
  const reversed: unknown = JSON.parse(JSON.stringify(stored), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  );
  assert.equal(comparable(catalogFromDocument(reversed)), comparable(catalog));
  assert.throws(() => catalogFromDocument({ format: 2 }));
});

test('a document says only what does not go without saying', () => {
  const { tlds, server_packages, hosts } = catalogDocument(Catalog.parse(smallDocument()));
  const small = smallDocument();
  assert.deepEqual(tlds, small.tlds);
  assert.deepEqual(server_packages, small.server_packages);
  assert.deepEqual(Object.keys(Object(hosts)[0]).includes('sold'), false);
});

test('every price that can be written comes back unchanged from a stored document', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 99_999_999_999n), (price) => {
      const written = formatDecimal(price, 4);
      const catalog = Catalog.parse(changed('hosts.0.unit_pricings.cores.hour', written));
      const stored: unknown = JSON.parse(JSON.stringify(catalogDocument(catalog)));
      assert.equal(catalogFromDocument(stored).hosts[0]?.unit_pricings.cores.hour, price);
    }),
    { numRuns: 50 },
  );
});
