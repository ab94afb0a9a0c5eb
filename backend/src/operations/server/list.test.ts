import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';

const site = await openServers();
const { data, refused, call } = openRequests(site);
const who = await site.customer(100_000n);
const token = who.secret;
const size = { pack_uuid: undefined, cores: 1, memory: 1024, disk: 20 };

const first = await site.order(who, { hostname: 'first.example.com', custom_name: 'The first' });
site.clock.set(site.clock.now().add({ minutes: 1 }));
const second = await site.order(who, { ...size, host: 'hel-ryzen', hostname: 'second.example.com' });
await site.work();
site.clock.set(site.clock.now().add({ minutes: 1 }));
const third = await site.order(who, { hostname: 'third.example.com' });
await site.order(await site.customer(10_000n), { hostname: 'foreign.example.com' });

const hostnames = async (input: object) =>
  (await data('server/list', input, { token })).servers.map(
    (server: { hostname: string }) => server.hostname,
  );

test('an entry has every field of the payload document', async () => {
  const { servers, pagination } = await data('server/list', { search: 'first' }, { token });
  const [{ id, ...server }] = servers;
  assert.ok(Number.isInteger(id));
  assert.deepEqual(server, {
    uuid: first.server_uuid,
    hostname: 'first.example.com',
    custom_name: 'The first',
    state: 'active',
    state_text: 'Active',
    power_state: 'running',
    ipv4: first.config.ipv4.ip_address,
    ipv6: first.config.ipv6.ip_address,
    os: { name: 'debian-13', displayname: 'Debian 13' },
    cores: 1,
    memory: 2048,
    disk: 40,
    datacenter: { name: 'fra1', country: 'DE', city: 'Frankfurt' },
    node: 'fra-epyc-01',
    // The term begins with the delivery, a minute after the order.
    expire_at: '2027-02-15 12:01:00',
    auto_renew: false,
    pricings: { year: 43.89, month: 3.99, hour: 0.0067 },
    currency: 'EUR',
    created_at: '2027-01-15 12:00:00',
  });
  assert.deepEqual(pagination, { page: 1, per_page: 25, total: 1, total_pages: 1 });
});

test('the newest come first, and only one’s own', async () => {
  assert.deepEqual(await hostnames({}), ['third.example.com', 'second.example.com', 'first.example.com']);
  assert.deepEqual(await hostnames({ order: 'asc', per_page: 1 }), ['first.example.com']);
  assert.deepEqual(await hostnames({ order: 'asc', per_page: 1, page: 3 }), ['third.example.com']);
});

test('filters narrow it: state, power, host, and a search in names and addresses', async () => {
  assert.deepEqual(await hostnames({ state: 'pending' }), ['third.example.com']);
  assert.deepEqual(await hostnames({ power_state: 'unknown' }), ['third.example.com']);
  assert.deepEqual(await hostnames({ host: 'hel-ryzen' }), ['second.example.com']);
  assert.deepEqual(await hostnames({ search: 'THE FIRST' }), ['first.example.com']);
  assert.deepEqual(await hostnames({ search: second.config.ipv4.ip_address }), ['second.example.com']);
  assert.deepEqual(await hostnames({ search: '%' }), []);
});

test('a server of one’s own configuration shows the price of its units', async () => {
  const { servers } = await data('server/list', { host: 'hel-ryzen' }, { token });
  assert.deepEqual(servers[0].pricings, second.pricings);
});

test('a page too deep is refused with how deep it may be', async () => {
  await refused('validation_failed', 'server/list', { page: 1000, per_page: 25 }, { token });
});

test('task/list and task/details show what is under way and what came of it', async () => {
  const { tasks, pagination } = await data('task/list', {}, { token });
  assert.equal(pagination.total, 3);
  assert.deepEqual(
    tasks.map((task: { state: string }) => task.state),
    ['queued', 'succeeded', 'succeeded'],
  );
  const { task } = await data('task/details', { uuid: first.task.uuid }, { token });
  assert.deepEqual(task, {
    uuid: first.task.uuid,
    type: 'server.provision',
    state: 'succeeded',
    progress: 100,
    step: null,
    resource: { type: 'server', uuid: first.server_uuid },
    error: null,
    created_at: '2027-01-15 12:00:00',
    started_at: '2027-01-15 12:01:00',
    finished_at: '2027-01-15 12:01:00',
  });
  assert.deepEqual(
    (await data('task/list', { resource_uuid: third.server_uuid, state: 'queued' }, { token })).tasks,
    [tasks[0]],
  );
  assert.deepEqual((await data('task/list', { state: 'failed' }, { token })).tasks, []);
});

test('the order answers 202 with its task, and over HTTP what the operation says', async () => {
  const answer = await call(
    'server/order',
    {
      ...size,
      host: 'fra-epyc',
      os: 'debian-13',
      hostname: 'a.example.com',
      duration: 1,
      tos: true,
      cancellation: true,
    },
    { token },
  );
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.body.code, 202);
  assert.equal(answer.body.data.state, 'PENDING');
});
