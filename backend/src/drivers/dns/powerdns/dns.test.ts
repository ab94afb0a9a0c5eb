// Slow: 15 s

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ContractCommand, dnsContract } from '../../../../test/contracts/dns.ts';
import { delv } from '../../../../test/delv.ts';
import { dig } from '../../../../test/dig.ts';
import { type LossyHttp, lossyHttp } from '../../../../test/lossy-http.ts';
import { type NameServers, startNameServers } from '../../../../test/powerdns.ts';
import { until } from '../../../../test/until.ts';
import { systemClock } from '../../../base/clock.ts';
import { BackendUnavailable, type CommandOutcome } from '../../outcome.ts';
import type { RrSet } from '../port.ts';
import { askByTcp, askByUdp } from '../question.ts';
import { PowerDns } from './dns.ts';
import { powerDnsProblem } from './problem.ts';

const NAMESERVERS = ['ns1.dns.example', 'ns2.dns.example'];
const METHODS: Readonly<Record<ContractCommand, string>> = {
  ensure_zone: 'POST',
  ensure_rrsets: 'PATCH',
  ensure_absent: 'DELETE',
};

let servers: NameServers;
let proxy: LossyHttp;
let driver: PowerDns;

before(async () => {
  servers = await startNameServers();
  proxy = await lossyHttp(servers.api.url);
  driver = open();
});
after(async () => {
  proxy?.close();
  await servers?.stop();
});

function open(change: { url?: string; key?: string; catalog?: string } = {}): PowerDns {
  const { api, primary, secondary, tsigKey, catalog } = servers;
  const nameservers = [primary, secondary].map((server, at) => ({
    hostname: NAMESERVERS[at] ?? '',
    addresses: [server],
  }));
  return new PowerDns({
    url: proxy.url,
    key: api.key,
    clock: systemClock,
    nameservers,
    tsigKey,
    catalog,
    ...change,
  });
}

dnsContract('powerdns', async () => ({
  driver,
  nameservers: NAMESERVERS,
  ask: (name, type, transport) =>
    (transport === 'tcp' ? askByTcp : askByUdp)(servers.primary, { name, type }, AbortSignal.timeout(60_000)),
  dig: async (...args) => (await dig(servers.primary, '+short', ...args)).toSorted(),
  async fail(zone, command, fault) {
    const fits = (method: string, path: string, body: string) =>
      method === METHODS[command] && (path.includes(`/${zone}.`) || body.includes(`"${zone}."`));
    proxy.lose(fits, fault === 'timeout_before' ? 'before' : 'after');
  },
  async close() {},
}));

const set = (name: string, type: string, ...records: readonly string[]): RrSet => ({
  name,
  type,
  ttl: 300,
  records,
});

function done<T>(outcome: CommandOutcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(`done expected, got ${JSON.stringify(outcome)}`);
  return outcome.result;
}

async function current(zone: string): Promise<void> {
  const there = async () => {
    const { nameserversCurrent = 0 } = (await driver.publication(zone, 5_000)) ?? {};
    return nameserversCurrent === NAMESERVERS.length ? true : null;
  };
  await until(there, () => `${zone} did not reach the secondary`, 20);
}

const make = async (zone: string, rrsets: readonly RrSet[], dnssec = false) =>
  done(await driver.ensureZone({ zone, rrsets, nameservers: NAMESERVERS, dnssec }));

test('the secondary hears of zones and changes at once, and drops what is removed', async () => {
  const zone = 'second.example';
  await make(zone, [set(`www.${zone}`, 'A', '192.0.2.1')]);
  await current(zone);
  assert.deepEqual(await dig(servers.secondary, '+short', `www.${zone}`, 'A'), ['192.0.2.1']);
  done(await driver.ensureRrSets({ zone, rrsets: [set(`www.${zone}`, 'A', '192.0.2.2')] }));
  await current(zone);
  assert.deepEqual(await dig(servers.secondary, '+short', `www.${zone}`, 'A'), ['192.0.2.2']);
  done(await driver.ensureAbsent(zone));
  const status = async () =>
    (await dig(servers.secondary, zone, 'SOA')).find((line) => line.includes('status:'));
  const refused = async () => ((await status())?.includes('REFUSED') ? true : null);
  await until(refused, async () => `the secondary says ${await status()}`, 20);
});

test('transfers need the key', async () => {
  const zone = 'closed.example';
  await make(zone, []);
  const lines = await dig(servers.primary, '+tcp', zone, 'AXFR');
  assert.ok(lines.some((line) => line.includes('Transfer failed')));
});

