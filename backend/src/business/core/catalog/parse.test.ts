import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { comparable } from '../../../../test/small-catalog.ts';
import { parseCatalog } from './parse.ts';
import { printCatalog } from './print.ts';
import { type Catalog, catalogDocument } from './schema/schema.ts';

const DEMO = readFileSync(new URL('./demo.yaml', import.meta.url), 'utf8');

function read(text: string): Catalog {
  const reading = parseCatalog(text);
  assert.deepEqual(reading.ok ? [] : reading.problems, []);
  if (!reading.ok) throw new Error('unreachable');
  return reading.catalog;
}

/** Each problem as `path:line: message`, the line being the text of that line. */
function problems(text: string): { path: string; line: string; message: string }[] {
  const reading = parseCatalog(text);
  if (reading.ok) return [];
  const lines = text.split('\n');
  return reading.problems.map(({ path, line, message }) => ({
    path,
    message,
    line: lines[line - 1]?.trim() ?? '',
  }));
}

function demoWith(before: string, after: string): string {
  assert.ok(DEMO.includes(before), before);
  return DEMO.replace(before, after);
}

test('what is printed is read back as the same catalogue, and printed the same again', () => {
  const catalog = read(DEMO);
  const printed = printCatalog(catalog);
  assert.equal(comparable(read(printed)), comparable(catalog));
  assert.equal(printCatalog(read(printed)), printed);
  assert.equal(comparable(read(JSON.stringify(catalogDocument(catalog)))), comparable(catalog));
});

test('what is printed is easy to read: a TLD on a line, prices with their decimals, no anchors', () => {
  const printed = printCatalog(read(DEMO));
  assert.match(
    printed,
    /^ {2}- \{ tld: org, register: 11\.99, renew: 15\.99, transfer: 13\.99, restore: 89\.00 \}$/m,
  );
  assert.match(printed, /cores: \{ year: 27\.50, month: 2\.50, hour: 0\.0042 \}/);
  assert.doesNotMatch(printed, /[&*][a-z]\d+|sold: true|whois_privacy: true/);
});

test('a problem is reported with its path and line', () => {
  const com = '- { tld: com,            register: 12.99,';
  const cases: [string, string, string, RegExp][] = [
    [com, com.replace('12.99', '12.999'), 'tlds[0].register', /more than 2 decimal/],
    [com, com.replace('12.99', '"12,99"'), 'tlds[0].register', /plain decimal/],
    [com, com.replace('register', 'registre'), 'tlds[0].registre', /not a known field/],
    ['host: fra-epyc\n', 'host: fra-epic\n', 'server_packages[0].host', /fra-epic is not among the hosts/],
    ['currency: EUR', 'currency: JPY', 'currency', /two decimals/],
    [
      "      php_versions: ['8.3'",
      '      php_versions: [8.3',
      'webspace_packages[0].limits.php_versions[0]',
      /expected string/,
    ],
    ['gateway: 198.18.0.1\n', 'gateway: 198.19.0.1\n', 'hosts[0].networks.ipv4.gateway', /198\.18\.0\.0\/20/],
  ];
  for (const [before, after, path, message] of cases) {
    const found = problems(demoWith(before, after)).find((problem) => problem.path === path);
    assert.match(found?.message ?? 'nothing', message);
    assert.ok(
      found?.line.includes(after.trim()) || after.includes(found?.line ?? '?'),
      `${path}: ${found?.line}`,
    );
  }
});

test('a field that is missing is reported at the thing that lacks it', () => {
  const found = problems(demoWith('    ip_limit: 1\n', ''));
  assert.deepEqual(
    found.map(({ path, message }) => [path, message]),
    [['license_packages[0].ip_limit', 'is missing']],
  );
  assert.match(found[0]?.line ?? '', /^- uuid:/);
});

test('a mistake that many TLDs inherit is reported once, where it is written', () => {
  const wrong = problems(
    demoWith('  add_grace_days: 5\n  renew_grace_days: 45', '  add_grace_days: five\n  renew_grace_days: 45'),
  );
  assert.deepEqual(
    wrong.map(({ path, line }) => [path, line]),
    [['tld_defaults.add_grace_days', 'add_grace_days: five']],
  );
  const profile = problems(demoWith('transfer_model: tag_push', 'transfer_model: push'));
  assert.deepEqual(
    profile.map(({ path, line }) => [path, line]),
    [['tld_profiles.uk.policy.transfer_model', 'transfer_model: push']],
  );
});

test('where the registry renews by itself, unpaid domains are deleted, and before it keeps the money', () => {
  const policy = 'policy: { autorenew_at_registry: true, delete_deadline_days: 40, explicit_delete: true,';
  const late = problems(demoWith(policy, policy.replace('40', '46')));
  assert.ok(late.every(({ path }) => path.endsWith('policy.delete_deadline_days')) && late.length > 0);
  const never = problems(demoWith(policy, policy.replace('explicit_delete: true', 'explicit_delete: false')));
  assert.ok(never.every(({ path }) => path.endsWith('policy.explicit_delete')) && never.length > 0);
});

test('text that is no plain YAML document is refused with the line of the trouble', () => {
  const cases: [string, number, RegExp][] = [
    ['', 1, /expected object/],
    ['a: [1, 2\nb: 3', 2, /]/],
    ['a: 1\n---\nb: 2', 2, /more than one document/],
    ['a: 1\na: 2', 2, /is there twice/],
    ['a:\n  - &x [1]\n  - *x', 3, /alias/],
    ['a: 1\nb: !!binary aGk=', 2, /tag/],
    ['? [a]\n: 1', 1, /keys must be strings/],
    ['a: 1\n__proto__: { sold: true }', 2, /not a known field/],
    ['['.repeat(3000), 1, /nested too deeply/],
    [`a: ${'['.repeat(60)}${']'.repeat(60)}`, 1, /nested too deeply/],
    [' '.repeat(4 * 1024 * 1024 + 1), 1, /larger than 4 MiB/],
  ];
  for (const [text, line, message] of cases) {
    const reading = parseCatalog(text);
    const first = reading.ok ? undefined : reading.problems[0];
    assert.match(first?.message ?? 'accepted', message, text.slice(0, 40));
    assert.equal(first?.line, line, text.slice(0, 40));
  }
});

test('a document that is something else entirely is answered with at most 100 problems', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `key${index}: 1`).join('\n');
  assert.equal(problems(text).length, 100);
});

test('a number is read as it is written, not as a double rounds it', () => {
  const com = 'tld: com,            register: 12.99';
  assert.equal(read(demoWith(com, 'tld: com, register: 12.9900000000000000')).tlds[0]?.register, 129_900n);
  const found = problems(demoWith(com, 'tld: com, register: 12.9900000000000001'));
  assert.deepEqual(
    found.map(({ path, message }) => [path, message]),
    [['tlds[0].register', 'has more than 2 decimal places']],
  );
});

test("Norway's TLD is text, quoted or not", () => {
  assert.ok(read(demoWith("tld: 'no'", 'tld: no')).tlds.some(({ tld }) => tld === 'no'));
});
