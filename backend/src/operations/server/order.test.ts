// Slow: 10 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openServers, SERVER_ORDER } from '../../../test/servers.ts';
import { Refusal } from '../../errors.ts';
import order from './order.ts';

const WITH_SETUP = '8d16217b-9412-49e8-8664-3c904111a353';
const SCARCE = '8d16217b-9412-49e8-8664-3c904111a354';

const site = await openServers(({ hosts, server_packages }) => {
  const [fra] = hosts;
  if (fra === undefined) throw new Error('a host');
  Object.assign(fra.networks.ipv4, {
    reverse_zone: '18.198.in-addr.arpa',
    name_template: 'static-{address}.fra1.example.net',
  });
  const [pack] = server_packages;
  if (pack === undefined) throw new Error('a package');
  server_packages.push(
    { ...pack, uuid: WITH_SETUP, id: 102, name: 'Cloud M', setup: 9.9 },
    { ...pack, uuid: SCARCE, id: 103, name: 'Scarce', host: 'scarce', disk: 100 },
  );
  const scarce = structuredClone(fra);
  hosts.push({
    ...scarce,
    name: 'scarce',
    nodes: [1, 2, 3].map((nth) => ({
      name: `scarce-${nth}`,
      capacity: { cores: 2_000, memory: 4_194_304, disk: 10_000 },
    })),
    networks: {
      ipv4: { ...scarce.networks.ipv4, cidr: '198.18.8.0/22', gateway: '198.18.8.1' },
      ipv6: { ...scarce.networks.ipv6, cidr: '2001:db8:3000::/44' },
    },
  });
});
const { pool } = site;

const CUSTOM = { pack_uuid: undefined, cores: 2, memory: 4096, disk: 50 };

