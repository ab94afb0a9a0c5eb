import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { Resolver } from '../../../drivers/resolver/port.ts';
import aliases from './aliases.job.ts';

const zones = await openZones();
const { ports, clock } = zones;
const customer = await zones.customer(100_000n);

/** What public resolvers say of a name; null: they do not answer. */
const world = new Map<string, readonly string[] | null>();
const resolver: Resolver = {
  async addresses(name) {
    const found = world.get(name) ?? null;
    if (found === null) throw new BackendUnavailable('resolver');
    return found;
  },
  pointers: async () => [],
  texts: async () => [],
  nameservers: async () => [],
};
const with_ = { ports: { ...ports, resolver } };
const alias = { action: 'create', name: '@', type: 'ALIAS', content: 'lb.example.net' };

async function pass(minutes: number, domain: string): Promise<readonly string[] | null> {
  clock.set(clock.now().add({ minutes }));
  await zones.run(aliases, {}, with_);
  await zones.publish(domain, with_);
  return await zones.served(domain);
}

test('an ALIAS is published as the addresses of its target, follows it, and keeps them while nobody answers', async () => {
  await zones.zone(customer, 'follows.com');
  world.set('lb.example.net', ['2606:4700::1', '93.184.215.14', '10.0.0.1', '127.0.0.1']);
  await zones.update(customer, 'follows.com', { changes: [alias] });
  await zones.publish('follows.com', with_);
  const first = ['follows.com A 93.184.215.14', 'follows.com AAAA 2606:4700::1'];
  assert.deepEqual(await zones.served('follows.com'), first, 'and nobody’s inner networks');
  world.set('lb.example.net', null);
  assert.deepEqual(await pass(6, 'follows.com'), first);
  world.set('lb.example.net', ['93.184.215.15']);
  assert.deepEqual(await pass(1, 'follows.com'), first, 'not before its time');
  assert.deepEqual(await pass(5, 'follows.com'), ['follows.com A 93.184.215.15']);
});

test('an ALIAS gives way to addresses, and they to an ALIAS, without a gap', async () => {
  await zones.zone(customer, 'gives-way.com');
  world.set('lb.example.net', ['93.184.215.14']);
  const { diff } = await zones.update(customer, 'gives-way.com', { changes: [alias] });
  await zones.publish('gives-way.com', with_);
  const [there] = diff.added;
  const a = { action: 'create', name: '@', type: 'A', content: '198.51.100.1' };
  const changed = await zones.update(customer, 'gives-way.com', {
    changes: [{ action: 'delete', id: there.id }, a],
  });
  await zones.publish('gives-way.com', with_);
  assert.deepEqual(await zones.served('gives-way.com'), ['gives-way.com A 198.51.100.1']);
  const own = changed.diff.added[0].id;
  await zones.update(customer, 'gives-way.com', { changes: [{ action: 'delete', id: own }, alias] });
  await zones.publish('gives-way.com', with_);
  assert.deepEqual(await zones.served('gives-way.com'), ['gives-way.com A 93.184.215.14']);
});

test('a zone has fifty ALIAS records and no more, however they come; one that goes makes room', async () => {
  await zones.zone(customer, 'many-aliases.com');
  const named = (at: number) => ({ ...alias, name: `a${at}` });
  const changes = Array.from({ length: 50 }, (_, at) => named(at));
  const refused = async (input: object) => {
    const sent = { domain: 'many-aliases.com', ...input };
    const token = { token: customer.secret };
    const { errors } = await zones.requests.refused('dns_record_invalid', 'domain/dns-update', sent, token);
    assert.deepEqual([errors[0].error, errors[0].limit], ['too_long', 50]);
  };
  const records = [...changes, named(50)].map(({ action: _, ...record }) => record);
  await refused({ records, mode: 'replace' });
  const { diff } = await zones.update(customer, 'many-aliases.com', { changes });
  await refused({ changes: [named(50)] });
  const gone = { action: 'delete', id: diff.added[0].id };
  await zones.update(customer, 'many-aliases.com', { changes: [gone, named(50)] });
  await refused({ changes: [named(51)] });
});
