import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import { DOMAIN_AUTHCODE } from '../../domains/transfer/authcode.ts';

const zones = await openZones();
const { clock, pool, sealer } = zones;
const CODE = 'The-Right-Code';
const www = { action: 'create', name: 'www', type: 'A', content: '192.0.2.1' };

/** A domain with a record, free to be handed over with the code. */
async function offered(domain: string) {
  const owner = await zones.customer(100_000n);
  const id = await zones.zone(owner, domain, { transfer_lock: false });
  await zones.update(owner, domain, { changes: [www] });
  await zones.work();
  const sealed = sealer.seal(DOMAIN_AUTHCODE, CODE);
  await pool.pg.query(
    `UPDATE domains SET authcode_sealed = $2, authcode_expires_at = $3, transfer_lock_until = NULL WHERE id = $1`,
    [id, sealed, clock.now().add({ hours: 24 }).toString()],
  );
  return { owner, id };
}

async function handedOver(domain: string, input: object = {}) {
  const { owner, id } = await offered(domain);
  const next = await zones.customer(100_000n);
  await zones.order(next, { action: 'transfer', domain, authcode: CODE, ...input });
  const answer = { uuid: id, answer: 'approve' };
  await zones.requests.data('domain/transfer-answer', answer, { token: owner.secret });
  await zones.work();
  return { owner, next };
}

test('a domain that another customer takes over brings its zone and its history', async () => {
  const { owner, next } = await handedOver('moves.com');
  assert.deepEqual(await zones.records(next, 'moves.com'), ['www A 192.0.2.1']);
  const again = await zones.update(next, 'moves.com', { changes: [{ ...www, name: 'new' }] });
  assert.equal(again.zone.version, 3);
  assert.equal(again.zone.hosted, true);
  await zones.work();
  assert.equal((await zones.served('moves.com'))?.length, 2);
  const refused = { domain: 'moves.com', changes: [www] };
  await zones.requests.refused('zone_not_hosted', 'domain/dns-update', refused, { token: owner.secret });
});

test('a zone that a domain does not take along is served for a week more, and changed by nobody', async () => {
  const nameservers = [{ hostname: 'ns1.elsewhere.example' }, { hostname: 'ns2.elsewhere.example' }];
  const { owner } = await handedOver('leaves.com', { nameservers });
  const refused = { domain: 'leaves.com', changes: [{ ...www, name: 'new' }] };
  await zones.requests.refused('state_conflict', 'domain/dns-update', refused, { token: owner.secret });
  clock.set(clock.now().add({ hours: 7 * 24 - 1 }));
  await zones.tick();
  assert.notEqual(await zones.served('leaves.com'), null);
  clock.set(clock.now().add({ hours: 1 }));
  await zones.tick();
  assert.equal(await zones.served('leaves.com'), null);
});
