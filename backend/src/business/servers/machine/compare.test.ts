import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, mostDifferences, type RecordedServer } from './compare.ts';

const machine = {
  serverId: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
  host: 'fra',
  node: 'fra-01',
  generation: 1,
  cores: 1,
  memory: 2048,
  disk: 40,
  power: 'running',
  poweredOff: false,
} as const;
const server: RecordedServer = {
  id: machine.serverId,
  host: 'fra',
  node: 'fra-01',
  generation: 1,
  cores: 1,
  memory: 2048,
  disk: 40,
  wanted_power: 'running',
  power_state: 'running',
  state: 'active',
  gone: false,
  busy: false,
};
const delivered = new Set([server.id]);
const kinds = (...args: Parameters<typeof compare>) => compare(...args).map(({ kind }) => kind);
const listed = (machines: readonly (typeof machine | Record<string, unknown>)[]) => ({
  machines: machines as (typeof machine)[],
  unreachableNodes: [],
});

test('a server that was delivered only while the machines were listed is not missing', () => {
  assert.deepEqual(kinds('fra', [server], delivered, listed([])), ['machine_missing']);
  assert.deepEqual(kinds('fra', [server], new Set(), listed([])), []);
});

test('a server of another host is not missing here, and a machine of it is elsewhere', () => {
  const moved = { ...server, host: 'hel', node: 'hel-01' };
  assert.deepEqual(kinds('fra', [moved], delivered, listed([])), []);
  assert.deepEqual(kinds('fra', [moved], delivered, listed([machine])), ['machine_elsewhere']);
});

test('nothing is said of what is being made, worked on or removed', () => {
  for (const change of [{ state: 'pending' }, { state: 'provisioning' }, { busy: true }] as const) {
    assert.deepEqual(kinds('fra', [{ ...server, ...change }], delivered, listed([])), []);
    assert.deepEqual(
      kinds('fra', [{ ...server, ...change }], delivered, listed([{ ...machine, disk: 1 }])),
      [],
    );
  }
  assert.deepEqual(kinds('fra', [{ ...server, gone: true, busy: true }], delivered, listed([machine])), []);
  assert.deepEqual(kinds('fra', [{ ...server, gone: true }], delivered, listed([machine])), [
    'machine_unknown',
  ]);
});

test('only a machine that should run, may run and is otherwise as booked can be started', () => {
  const stopped = { ...machine, power: 'stopped' };
  const repairable = (change: Partial<RecordedServer>, found: object = stopped) =>
    compare('fra', [{ ...server, ...change }], delivered, listed([found as typeof machine])).some(
      (difference) => difference.repairable,
    );
  assert.equal(repairable({}), true);
  assert.equal(repairable({ state: 'cancel_scheduled' }), true);
  assert.equal(repairable({}, { ...machine, power: 'paused' }), true);
  assert.equal(repairable({ state: 'suspended' }), false);
  assert.equal(repairable({ state: 'expired' }), false);
  assert.equal(repairable({ state: 'cancelled' }), false);
  assert.equal(repairable({ wanted_power: 'stopped' }, machine), false);
  assert.equal(repairable({ node: 'fra-02' }), false);
  assert.equal(repairable({}, { ...machine, power: 'unknown' }), false);
});

test('a machine is stopped while its server is off, whatever its customer wanted before', () => {
  for (const state of ['suspended', 'expired', 'cancelled'] as const) {
    const off = { ...server, state };
    assert.deepEqual(kinds('fra', [off], delivered, listed([{ ...machine, power: 'stopped' }])), []);
    assert.deepEqual(kinds('fra', [off], delivered, listed([machine])), ['power_differs']);
    assert.deepEqual(kinds('fra', [off], delivered, listed([])), ['machine_missing']);
  }
});

test('at most one in a hundred servers and at most ten differences are few; one always is', () => {
  for (const [servers, most] of [
    [0, 1],
    [1, 1],
    [199, 1],
    [200, 2],
    [999, 9],
    [1_000, 10],
    [100_000, 10],
  ] as const) {
    assert.equal(mostDifferences(servers), most, `${servers} servers`);
  }
});
