import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  iban as ibanShape,
  network as networkShape,
  uuids as uuidsShape,
  whois as whoisShape,
} from '../documented/tools.ts';
import { refusal, success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, stringAt } from '../json.ts';

/** The tools, against the sandbox's registries and names. */
export function toolsCases({ api }: Installation): void {
  const iban = async (text: string) =>
    success(await api.post('tools/iban-verify', { iban: text }), ibanShape);
  const network = async (address?: string) =>
    success(await api.get('tools/network', address === undefined ? {} : { address }), networkShape);
  const whois = async (query: string, more: object = {}) =>
    success(await api.get('tools/whois', { query, ...more }), whoisShape);

  test('each tool has its one method', async () => {
    for (const [wrong, path] of [
      ['POST', 'tools/create-uuid'],
      ['GET', 'tools/iban-verify'],
      ['POST', 'tools/network'],
      ['POST', 'tools/whois'],
    ] as const)
      refusal(await api.call(wrong, path), 405, 'method_not_allowed');
  });

  test('tools/create-uuid makes as many as are asked for, of version 4 or 7', async () => {
    const one = success(await api.get('tools/create-uuid'), uuidsShape);
    assert.deepEqual([one.version, one.count], [4, 1]);
    const data = success(await api.get('tools/create-uuid', { version: 7, count: 100 }), uuidsShape);
    const made = listAt(data, '/uuids').map(String);
    assert.equal(new Set(made).size, 100);
    assert.deepEqual(made, made.toSorted());
    for (const uuid of made) assert.match(uuid, /^.{14}7.{4}[89ab]/);
    for (const wrong of [{ version: 1 }, { count: 0 }, { count: 101 }])
      refusal(await api.get('tools/create-uuid', wrong), 422, 'validation_failed');
  });

  test('tools/iban-verify says what is right about an IBAN, and whose bank it is', async () => {
    const right = await iban('de89 3704 0044 0532 0130 00');
    assert.deepEqual(
      [right.iban, right.formatted, right.valid, right.country, right.country_name, right.sepa],
      ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', true, 'DE', 'Germany', true],
    );
    assert.match(stringAt(right, '/bank/name'), /Commerzbank/);
    assert.match(stringAt(right, '/bank/bic'), /^COBADE/);
    const wrong = await iban('DE89370400440532013001');
    assert.deepEqual(
      [wrong.valid, at(wrong, '/checks/format'), at(wrong, '/checks/checksum')],
      [false, true, false],
    );
    assert.deepEqual(wrong.bank, null);
    assert.deepEqual([(await iban('XX00')).valid, (await iban('XX00')).country], [false, null]);
  });

  test('tools/network computes networks of both families exactly', async () => {
    const four = await network('192.0.2.77/26');
    assert.deepEqual(
      [four.version, four.network, four.netmask, four.broadcast, four.first_host, four.last_host],
      [4, '192.0.2.64', '255.255.255.192', '192.0.2.127', '192.0.2.65', '192.0.2.126'],
    );
    assert.deepEqual(
      [four.total_addresses, four.usable_addresses, four.scope],
      ['64', '62', 'documentation'],
    );
    const six = await network('2001:db8::1/32');
    assert.equal(six.total_addresses, String(2n ** 96n));
    assert.equal((await network('::/0')).total_addresses, String(2n ** 128n));
    const inside = await network('10.1.2.3');
    assert.deepEqual([inside.scope, inside.ptr, inside.asn], ['private', null, null]);
    assert.notEqual((await network('9.9.9.9')).ptr, null);
  });

  test('tools/network finds a name’s addresses, tells who asks their own, and knows no names of private networks', async () => {
    const named = await network('www.example.com');
    assert.ok(listAt(named, '/resolved').includes(named.address ?? null));
    assert.equal((await network()).scope, 'loopback');
    for (const address of ['printer.local', 'localhost', 'no name'])
      refusal(await api.get('tools/network', { address }), 422, 'validation_failed');
  });

  test('tools/whois has one form for domains, addresses and AS numbers, and the answer as it came on request', async () => {
    const domain = await whois('Example.com');
    assert.deepEqual(
      [domain.query, domain.type, domain.registered, domain.raw],
      ['example.com', 'domain', true, null],
    );
    assert.notEqual((await whois('example.com', { raw: true })).raw, null);
    assert.equal((await whois('example.net', { source: 'whois' })).source, 'whois');
    assert.equal((await whois('free.example.org')).type, 'domain');
    assert.equal((await whois('9.9.9.9')).type, 'ipv4');
    assert.equal((await whois('2620:fe::fe')).type, 'ipv6');
    assert.equal((await whois('AS19281')).type, 'asn');
  });

  test('tools/whois asks nobody about private addresses, and says so when a registry fails', async () => {
    const inside = await whois('10.1.2.3');
    assert.deepEqual([inside.source, inside.server], ['local', '']);
    refusal(await api.get('tools/whois', { query: 'failing.com' }), 502, 'backend_error');
    refusal(await api.get('tools/whois', { query: 'no name at all' }), 422, 'validation_failed');
  });
}
