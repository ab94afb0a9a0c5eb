// Slow: 5 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { LICENSE } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import { wireTime } from '../../base/time.ts';
import { returnPlacements } from '../../business/servers/capacity/placement.ts';
import { statementTexts } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';

const site = await openServers();
const { pool, clock } = site;
const { data, refused } = openRequests(site);
const staff = { token: await staffToken(site) };

const search = async (query: string, more: object = {}) =>
  (await data('staff/search', { query, ...more }, staff)).results;

async function ordered(hostname: string) {
  const who = await site.customer(100_000n);
  const { server_uuid: id, config } = await site.order(who, { hostname });
  return { who, id, ip: config.ipv4.ip_address, network: config.ipv6.ip_address };
}

/** As at the end of a server, and the address free again for the next one. */
async function removed(id: string): Promise<void> {
  await transaction(pool, (tx) => returnPlacements(tx, [id], clock.now()));
  await pool.pg.query("UPDATE addresses SET state = 'free', released_at = NULL WHERE state = 'quarantine'");
}

test('who had an address at a time is known after others had it', async () => {
  const first = await ordered('first.example.com');
  const during = wireTime(clock.now());
  clock.set(clock.now().add({ hours: 1 }));
  await removed(first.id);
  const between = wireTime(clock.now());
  clock.set(clock.now().add({ hours: 1 }));
  const second = await ordered('second.example.com');
  assert.equal(second.ip, first.ip);
  const newest = await search(first.ip);
  assert.deepEqual(
    newest.map((one: { uuid: string; account: { uuid: string } }) => [one.uuid, one.account.uuid]),
    [
      [second.id, second.who.accountId],
      [first.id, first.who.accountId],
    ],
  );
  assert.deepEqual(
    [newest[0].kind, newest[0].matched, newest[0].value, newest[0].until, newest[1].since, newest[1].until],
    ['server', 'ip_address', first.ip, null, during, between],
  );
  const ids = async (at: string) => (await search(first.ip, { at })).map((one: { uuid: string }) => one.uuid);
  assert.deepEqual(await ids(during), [first.id]);
  // The moment that it was taken away is not part of the time that it was had.
  assert.deepEqual(await ids(between), []);
  assert.deepEqual(await ids(wireTime(clock.now())), [second.id]);
  assert.deepEqual(await ids('2020-01-01 00:00:00'), []);
});

test('a server is found by any address of its IPv6 network, and by networks around its addresses', async () => {
  const { id, ip, network } = await ordered('six.example.com');
  const inside = `${network.split('/')[0]?.replace(/::.*$/, '')}::abcd`;
  assert.deepEqual((await search(inside)).map((one: { uuid: string }) => one.uuid).includes(id), true);
  const around = await search(`${ip.split('.').slice(0, 3).join('.')}.0/24`, { at: wireTime(clock.now()) });
  assert.ok(around.some((one: { uuid: string; value: string }) => one.uuid === id && one.value === ip));
  assert.deepEqual(await search('203.0.113.9'), []);
});

test('an order that fails leaves no trace in the history of addresses', async () => {
  const who = await site.customer(0n);
  const before = await pool.pg.query('SELECT count(*) FROM address_history');
  await assert.rejects(site.order(who, { hostname: 'poor.example.com' }));
  assert.deepEqual((await pool.pg.query('SELECT count(*) FROM address_history')).rows, before.rows);
});

test('a license is found by its key and by the addresses that it is bound to', async () => {
  const who = await site.customer(100_000n);
  const { panel_uuid, uuid, license_key } = await data(
    'panel/order',
    { pack_uuid: LICENSE, duration: 1, duration_unit: 'month', tos: true, cancellation: true },
    { token: who.secret },
  );
  const id = panel_uuid ?? uuid;
  const [found] = await search(` ${license_key.toLowerCase()} `);
  assert.deepEqual([found.kind, found.matched, found.value], ['license', 'license_key', '']);
  assert.equal(found.account.uuid, who.accountId);
  await data(
    'panel/bind-ip',
    { uuid: found.uuid, ip_address: '192.0.2.44', description: '' },
    { token: who.secret },
  );
  assert.ok(id === undefined || id === found.uuid);
  for (const query of ['192.0.2.44', '192.0.2.0/24', '192.0.2.44/32']) {
    const [bound] = await search(query);
    assert.deepEqual(
      [bound?.matched, bound?.value, bound?.uuid],
      ['ip_binding', '192.0.2.44', found.uuid],
      query,
    );
  }
  assert.deepEqual(await search('192.0.3.0/24'), []);
});

