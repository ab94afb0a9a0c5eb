import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { eppConnections } from './connections.ts';
import { mappingObjections, untoldFields } from './mapped-tld.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostkeep-epp-'));
after(() => rmSync(folder, { recursive: true }));

function read(yaml: string) {
  const file = join(folder, 'registries.yaml');
  writeFileSync(file, yaml);
  const options = { clock: systemClock, currency: () => 'EUR', onExchange: () => {}, onRefusal: () => {} };
  return eppConnections(file, options);
}

const GOOD = `registries:
  one:
    driver: epp
    host: epp.one.example
    client_id: hostkeep
    password_file: one.password
    profile: { hosts: attributes, contacts: [tech] }
    tlds: { eu: { contacts: [admin, tech], contact_extension: { namespace: 'urn:example:own-1.0', fields: { a: b } } } }
  two: { driver: epp, host: epp.two.example, client_id: hostkeep, password: long-enough }
`;

test('each connection of the file is there by its name; paths are relative to the file', () => {
  writeFileSync(join(folder, 'one.password'), 'from-the-file\n');
  assert.deepEqual([...read(GOOD).keys()], ['one', 'two']);
  rmSync(join(folder, 'one.password'));
  assert.throws(() => read(GOOD), /one\.password/);
});

test('a mistake is named by its place, and no value is repeated', () => {
  const secret = 'Sesame-open-up';
  const connection = (lines: string) =>
    `registries:\n  one:\n    driver: epp\n    host: epp.one.example\n    client_id: hostkeep\n${lines}`;
  const bad: readonly (readonly [string, RegExp])[] = [
    [connection(`    password: ${secret}\n    port: ${secret}\n`), /registries\.one\.port/],
    [connection(`    password: ${secret}\n    pasword: ${secret}\n`), /pasword/],
    [connection(`    password: ${secret}\n    password_file: x\n`), /either password or password_file/],
    [connection(''), /either password or password_file/],
    [connection(`    password: ${secret}\n    tls: { cert: a.pem }\n`), /tls\.cert and tls\.key/],
    [connection(`    password: ${secret}\n    profile: { hosts: both }\n`), /hosts/],
    [
      connection(`    password: ${secret}\n    tlds: { de: {} }\n`),
      /\.de speaks DENIC’s RRI.*`gateway: true`/,
    ],
    [
      connection(
        `    password: ${secret}\n    profile: { contact_extension: { namespace: x, fields: {} } }\n`,
      ),
      /contact_extension\.namespace/,
    ],
    [connection(`    password: ${secret}\n   broken: [\n`), /no YAML/],
    [`registries:\n  "A B": { driver: epp }\n`, /A B/],
    ['', /registries\.yaml/],
  ];
  for (const [yaml, reason] of bad)
    assert.throws(
      () => read(yaml),
      (error: Error) => reason.test(error.message) && !error.message.includes(secret),
      yaml,
    );
});

test('a TLD whose registry speaks something else is mapped to a gateway only, and untold fields are named', () => {
  writeFileSync(join(folder, 'one.password'), 'from-the-file\n');
  const plain = read(GOOD);
  const gateway = read(
    GOOD.replace('two: { driver: epp,', 'two: { driver: epp, gateway: true, tlds: { de: {} },'),
  );
  const mapped = (tld: string, registry: string, fields: readonly string[] = []) => ({
    tld,
    registry,
    contact_schema: { properties: Object.fromEntries(fields.map((field) => [field, {}])) },
  });
  const tlds = [mapped('com', 'two'), mapped('de', 'two'), mapped('co.uk', 'one'), mapped('de', 'sandbox')];
  const objections = mappingObjections(tlds, plain);
  assert.deepEqual(
    objections.map((objection) => objection.slice(0, 20)),
    ['de: registry: two: t', 'co.uk: registry: one'],
  );
  assert.match(objections[0] ?? '', /DENIC’s RRI.*gateway/);
  assert.deepEqual(mappingObjections(tlds.slice(0, 2), gateway), []);
  const asking = [
    mapped('eu', 'one', ['a', 'c']),
    mapped('com', 'one', ['a']),
    mapped('com', 'sandbox', ['a']),
  ];
  assert.deepEqual(untoldFields(asking, plain), ['.eu (c)', '.com (a)']);
});