test('delv validates a signed zone against its DS at the primary and at the secondary', async () => {
  const zone = 'signed.example';
  const rrsets = [set(`www.${zone}`, 'A', '192.0.2.1'), set(`*.wild.${zone}`, 'TXT', '"any"')];
  const { ds } = await make(zone, rrsets, true);
  await current(zone);
  for (const server of [servers.primary, servers.secondary]) {
    const ask = (name: string, type: string) => delv(server, zone, ds, name, type);
    assert.match(await ask(`www.${zone}`, 'A'), /; fully validated/);
    assert.match(await ask(`a.wild.${zone}`, 'TXT'), /; fully validated/);
    assert.match(await ask(`none.${zone}`, 'A'), /; negative response, fully validated/);
    assert.match(await ask(`www.${zone}`, 'MX'), /; negative response, fully validated/);
  }
  done(await driver.ensureRrSets({ zone, rrsets: [set(`new.${zone}`, 'A', '192.0.2.3')] }));
  await current(zone);
  for (const server of [servers.primary, servers.secondary])
    assert.match(await delv(server, zone, ds, `new.${zone}`, 'A'), /; fully validated/);
});

test('the key of a signed zone is there for parents that look for it', async () => {
  const zone = 'told.example';
  const { ds } = await make(zone, [], true);
  const [cds] = await dig(servers.primary, '+short', zone, 'CDS');
  const [{ keyTag, algorithm, digestType, digest } = assert.fail('no DS')] = ds;
  assert.equal(cds?.replaceAll(' ', ''), `${keyTag}${algorithm}${digestType}${digest}`);
  assert.equal((await dig(servers.primary, '+short', zone, 'CDNSKEY')).length, 1);
});

test('of a zone of 10,000 records, one record set is one small request', async () => {
  const zone = 'large.example';
  const rrsets = Array.from({ length: 10_000 }, (_, at) => set(`h${at}.${zone}`, 'A', `192.0.2.${at % 256}`));
  await make(zone, rrsets);
  const from = proxy.seen.length;
  done(await driver.ensureRrSets({ zone, rrsets: [set(`h77.${zone}`, 'A', '198.51.100.1')] }));
  const path = `/api/v1/servers/localhost/zones/${zone}.`;
  assert.deepEqual(proxy.seen.slice(from), [
    `GET ${path}?rrset_name=h77.${zone}.&rrset_type=A`,
    `PATCH ${path}`,
    `PUT ${path}/notify`,
    `GET ${path}?rrsets=false`,
  ]);
  assert.deepEqual(await dig(servers.primary, '+short', `h77.${zone}`, 'A'), ['198.51.100.1']);
});

test('a reverse zone below a block of addresses has a name that paths cannot hold (RFC 2317)', async () => {
  const zone = '0/26.2.0.192.in-addr.arpa';
  await make(zone, [set(`1.${zone}`, 'PTR', 'host.example.com.')]);
  assert.equal((await driver.zone(zone, 5_000))?.zone, zone);
  assert.ok((await driver.list()).includes(zone));
  done(await driver.ensureAbsent(zone));
});

test('a refusal says what PowerDNS says', async () => {
  const zone = 'refused.example';
  await make(zone, [set(`www.${zone}`, 'A', '192.0.2.1')]);
  const outcome = await driver.ensureRrSets({ zone, rrsets: [set(`www.${zone}`, 'CNAME', `a.${zone}.`)] });
  assert.ok(outcome.kind === 'refused');
  assert.match(outcome.reason, /Conflicts with/);
});

test('the catalog zone is nobody’s, and before there is one, removing works too', async () => {
  done(await open({ catalog: 'other.invalid' }).ensureAbsent('never.example'));
  assert.ok(!(await driver.list()).includes(servers.catalog));
});

test('a wrong key and a server that is not there are no answer, and the key is in no message', async () => {
  const wrong = open({ key: 'a-wrong-key' });
  await assert.rejects(wrong.list(), (error) => {
    assert.ok(error instanceof BackendUnavailable);
    assert.ok(!JSON.stringify([error.message, String(error.cause)]).includes('a-wrong-key'));
    return true;
  });
  await assert.rejects(open({ url: 'http://127.0.0.1:9' }).zone('a.example', 1_000), BackendUnavailable);
});

test('what keeps PowerDNS from working for us is told', async () => {
  assert.equal(await powerDnsProblem(servers.api), null);
  assert.match((await powerDnsProblem({ ...servers.api, key: 'wrong' })) ?? '', /401/);
  assert.notEqual(await powerDnsProblem({ url: 'http://127.0.0.1:9', key: 'any' }), null);
});
