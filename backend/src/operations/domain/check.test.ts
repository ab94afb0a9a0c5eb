import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { NO_LOOKUPS } from '../../../test/lookups.ts';
import { NO_PAYMENTS } from '../../../test/payments.ts';
import { parseCatalog } from '../../business/core/catalog/parse.ts';
import { type CatalogVersion, catalogVersion } from '../../business/core/catalog/versions.ts';
import type { Executor } from '../../db/pool.ts';
import type { DomainAvailability, DomainQuestion, RegistryQueries } from '../../drivers/registry/port.ts';
import { RoutedRegistries } from '../../drivers/registry/routing.ts';
import { SandboxNames } from '../../drivers/registry/sandbox/names.ts';
import { SandboxVatRegister } from '../../drivers/vat/sandbox/register.ts';
import { Refusal } from '../../errors.ts';
import { checkInput } from '../../wire/input.ts';
import check from './check.ts';

const fixture = await openFixture();
const customer = await fixture.customer(0n);
const reading = parseCatalog(
  readFileSync(new URL('../../business/core/catalog/demo.yaml', import.meta.url), 'utf8'),
);
assert.ok(reading.ok);
const demo = reading.catalog;
const catalog = catalogVersion(1, demo);
const sandbox = new RoutedRegistries(new Map([['sandbox', new SandboxNames()]]), { deadlineMs: 1 });

interface Answer {
  readonly searched_domain: string;
  readonly provided_tld: string;
  readonly default_tld: string | null;
  readonly results: readonly {
    readonly domain: string;
    readonly domain_unicode: string;
    readonly available: boolean;
    readonly premium: boolean;
    readonly pricing: { register: number; renew: number; transfer: number | null; restore: number };
    readonly reason: string | null;
  }[];
  readonly total_checked: number;
  readonly warnings?: readonly { readonly error: string }[];
  readonly currency: string;
  readonly tax_included: boolean;
  readonly checked_at: string;
}

test('the submitted domain comes first, then the suggested TLDs in the operator’s order, each once', async () => {
  const answer = await ask({ domain: 'Hostkeep-Test.NET' });
  assert.deepEqual(
    answer.results.map(({ domain }) => domain),
    ['net', ...demo.suggested_tlds.filter((tld) => tld !== 'net')].map((tld) => `hostkeep-test.${tld}`),
  );
  assert.equal(answer.total_checked, answer.results.length);
  assert.equal(answer.searched_domain, 'hostkeep-test');
  assert.equal(answer.provided_tld, 'net');
  assert.equal(answer.default_tld, null);
  assert.equal(answer.currency, 'EUR');
  assert.equal(answer.tax_included, true);
  assert.equal(answer.checked_at, '2027-01-15 12:00:00');
});

test('a name without TLD is checked under the default TLD', async () => {
  const answer = await ask({ domain: 'hostkeep-test' });
  assert.equal(answer.default_tld, demo.default_tld);
  assert.equal(answer.provided_tld, '');
  assert.equal(answer.results[0]?.domain, `hostkeep-test.${demo.default_tld}`);
  assert.equal(answer.results.filter(({ domain }) => domain === answer.results[0]?.domain).length, 1);
});

test('tlds replaces the suggestions, in any spelling', async () => {
  const answer = await ask({ domain: 'hostkeep-test.com', tlds: ['.ORG', 'com', 'рф', 'xn--p1ai', 'co.uk'] });
  assert.deepEqual(
    answer.results.map(({ domain_unicode }) => domain_unicode),
    ['hostkeep-test.com', 'hostkeep-test.org', 'hostkeep-test.рф', 'hostkeep-test.co.uk'],
  );
  assert.equal((await ask({ domain: 'hostkeep-test.com', tlds: [] })).total_checked, 1);
});

test('prices are those of the TLD, null only where no transfer is offered', async () => {
  const { results } = await ask({ domain: 'hostkeep-test.com', tlds: ['io', 'gg', 'ch'] });
  const [com, , gg, ch] = results.map(({ pricing }) => pricing);
  assert.deepEqual(com, { register: 12.99, renew: 14.99, transfer: 12.99, restore: 89 });
  assert.equal(gg?.transfer, null);
  assert.equal(ch?.transfer, 0);
  for (const { pricing } of results) {
    for (const price of [pricing.register, pricing.renew, pricing.restore]) assert.ok(price > 0);
  }
});

test('a promotion is the price of a registration until it ends', async () => {
  const now = (time: string) => ({ now: Temporal.Instant.from(time) });
  const register = async (time: string) =>
    (await ask({ domain: 'hostkeep-test.info', tlds: [] }, now(time))).results[0]?.pricing.register;
  assert.equal(await register('2027-03-31T23:59:59Z'), 3.99);
  assert.equal(await register('2027-04-01T00:00:00Z'), 5.99);
});

test('a premium name has its own prices, and no transfer where the TLD has none', async () => {
  const { results } = await ask({ domain: 'premium-test.com', tlds: ['gg'] });
  assert.deepEqual(
    results.map(({ premium, available, pricing }) => [premium, available, pricing]),
    [
      [true, true, { register: 249, renew: 99, transfer: 249, restore: 349 }],
      [true, true, { register: 249, renew: 99, transfer: null, restore: 349 }],
    ],
  );
});

