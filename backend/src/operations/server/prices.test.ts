import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers, SERVER_PACKAGE } from '../../../test/servers.ts';

const GONE = '8d16217b-9412-49e8-8664-3c904111a353';

const site = await openServers(({ hosts, server_packages, operating_systems, datacenters }) => {
  const [fra, hel] = hosts;
  const [pack] = server_packages;
  const [system] = operating_systems;
  if (!fra || !hel || !pack || !system) throw new Error('the catalogue is smaller than expected');
  datacenters.push({ name: 'hel1', displayname: 'Helsinki 1', country: 'FI', city: 'Helsinki' });
  hel.datacenter = 'hel1';
  hel.nodes = [{ name: 'hel-ryzen-01', capacity: { cores: 4, memory: 8192, disk: 100 } }];
  Object.assign(hel.configuration, {
    cores: { min: 2, max: 4, step: 1 },
    memory: { min: 2048, max: 8192, step: 1024 },
    disk: { min: 20, max: 100, step: 10 },
  });
  server_packages.push({ ...pack, uuid: GONE, id: 102, name: 'Gone', sold: false } as typeof pack);
  operating_systems.push(
    { ...system, name: 'arm', arch: 'aarch64' } as typeof system,
    { ...system, name: 'gone', sold: false } as typeof system,
    { ...system, name: 'large', min_cores: 8 },
  );
});
const { data, refused } = openRequests(site);

test('prices show packages and units of what is sold, for anyone', async () => {
  const prices = await data('server/prices');
  assert.equal(prices.currency, 'EUR');
  assert.equal(prices.tax_included, true);
  assert.equal(prices.tax_rate, 19);
  assert.deepEqual(prices.packages, [
    {
      pack_uuid: SERVER_PACKAGE,
      name: 'Cloud S',
      host: 'fra-epyc',
      cores: 1,
      memory: 2048,
      disk: 40,
      uplink: 1000,
      pricings: { year: 43.89, month: 3.99, hour: 0.0067 },
      setup: 0,
      in_stock: true,
    },
  ]);
  const unit = { year: 11, month: 1, hour: 0.0015 };
  assert.deepEqual(prices.units[1], {
    host: 'hel-ryzen',
    cores: unit,
    memory_gib: unit,
    disk_gib: unit,
    uplink_100mbit: unit,
    ipv4: unit,
    backup_slot: unit,
  });
  assert.deepEqual(prices.duration_discounts, [{ duration: 1, duration_unit: 'year', percent: 7.5 }]);
  assert.equal(prices.price_version, 2);
  assert.equal(prices.updated_at, '2027-01-15 12:00:00');
});

test('prices of one host; no other currency', async () => {
  const prices = await data('server/prices', { host: 'hel-ryzen', currency: 'EUR' });
  assert.deepEqual(prices.packages, []);
  assert.equal(prices.units.length, 1);
  const { errors } = await refused('validation_failed', 'server/prices', { currency: 'USD' });
  assert.deepEqual(errors[0].allowed, ['EUR']);
});

test('hosts say where they are, what they offer, and from which price', async () => {
  const { hosts, total, currency } = await data('server/hosts', { country: 'fi' });
  assert.equal(total, 1);
  assert.equal(currency, 'EUR');
  const [{ configuration, hardware, pricings_from, datacenter, ...host }] = hosts;
  assert.deepEqual(datacenter, {
    name: 'hel1',
    displayname: 'Helsinki 1',
    country: 'FI',
    city: 'Helsinki',
  });
  assert.deepEqual(hardware, { processor: 'EPYC', memory: 'DDR5', disk: 'NVMe' });
  assert.deepEqual(configuration.cores, { min: 2, max: 4, step: 1 });
  // 2 cores, 2 GiB, 20 GiB, 100 Mbit/s and an address.
  assert.deepEqual(pricings_from, { year: 286, month: 26, hour: 0.039 });
  assert.deepEqual(host, {
    name: 'hel-ryzen',
    displayname: 'Frankfurt',
    ddos_protection: ['Standard'],
    in_stock: true,
    capacity: 'high',
  });
});

test('a host that fills up has less capacity, then none, and is out of stock', async () => {
  const who = await site.customer(1_000_000n);
  const order = { host: 'hel-ryzen', pack_uuid: undefined, memory: 4096, disk: 20 };
  await site.order(who, { ...order, cores: 2, memory: 5120 });
  const capacity = async () => (await data('server/hosts', { datacenter: 'hel1' })).hosts[0].capacity;
  assert.equal(await capacity(), 'medium');
  await site.order(who, { ...order, cores: 2, memory: 2048 });
  assert.equal(await capacity(), 'none');
  const names = async (input: object) =>
    (await data('server/hosts', input)).hosts.map((host: { name: string }) => host.name);
  assert.deepEqual(await names({ in_stock: true }), ['fra-epyc']);
  assert.deepEqual(await names({ in_stock: false }), ['hel-ryzen']);
  assert.deepEqual(await names({ datacenter: 'nowhere' }), []);
});

test('operating systems: those that are sold; for a host, those of its architecture', async () => {
  const names = async (input: object, token?: string) =>
    (await data('server/os', input, token === undefined ? {} : { token })).os.map(
      (os: { name: string }) => os.name,
    );
  assert.deepEqual(await names({}), ['debian-13', 'windows-2025', 'arm', 'large']);
  assert.deepEqual(await names({ host: 'fra-epyc' }), ['debian-13', 'windows-2025', 'large']);
  assert.deepEqual(await names({ host: 'nowhere' }), []);
  const { os } = await data('server/os');
  assert.deepEqual(os[1], {
    name: 'windows-2025',
    displayname: 'Windows',
    family: 'debian',
    version: '13',
    platform: 'linux',
    arch: 'x86_64',
    icon: 'debian',
    min_cores: 1,
    min_memory: 4096,
    min_disk: 5,
    username: 'root',
    cloud_init: true,
    license_price: 19.9,
    end_of_life: '2030-06-30',
    deprecated: false,
  });
});

test('operating systems for a server: those that fit it, for its owner only', async () => {
  const who = await site.customer(10_000n);
  const { server_uuid: uuid } = await site.order(who);
  const { os } = await data('server/os', { uuid }, { token: who.secret });
  assert.deepEqual(
    os.map((system: { name: string }) => system.name),
    ['debian-13'],
  );
  await refused('token_missing', 'server/os', { uuid });
});

test('net prices are without the tax at home: in cents what is charged, to four decimals what is multiplied', async () => {
  const prices = await data('server/prices', { display: 'net' });
  assert.deepEqual([prices.tax_included, prices.tax_rate], [false, 19]);
  assert.deepEqual(prices.tax, { kind: 'standard', rate: 19, included: false, home_rate: 19 });
  assert.deepEqual(prices.packages[0].pricings, { year: 36.88, month: 3.35, hour: 0.0056 });
  assert.deepEqual(prices.units[0].cores, { year: 9.2437, month: 0.8403, hour: 0.0013 });
});