test('customers, hosts and domains are found by their names, whatever the case', async () => {
  const { who, id, ip } = await ordered('mail.shop.example.org');
  await pool.pg.query('UPDATE addresses SET rdns = $2 WHERE address = $1', [ip, 'Reverse.example.org']);
  const { rows } = await pool.pg.query('SELECT email FROM users WHERE id = $1', [who.userId]);
  const [customer] = await search(rows[0].email.toUpperCase());
  assert.deepEqual(
    [customer.kind, customer.uuid, customer.value],
    ['customer', who.accountId, rows[0].email],
  );
  const [host] = await search('MAIL.Shop.example.org.');
  assert.deepEqual([host.matched, host.uuid], ['hostname', id]);
  const [reverse] = await search('reverse.EXAMPLE.org');
  assert.deepEqual([reverse.matched, reverse.uuid], ['reverse_name', id]);
  const domain = await registered(who.accountId, 'xn--mller-kva.example');
  const [named] = await search('www.Müller.example');
  assert.deepEqual([named.matched, named.uuid, named.value], ['domain', domain, 'xn--mller-kva.example']);
});

test('an invoice is found by its number, in either case', async () => {
  const { accountId } = await site.customer(0n);
  await pool.pg.query(
    `INSERT INTO invoices (id, account_id, kind, series, year, sequence, number, currency, lines, net, tax_kind, tax_rate,
       tax_country, tax, gross, buyer, seller, locale, issue_date, issued_at)
     VALUES (gen_random_uuid(), $1, 'invoice', 'RE', 2027, 1, 'RE-2027-00001', 'EUR', '[]', 0, 'none', 0, 'DE', 0, 0,
       '{}', '{}', 'en', '2027-01-15', $2)`,
    [accountId, clock.now().toString()],
  );
  const [invoice] = await search('re-2027-00001');
  assert.deepEqual(
    [invoice.kind, invoice.matched, invoice.value, invoice.account.uuid],
    ['invoice', 'invoice_number', 'RE-2027-00001', accountId],
  );
});

test('results come in pages, and bad questions are refused', async () => {
  for (let nth = 0; nth < 3; nth += 1) await ordered('same.example.net');
  const page = async (number: number) =>
    await data('staff/search', { query: 'same.example.net', page: number, per_page: 2 }, staff);
  const pages = [await page(1), await page(2), await page(3)];
  assert.deepEqual(
    pages.map(({ results }) => results.length),
    [2, 1, 0],
  );
  for (const { pagination } of pages) assert.deepEqual([pagination.total, pagination.total_pages], [3, 2]);
  assert.equal(
    new Set(pages.flatMap(({ results }) => results.map((one: { uuid: string }) => one.uuid))).size,
    3,
  );
  for (const input of [
    { query: '10.0.0.0/8' },
    { query: '2001::/16' },
    { query: ' ' },
    { query: 'x', at: '2027-02-30 00:00:00' },
    { query: 'x', page: 1_000_000 },
  ])
    await refused('validation_failed', 'staff/search', input, staff);
});

/** A domain of a customer, without a registry. */
async function registered(accountId: string, name: string): Promise<string> {
  const { rows } = await pool.pg.query(
    `WITH service AS (
       INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
         expire_at, created_at)
       VALUES (gen_random_uuid(), $1, 'domain', 'example', $2, 'active', false, 1, 'year', 1, $3, $3) RETURNING id)
     INSERT INTO domains (id, name, tld, registry, state, transfer_lock, whois_privacy, dns_hosted)
     SELECT id, $2, 'example', 'sandbox', 'active', false, false, false FROM service RETURNING id`,
    [accountId, name, clock.now().toString()],
  );
  return rows[0].id;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

test('every search is served by indexes', async () => {
  const client = new pg.Client({ connectionString: site.database.url });
  await client.connect();
  try {
    await client.query('SET enable_seqscan = off');
    const searches = [...statementTexts()].filter(([name]) => name.startsWith('search_'));
    assert.ok(searches.length >= 4);
    for (const [name, text] of searches) {
      const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
      assert.deepEqual(scansOf(rows[0]['QUERY PLAN'][0].Plan), [], name);
    }
  } finally {
    await client.end();
  }
});