test('a name is answered with the registry’s reason, and with none exactly where it is available', async () => {
  const reason = async (domain: string) => {
    const [first] = (await ask({ domain, tlds: [] })).results;
    assert.equal(first?.available, first?.reason === null);
    return first?.reason;
  };
  assert.equal(await reason('hostkeep-test.com'), null);
  assert.equal(await reason('taken-test.com'), 'taken');
  assert.equal(await reason('reserved-test.com'), 'reserved');
  assert.equal(await reason('invalid-test.com'), 'invalid');
  assert.equal(await reason('timeout-test.com'), 'registry_unavailable');
  assert.equal(await reason('down-test.com'), 'registry_unavailable');
});

test('a registry that is away costs only the answers for its own TLDs', async () => {
  const { results } = await ask({ domain: 'patchy.de', tlds: ['com', 'at', 'shop'] });
  assert.deepEqual(
    results.map(({ domain, available, reason }) => [domain, available, reason]),
    [
      ['patchy.de', false, 'registry_unavailable'],
      ['patchy.com', true, null],
      ['patchy.at', false, 'registry_unavailable'],
      ['patchy.shop', true, null],
    ],
  );
});

test('internationalised names are punycode in domain and Unicode in domain_unicode', async () => {
  for (const domain of ['Bücher-Test.de', 'xn--bcher-test-9db.de']) {
    const answer = await ask({ domain, tlds: ['рф'] });
    assert.equal(answer.searched_domain, 'xn--bcher-test-9db');
    assert.deepEqual(
      answer.results.map((result) => [result.domain, result.domain_unicode]),
      [
        ['xn--bcher-test-9db.de', 'bücher-test.de'],
        ['xn--bcher-test-9db.xn--p1ai', 'bücher-test.рф'],
      ],
    );
  }
});

test('an internationalised name is invalid, unasked, under a TLD that takes none', async () => {
  const questions: DomainQuestion[] = [];
  const registry = recording(questions);
  const { results } = await ask({ domain: 'bücher-test.co.uk', tlds: ['de'] }, { registry });
  assert.equal(results[0]?.reason, 'invalid');
  assert.deepEqual(
    questions.map(({ domain, tld, registry: connection }) => [domain, tld, connection]),
    [['xn--bcher-test-9db.de', 'de', 'sandbox']],
  );
});

test('a name that mixes scripts is invalid only where the TLD refuses mixtures', async () => {
  const questions: DomainQuestion[] = [];
  const { results } = await ask(
    { domain: 'pаypal.com', tlds: ['de', 'org', 'рф'] },
    { registry: recording(questions) },
  );
  assert.deepEqual(
    results.map(({ domain_unicode, reason }) => [domain_unicode, reason]),
    [
      ['pаypal.com', 'invalid'],
      ['pаypal.de', 'invalid'],
      ['pаypal.org', null],
      ['pаypal.рф', 'invalid'],
    ],
  );
  assert.deepEqual(
    questions.map(({ tld }) => tld),
    ['org'],
  );
});

test('under a TLD that only the availability is known of, names are taken or unconfirmed, never available', async () => {
  const answers = (questions: readonly DomainQuestion[]) =>
    questions.map(({ domain, registry }): DomainAvailability => {
      assert.equal(registry, 'rdap');
      const reason = domain.startsWith('taken') ? 'taken' : 'unconfirmed';
      return { domain, available: false, reason, premium: null };
    });
  const searchable = catalogVersion(1, {
    ...demo,
    tlds: demo.tlds.map((tld) => (tld.tld === 'org' ? { ...tld, registry: 'rdap', sold: false } : tld)),
  });
  const given = {
    registry: {
      check: async (asked: readonly DomainQuestion[]) => answers(asked),
      transferObstacles: sandbox.transferObstacles.bind(sandbox),
      info: sandbox.info.bind(sandbox),
    },
  };
  for (const [domain, reason] of [
    ['taken.org', 'taken'],
    ['free.org', 'unconfirmed'],
  ]) {
    const [result] = (await ask({ domain, tlds: [] }, { ...given, catalog: searchable })).results;
    assert.equal(result?.available, false);
    assert.equal(result?.reason, reason);
    assert.equal(result?.pricing.register, 11.99);
  }
});

test('a TLD is not for sale under another: it is reserved, unasked', async () => {
  const questions: DomainQuestion[] = [];
  const { results } = await ask({ domain: 'co.uk', tlds: ['de'] }, { registry: recording(questions) });
  assert.deepEqual(
    results.map(({ domain, reason }) => [domain, reason]),
    [
      ['co.uk', 'reserved'],
      ['co.de', null],
    ],
  );
  assert.equal(questions.length, 1);
});