/** The refusal of an order, with what it says. */
async function refused(input: object, balance = 100_000n): Promise<Refusal> {
  const who = await site.customer(balance);
  try {
    await site.order(who, input);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return assert.fail(`${JSON.stringify(input)} was not refused`);
}

test('an order of a package answers what was promised, at the price that was shown', async () => {
  const who = await site.customer(10_000n);
  const data = await site.order(who);
  const { config, charged, pricings, hostsystem } = data;
  assert.equal(data.state, 'PENDING');
  assert.equal(data.task.state, 'queued');
  assert.deepEqual(pricings, { year: 43.89, month: 3.99, hour: 0.0067 });
  assert.equal(charged.gross_minor, 399);
  assert.match(config.password ?? '', /^[A-Za-z2-9]{20}$/);
  assert.match(hostsystem.node, /^fra-epyc-/);
  const name = config.ipv4.ip_address.replaceAll('.', '-');
  assert.equal(config.ipv4.rdns, `static-${name}.fra1.example.net`);
  assert.match(config.ipv6.ip_address, /^2001:db8:1000:[0-9a-f:]*\/64$/);
});

test('a configuration of one’s own is priced by its units', async () => {
  const who = await site.customer(100_000n);
  const data = await site.order(who, { ...CUSTOM, ipv4: 2, backup_slots: 1, uplink: 200 });
  // 2 cores, 4 GiB, 50 GiB, 2 × 100 Mbit/s, 2 addresses, 1 slot: 61 units at 1.00 a month.
  assert.equal(data.charged.gross_minor, 6_100);
  assert.deepEqual(data.pricings, { year: 671, month: 61, hour: 0.0915 });
  const { rows } = await pool.pg.query(
    `SELECT s.name, s.item, v.uplink, v.backup_slots,
       (SELECT count(*) FROM addresses a WHERE a.server_id = v.id AND family = 4) AS ipv4
     FROM servers v JOIN services s ON s.id = v.id WHERE v.id = $1`,
    [data.server_uuid],
  );
  assert.deepEqual(rows, [
    { name: '2 cores, 4096 MiB, 50 GiB', item: 'custom', uplink: 200, backup_slots: 1, ipv4: 2n },
  ]);
});

test('set-up is paid once, a long term is cheaper, and the quote shows both and what a renewal costs', async () => {
  const who = await site.customer(100_000n);
  const { quote } = await site.order(who, {
    pack_uuid: WITH_SETUP,
    duration_unit: 'year',
    dry_run: true,
    tos: undefined,
  });
  assert.deepEqual(
    quote.lines.map((line) => line.description),
    ['Cloud M (year)', '7.5 % off for 1 year', 'Set-up'],
  );
  // 43.89 − 7.5 % of it + 9.90
  assert.equal(quote.gross, 50.5);
  assert.equal(quote.renewal_gross, 40.6);
  assert.equal(quote.in_stock, true);
  const { rows } = await pool.pg.query('SELECT FROM orders WHERE account_id = $1', [who.accountId]);
  assert.equal(rows.length, 0);
});

test('an operating system’s license is paid with the term', async () => {
  const who = await site.customer(100_000n);
  const month = await site.order(who, { ...CUSTOM, os: 'windows-2025' });
  // 2 cores, 4 GiB, 50 GiB, 100 Mbit/s and an address at 1.00, and the license.
  assert.equal(month.charged.gross_minor, 5_800 + 1_990);
  assert.equal(month.pricings.month, 77.9);
});

test('a chosen password, keys, name and reverse name are kept, and the password is not sent back', async () => {
  const who = await site.customer(10_000n);
  const key = `ssh-ed25519 ${Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from('ssh-ed25519'),
    Buffer.from([0, 0, 0, 32]),
    Buffer.alloc(32, 7),
  ]).toString('base64')} me@home`;
  const data = await site.order(who, {
    password: 'correct horse battery',
    ssh_keys: [key],
    rdns: 'mail.example.com',
    custom_name: 'first',
    start: false,
    auto_renew: true,
  });
  assert.equal(data.config.password, null);
  assert.equal(data.config.ipv4.rdns, 'mail.example.com');
  const { rows } = await pool.pg.query(
    `SELECT v.ssh_keys, v.wanted_power, s.custom_name, s.auto_renew FROM servers v JOIN services s ON s.id = v.id
     WHERE v.id = $1`,
    [data.server_uuid],
  );
  assert.deepEqual(rows, [
    { ssh_keys: [key], wanted_power: 'stopped', custom_name: 'first', auto_renew: true },
  ]);
});

const WRONG: readonly (readonly [
  what: string,
  input: object,
  code: string,
  fields: readonly string[] | null,
])[] = [
  ['an unknown host', { host: 'nowhere' }, 'validation_failed', ['/host']],
  ['an unknown package', { pack_uuid: '00000000-0000-4000-8000-000000000000' }, 'not_found', null],
  ['a package of another host', { host: 'hel-ryzen' }, 'validation_failed', ['/host']],
  ['neither package nor size', { pack_uuid: undefined, cores: 1 }, 'validation_failed', ['/memory', '/disk']],
  ['package and size', { cores: 1, ipv6: true }, 'validation_failed', ['/cores', '/ipv6']],
  [
    'a size that the host does not offer',
    { ...CUSTOM, cores: 17, memory: 1500, ipv4: 5 },
    'validation_failed',
    ['/cores', '/memory', '/ipv4'],
  ],
  ['an unknown operating system', { os: 'plan-9' }, 'validation_failed', ['/os']],
  ['too small for its system', { os: 'windows-2025' }, 'os_requirements_not_met', null],
  ['a term that is not sold', { duration: 2 }, 'validation_failed', ['/duration']],
  [
    'a reverse name where there are none',
    { ...CUSTOM, host: 'hel-ryzen', rdns: 'a.example.com' },
    'not_supported_by_backend',
    null,
  ],
  ['terms not accepted', { tos: false }, 'terms_not_accepted', null],
  ['cancellation not acknowledged', { cancellation: undefined }, 'cancellation_not_acknowledged', null],
  ['a price above the limit', { max_price: 3.98 }, 'price_changed', null],
  ['an unknown discount code', { discount_code: 'NOPE' }, 'discount_code_invalid', null],
];
for (const [what, input, code, fields] of WRONG) {
  test(`refused: ${what} (${code})`, async () => {
    const { code: got, detail } = await refused(input);
    assert.equal(got, code);
    if (fields !== null)
      assert.deepEqual(
        detail.errors?.map((problem) => problem.pointer),
        fields,
      );
    assert.deepEqual(await site.stockProblems(), []);
  });
}

test('refused for want of money, an order reserves nothing', async () => {
  assert.equal((await refused({}, 398n)).code, 'insufficient_funds');
  assert.deepEqual(await site.stockProblems(), []);
});

test('texts that no system could use as they are, are refused by the field', async () => {
  const who = await site.customer(10_000n);
  const inputs = {
    hostname: ['web', 'web example.com', '$(reboot).example.com', 'a'.repeat(300)],
    password: ['short', 'a'.repeat(129), 'twelve chars\u0007', 'new\nline in the password'],
    ssh_keys: [['ssh-ed25519 AAAA'], ['command="reboot" ssh-ed25519 AAAA'], Array(21).fill('x')],
    user_data: ['é'.repeat(40_000)],
    rdns: ['-'],
  };
  for (const [field, values] of Object.entries(inputs)) {
    for (const value of values) {
      const given = { ...SERVER_ORDER, [field]: value };
      assert.throws(
        () => site.item(order, who, given),
        (error) =>
          error instanceof Refusal &&
          error.code === 'validation_failed' &&
          error.detail.errors?.every((problem) => problem.pointer.startsWith(`/${field}`)) === true,
        `${field}: ${JSON.stringify(value).slice(0, 60)}`,
      );
    }
  }
});

test('a quote is kept to, for the same order and no other', async () => {
  const who = await site.customer(10_000n);
  const { quote } = await site.order(who, { dry_run: true });
  const { quote_uuid } = quote as unknown as { quote_uuid: string };
  await assert.rejects(site.order(who, { ...CUSTOM, quote_uuid }), { code: 'validation_failed' });
  assert.equal((await site.order(who, { quote_uuid })).charged.gross, quote.gross);
});

test('1,000 orders of 100 clients at once for 300 places: 300 are taken, 700 refused with where to go, none charged for nothing', async () => {
  const customers = await Promise.all(Array.from({ length: 10 }, () => site.customer(100_000n)));
  const outcomes: unknown[] = [];
  let next = 0;
  const client = async () => {
    while (next < 1000) {
      const nth = next++;
      const input = { host: 'scarce', pack_uuid: SCARCE, hostname: `server-${nth}.example.com` };
      const who = customers[nth % customers.length] ?? assert.fail();
      outcomes.push(await site.order(who, input).catch((error: unknown) => error));
    }
  };
  // As many as wait for a connection together without one giving up.
  await Promise.all(Array.from({ length: 100 }, client));
  const refusals = outcomes.filter((outcome) => outcome instanceof Refusal);
  const taken = outcomes.flatMap((outcome) =>
    outcome instanceof Error ? [] : [outcome as Awaited<ReturnType<typeof site.order>>],
  );
  assert.equal(taken.length, 300);
  assert.equal(refusals.length, 700);
  for (const refusal of refusals) {
    assert.equal(refusal.code, 'out_of_stock');
    assert.deepEqual(refusal.detail.members, { alternatives: ['fra-epyc', 'hel-ryzen'] });
  }
  for (const family of ['ipv4', 'ipv6'] as const) {
    assert.equal(new Set(taken.map((data) => data.config[family].ip_address)).size, 300, family);
  }
  const held = await pool.pg.query<{ reserved: bigint; orders: bigint }>(
    `SELECT sum(reserved)::int8 AS reserved, (SELECT count(*) FROM orders WHERE account_id = ANY($1::uuid[])) AS orders
     FROM accounts WHERE id = ANY($1::uuid[])`,
    [customers.map((who) => who.accountId)],
  );
  assert.deepEqual(held.rows, [{ reserved: 300n * 399n, orders: 300n }]);
  assert.deepEqual(await site.stockProblems(), []);
  const dry = await site.order(customers[0] ?? assert.fail(), {
    host: 'scarce',
    pack_uuid: SCARCE,
    dry_run: true,
  });
  assert.equal(dry.quote.in_stock, false);
});

test('every order that was taken is then a machine of its own, paid once', async () => {
  await site.work();
  const { rows } = await pool.pg.query<{ id: string; ipv4: string }>(
    `SELECT v.id, array_agg(a.address::text ORDER BY a.address) FILTER (WHERE a.family = 4)::text AS ipv4
     FROM servers v JOIN services s ON s.id = v.id JOIN addresses a ON a.server_id = v.id
     WHERE s.state = 'active' GROUP BY v.id`,
  );
  const machines = await site.machines();
  assert.ok(machines.length > 300);
  assert.deepEqual(
    new Map(machines.map(({ server_id, ipv4 }) => [server_id, ipv4.replaceAll('/32', '')])),
    new Map(rows.map(({ id, ipv4 }) => [id, ipv4.replaceAll('/32', '')])),
  );
  assert.equal(new Set(machines.map((machine) => machine.ipv4)).size, machines.length);
  assert.ok(machines.every((machine) => machine.installs === 1));
  const open = await pool.pg.query("SELECT FROM orders WHERE state = 'pending'");
  assert.equal(open.rows.length, 0);
  assert.deepEqual(await site.stockProblems(), []);
});
