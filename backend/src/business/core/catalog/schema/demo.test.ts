import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse as parseDomain } from 'tldts';
import { readNetwork } from '../../../../base/network.ts';
import { parseCatalog } from '../parse.ts';
import type { Catalog } from './schema.ts';

const DEMO = readFileSync(new URL('../demo.yaml', import.meta.url), 'utf8');

function read(text: string): Catalog {
  const reading = parseCatalog(text);
  assert.deepEqual(reading.ok ? [] : reading.problems, []);
  if (!reading.ok) throw new Error('unreachable');
  return reading.catalog;
}

test('the demonstration sells what a provider sells', () => {
  const catalog = read(DEMO);
  assert.ok(catalog.tlds.length >= 200);
  assert.ok(catalog.tlds.some((tld) => tld.transfer === null));
  assert.ok(catalog.tlds.filter((tld) => tld.tld.includes('.')).length >= 10);
  assert.ok(catalog.tlds.filter((tld) => tld.tld.startsWith('xn--')).length >= 5);
  assert.ok(catalog.hosts.length >= 3);
  assert.ok(new Set(catalog.datacenters.map((datacenter) => datacenter.country)).size >= 2);
  assert.ok(catalog.operating_systems.filter((os) => os.sold).length >= 8);
  assert.ok(catalog.server_packages.length >= 6);
  assert.ok(catalog.license_packages.length >= 4);
  assert.ok(catalog.webspace_packages.length >= 4);
});

test('every TLD of the demonstration exists', () => {
  const imaginary = read(DEMO).tlds.filter(({ tld }) => {
    const { publicSuffix, isIcann } = parseDomain(`example.${tld}`);
    return publicSuffix !== tld || isIcann !== true;
  });
  assert.deepEqual(
    imaginary.map(({ tld }) => tld),
    [],
  );
});

test('the demonstration has room for 1,500 servers, in addresses that nobody else uses', () => {
  const { hosts } = read(DEMO);
  const reserved = [readNetwork('198.18.0.0/15'), readNetwork('2001:db8::/32')];
  let [addresses, networks, cores] = [0n, 0n, 0];
  for (const host of hosts) {
    const ipv4 = readNetwork(host.networks.ipv4.cidr);
    const ipv6 = readNetwork(host.networks.ipv6.cidr);
    for (const [index, pool] of [ipv4, ipv6].entries()) {
      const block = reserved[index];
      assert.ok(pool && block && pool.first >= block.first && pool.last <= block.last, host.name);
    }
    addresses += (ipv4?.last ?? 0n) - (ipv4?.first ?? 0n) - 2n;
    networks += 1n << BigInt(host.networks.ipv6.prefix_length - (ipv6?.prefix ?? 0));
    cores += host.nodes.reduce((sum, node) => sum + node.capacity.cores, 0);
  }
  assert.ok(addresses >= 1500n && networks >= 1500n && cores >= 1500, `${addresses} ${networks} ${cores}`);
});