test('of pasted addresses and longer names, the part that can be registered is checked', async () => {
  const pasted = [
    'www.hostkeep-test.co.uk',
    'https://www.hostkeep-test.co.uk/a?b#c',
    'HTTP://hostkeep-test.co.uk:8080',
    ' hostkeep-test.co.uk/ ',
    'hostkeep-test.co.uk/about?x=https://example.com',
    'hostkeep-test.co.uk.',
  ];
  for (const domain of pasted) {
    const answer = await ask({ domain });
    assert.equal(answer.results[0]?.domain, 'hostkeep-test.co.uk', domain);
    assert.equal(answer.provided_tld, 'co.uk', domain);
  }
});

test('a TLD that is not sold is unsupported_tld, which names it', async () => {
  const unsold = catalogVersion(1, {
    ...demo,
    tlds: demo.tlds.map((tld) => (tld.tld === 'org' ? { ...tld, sold: false } : tld)),
  });
  const cases: [object, string, string, CatalogVersion?][] = [
    [{ domain: 'hostkeep-test.zz' }, 'zz', '/domain'],
    [{ domain: 'a.b.hostkeep-test.zz' }, 'zz', '/domain'],
    [{ domain: 'hostkeep-test.ac.uk' }, 'ac.uk', '/domain'],
    [{ domain: 'hostkeep-test.org' }, 'org', '/domain', unsold],
    [{ domain: 'hostkeep-test.com', tlds: ['de', 'zz'] }, 'zz', '/tlds/1'],
    [{ domain: 'hostkeep-test.com', tlds: ['org'] }, 'org', '/tlds/0', unsold],
  ];
  for (const [input, tld, pointer, version] of cases) {
    const refusal = await refused(input, version);
    assert.equal(refusal.code, 'unsupported_tld');
    assert.equal(refusal.detail.members?.tld, tld);
    assert.equal(refusal.detail.errors?.[0]?.pointer, pointer);
  }
});

test('what is no domain name is refused at its place', async () => {
  const wrong = [
    '',
    ' ',
    '.',
    'a..com',
    '-a.com',
    'a_b.com',
    'a b.com',
    '192.0.2.1',
    'http://[2001:db8::1]/',
  ];
  for (const domain of [
    ...wrong,
    'me@example.com',
    'ab--cd.com',
    'xn--a.com',
    '💩.com',
    'a'.repeat(3_000),
    7,
    '\ud800.com',
    '\ufffd.com',
    'xn--zzzzzzzzz.com',
    `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(58)}.com`,
    'a.'.repeat(300),
    'אבc.com',
    '0a.אב',
    'a\u202eb.com',
  ]) {
    const refusal = await refused({ domain });
    assert.equal(refusal.code, 'validation_failed');
    assert.equal(refusal.detail.errors?.[0]?.pointer, '/domain', String(domain));
  }
  const bad = await refused({ domain: 'a.com', tlds: ['de', ''] });
  assert.equal(bad.detail.errors?.[0]?.pointer, '/tlds/1');
  const many = await refused({ domain: 'a.com', tlds: new Array(51).fill('de') });
  assert.equal(many.detail.errors?.[0]?.pointer, '/tlds');
  assert.equal((await refused({ domain: 'a.com', tld: 'de' })).detail.errors?.[0]?.error, 'unknown_field');
});

/** As the runner does it, with a database that must not be asked. */
test('a name of several scripts is warned of where a TLD takes it; where none does, and of other names, there is no word', async () => {
  const warned = async (domain: string, tlds: string[]) =>
    (await ask({ domain, tlds })).warnings?.map(({ error }) => error);
  assert.deepEqual(await warned('pаypal.org', []), ['mixed_scripts']);
  assert.equal(await warned('pаypal.com', []), undefined);
  assert.deepEqual(await warned('pаypal.com', ['org']), ['mixed_scripts']);
  assert.equal(await warned('bücher.org', ['com']), undefined);
  assert.equal(await warned('paypal.org', []), undefined);
});

async function ask(
  input: object,
  given: { now?: Temporal.Instant; registry?: RegistryQueries; catalog?: CatalogVersion } = {},
): Promise<Answer> {
  const { now = fixture.clock.now(), registry = sandbox } = given;
  const base = { ...fixture.context(customer), now, catalog: given.catalog ?? catalog };
  const ctx = {
    ...base,
    db: noDatabase,
    ports: {
      registry,
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
    },
  };
  const parsed = checkInput(check.input, JSON.parse(JSON.stringify(input)));
  return check.output.parse(await check.read?.(ctx, parsed, undefined)) as Answer;
}

async function refused(input: object, version?: CatalogVersion): Promise<Refusal> {
  try {
    await ask(input, version === undefined ? {} : { catalog: version });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return assert.fail(`${JSON.stringify(input)} was not refused`);
}

const noDatabase: Executor = {
  run: () => assert.fail('domain/check asks the database'),
  get kysely(): never {
    return assert.fail('domain/check asks the database');
  },
};

/** The sandbox, with every question noted. */
function recording(questions: DomainQuestion[]): RegistryQueries {
  return {
    check(asked) {
      questions.push(...asked);
      return sandbox.check(asked);
    },
    transferObstacles: (asked) => sandbox.transferObstacles(asked),
    info: (domain) => sandbox.info(domain),
  };
}
