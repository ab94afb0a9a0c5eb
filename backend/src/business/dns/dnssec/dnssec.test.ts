import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openZones } from '../../../../test/zones.ts';
import { type DnssecFacts, type DnssecState, isDelegatedSigned, isToBeSigned, nextStep } from './dnssec.ts';

const zones = await openZones();
const { clock, ports } = zones;
const customer = await zones.customer(100_000n);
const registered = async (domain: string) =>
  await ports.registry.info({ domain, tld: 'com', registry: 'sandbox' });

test('on: signed, served so everywhere, then the DS is at the registry', async () => {
  await zones.zone(customer, 'signed.com');
  const changed = await zones.update(customer, 'signed.com', { dnssec: true });
  assert.equal(changed.zone.dnssec.state, 'signing');
  await zones.publish('signed.com');
  assert.equal((await zones.row('signed.com')).dnssec, 'delegating');
  assert.deepEqual((await registered('signed.com'))?.ds, [], 'not before name servers serve it');
  await zones.work();
  const { dnssec, ds, signed } = await zones.row('signed.com');
  assert.deepEqual([dnssec, signed], ['on', true]);
  assert.deepEqual((await registered('signed.com'))?.ds, ds);
  assert.equal(ds.length, 1);
  await zones.live();
  assert.deepEqual((await registered('signed.com'))?.ds, ds, 'and stays there');
});

test('off: the DS goes first, and the signatures once nobody remembers it', async () => {
  await zones.zone(customer, 'unsigned.com', { dnssec: true });
  await zones.work();
  assert.equal((await zones.row('unsigned.com')).dnssec, 'on');
  await zones.update(customer, 'unsigned.com', { dnssec: false });
  await zones.work();
  assert.deepEqual((await registered('unsigned.com'))?.ds, []);
  assert.equal((await zones.row('unsigned.com')).dnssec, 'waiting');
  assert.equal((await ports.dns.zone('unsigned.com', 1_000))?.dnssec, true);
  clock.set(clock.now().add({ hours: 23 }));
  await zones.tick();
  assert.equal((await ports.dns.zone('unsigned.com', 1_000))?.dnssec, true);
  clock.set(clock.now().add({ hours: 1 }));
  await zones.tick();
  assert.equal((await ports.dns.zone('unsigned.com', 1_000))?.dnssec, false);
  assert.equal((await zones.row('unsigned.com')).dnssec, 'off');
});

test('a domain that is ordered signed is registered with its DS at once', async () => {
  await zones.zone(customer, 'born-signed.com', { dnssec: true });
  assert.equal((await registered('born-signed.com'))?.ds.length, 1);
  assert.deepEqual(await zones.charges('born-signed.com'), ['create']);
});

test('a registry that takes no DS leaves the zone as it was before, unsigned', async () => {
  await zones.zone(customer, 'refused-ds.com');
  await zones.fault('update', 'refuse');
  await zones.update(customer, 'refused-ds.com', { dnssec: true });
  await zones.work();
  const row = await zones.row('refused-ds.com');
  assert.deepEqual([row.dnssec, row.dnssec_wanted], ['waiting', false]);
});

const now = Temporal.Instant.from('2027-01-15T12:00:00Z');
const states: readonly DnssecState[] = [
  'off',
  'signing',
  'delegating',
  'on',
  'withdrawing',
  'waiting',
  'unsigning',
];
const facts: fc.Arbitrary<DnssecFacts> = fc.record({
  state: fc.constantFrom(...states),
  wanted: fc.boolean(),
  signed: fc.boolean(),
  visible: fc.boolean(),
  dueAt: fc.constantFrom(null, now.subtract({ seconds: 1 }), now, now.add({ seconds: 1 })),
  registry: fc.constantFrom(null, { remembered: { hours: 24 } }, 'refused' as const),
  now: fc.constant(now),
});

test('no step takes signatures away while somebody may hold a DS, nor tells of a DS that is not served', () => {
  fc.assert(
    fc.property(facts, (known) => {
      const { state, dueAt } = nextStep(known);
      const isOver =
        known.state === 'waiting' &&
        (known.dueAt === null || Temporal.Instant.compare(known.dueAt, now) <= 0);
      if (isDelegatedSigned(known.state) && !isOver)
        assert.ok(isToBeSigned(state), `${known.state} → ${state}`);
      if (state === 'delegating' && !isDelegatedSigned(known.state)) assert.ok(known.signed && known.visible);
      if (state === 'waiting' && known.state !== 'waiting')
        assert.ok(dueAt !== null && Temporal.Instant.compare(dueAt, now.add({ hours: 24 })) >= 0);
    }),
    { numRuns: 2_000 },
  );
});

test('from every state, steps that succeed end where the customer wants to be', () => {
  for (const wanted of [true, false]) {
    for (const first of states) {
      let step = { state: first, dueAt: null as Temporal.Instant | null };
      for (let count = 0; count < 8; count += 1) {
        const signed = isToBeSigned(step.state);
        const later = now.add({ hours: 72 * count });
        const given = {
          ...step,
          wanted,
          signed,
          visible: true,
          registry: { remembered: { hours: 24 } },
          now: later,
        };
        step = nextStep(given.state === 'waiting' && given.dueAt === null ? { ...given, dueAt: now } : given);
      }
      assert.equal(step.state, wanted ? 'on' : 'off', `from ${first}`);
    }
  }
});
