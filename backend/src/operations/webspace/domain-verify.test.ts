// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../../test/harness.ts';

const harness = await openHarness();
const { call, data } = harness;
const [, plus] = harness.catalog.webspace_packages.filter(({ sold }) => sold);
const unlimited = harness.catalog.webspace_packages.find(
  ({ sold, limits }) => sold && limits.domains === null && limits.subdomains === null,
);

async function webspace(pack = plus) {
  const as = await harness.customer();
  const input = { pack_uuid: pack?.uuid, duration: 1, tos: true, cancellation: true };
  const made = await data('webspace/order', { as, input, headers: { prefer: 'wait=20' } });
  return { as, uuid: made.webspace_uuid as string };
}
const publish = (name: string, value: string) =>
  harness.pool.pg.query("INSERT INTO sandbox.names (name, type, value) VALUES ($1, 'TXT', $2)", [
    name,
    value,
  ]);

test('a name is served by whoever proves it, and a rival who claimed it first keeps nothing (rule H1)', async () => {
  const [first, second] = [await webspace(), await webspace()];
  const domain = 'shop.example.org';
  await data('webspace/domain-add', { as: first.as, input: { uuid: first.uuid, domain } });
  const claim = await data('webspace/domain-add', { as: second.as, input: { uuid: second.uuid, domain } });
  const { name, value } = claim.domain.challenge;
  assert.equal(name, '_hostkeep-challenge.shop.example.org');
  await publish(name, value);
  const input = { uuid: second.uuid, domain };
  const headers = { prefer: 'wait=20' };
  const proven = await data('webspace/domain-verify', { as: second.as, input, headers });
  assert.equal(proven.domain.proof, 'txt');
  assert.equal(proven.task.state, 'succeeded');
  const refused = await call('webspace/domain-verify', { as: first.as, input: { uuid: first.uuid, domain } });
  assert.equal(refused.body.error, 'hostname_not_proven');
  const details = await data('webspace/details', { as: second.as, input: { uuid: second.uuid } });
  assert.equal(details.domain, domain);
  const { rows } = await harness.pool.pg.query(
    'SELECT webspace_id FROM sandbox.sites WHERE $1 = ANY(hostnames)',
    [domain],
  );
  assert.deepEqual(rows, [{ webspace_id: second.uuid }]);
});

test('a name below one that another customer has proven is refused (rule H1)', async () => {
  const [owner, other] = [await webspace(), await webspace()];
  const claim = await data('webspace/domain-add', {
    as: owner.as,
    input: { uuid: owner.uuid, domain: 'example.net' },
  });
  await publish(claim.domain.challenge.name, claim.domain.challenge.value);
  await data('webspace/domain-verify', { as: owner.as, input: { uuid: owner.uuid, domain: 'example.net' } });
  for (const domain of ['example.net', 'EXAMPLE.net.', 'www.example.net', 'a.b.example.net']) {
    const refused = await call('webspace/domain-add', { as: other.as, input: { uuid: other.uuid, domain } });
    assert.equal(refused.body.error, 'hostname_taken', domain);
  }
  const own = await call('webspace/domain-add', {
    as: owner.as,
    input: { uuid: owner.uuid, domain: 'www.example.net' },
  });
  assert.equal(own.status, 200, own.text);
});

test('a domain in the account needs no record', async () => {
  const { as, uuid } = await webspace();
  await harness.pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, term_gross, created_at)
     VALUES (gen_random_uuid(), $1, 'domain', 'info', 'mine.info', 'active', false, 1, 'year', 1, '2028-01-01', 0, '2027-01-01')`,
    [as.accountId],
  );
  const added = await data('webspace/domain-add', { as, input: { uuid, domain: 'www.mine.info' } });
  assert.equal(added.domain.proof, 'account');
  assert.equal(added.domain.challenge, null);
  const other = await webspace();
  const refused = await call('webspace/domain-add', {
    as: other.as,
    input: { uuid: other.uuid, domain: 'x.mine.info' },
  });
  assert.equal(refused.body.error, 'hostname_taken');
});

const own = (accountId: string, name: string) =>
  harness.pool.pg.query(
    `INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit, anchor_day,
       expire_at, term_gross, created_at)
     VALUES (gen_random_uuid(), $1, 'domain', 'info', $2, 'active', false, 1, 'year', 1, '2028-01-01', 0, '2027-01-01')`,
    [accountId, name],
  );
const end = (name: string) =>
  harness.pool.pg.query(
    "UPDATE services SET state = 'deleted', ended_at = '2027-02-01' WHERE product = 'domain' AND name = $1",
    [name],
  );
const servers = async (domain: string) =>
  (
    await harness.pool.pg.query<{ webspace_id: string }>(
      'SELECT webspace_id FROM sandbox.sites WHERE $1 = ANY(hostnames)',
      [domain],
    )
  ).rows.map(({ webspace_id }) => webspace_id);

test('whoever has a domain now, or proves it, displaces its former customer; nobody else does (rule H1)', async () => {
  const [former, next] = [await webspace(), await webspace()];
  const headers = { prefer: 'wait=20' };
  for (const [domain, gets] of [
    ['moved.info', true],
    ['dropped.info', false],
  ] as const) {
    await own(former.as.accountId, domain);
    const input = { uuid: former.uuid, domain };
    await data('webspace/domain-add', { as: former.as, input, headers });
    const wanted = { as: next.as, input: { uuid: next.uuid, domain }, headers };
    const refused = await call('webspace/domain-add', wanted);
    assert.equal(refused.body.error, 'hostname_taken');
    await end(domain);
    if (gets) await own(next.as.accountId, domain);
    const added = await data('webspace/domain-add', wanted);
    if (!gets) {
      assert.equal(added.domain.proof, null);
      assert.deepEqual(await servers(domain), [former.uuid], 'a claim alone displaces nobody');
      await publish(added.domain.challenge.name, added.domain.challenge.value);
      await data('webspace/domain-verify', wanted);
    }
    const { rows } = await harness.pool.pg.query(
      'SELECT webspace_id FROM webspace_domains WHERE hostname = $1 AND proven_at IS NOT NULL',
      [domain],
    );
    assert.deepEqual(rows, [{ webspace_id: next.uuid }]);
  }
});

test('a removed name is free for others', async () => {
  const [first, second] = [await webspace(), await webspace()];
  for (const { as, uuid } of [first, second]) {
    const domain = 'moving.example.org';
    const claim = await data('webspace/domain-add', { as, input: { uuid, domain } });
    await publish(claim.domain.challenge.name, claim.domain.challenge.value);
    const verified = await call('webspace/domain-verify', { as, input: { uuid, domain } });
    assert.equal(verified.status, 202, verified.text);
    await data('webspace/domain-remove', { as, input: { uuid, domain } });
  }
});

test('a webspace has so many names at most, whatever its package allows: each is work for its host', async () => {
  assert.ok(unlimited !== undefined);
  const { as, uuid } = await webspace(unlimited);
  const add = (domain: string) => call('webspace/domain-add', { as, input: { uuid, domain } });
  await harness.pool.pg.query(
    `INSERT INTO webspace_domains (id, webspace_id, hostname, document_root, challenge, created_at)
     SELECT gen_random_uuid(), $1, 'n' || n || '.many.example', 'htdocs', 'x', $2 FROM generate_series(1, 498) n`,
    [uuid, '2027-01-01T00:00:00Z'],
  );
  assert.equal((await add('last.many.example')).status, 200);
  const { body } = await add('more.many.example');
  assert.deepEqual([body.error, body.limit, body.limited], ['limit_reached', 500, 'domains']);
});

test('a webspace has so many databases at most, whatever its package allows: each holds connections of its host', async () => {
  assert.ok(unlimited !== undefined);
  const { as, uuid } = await webspace(unlimited);
  const create = (name: string) => call('webspace/database-create', { as, input: { uuid, name } });
  await harness.pool.pg.query(
    `INSERT INTO webspace_databases (id, webspace_id, name, created_at)
     SELECT gen_random_uuid(), $1, 'n_' || n, $2 FROM generate_series(1, 99) n`,
    [uuid, '2027-01-01T00:00:00Z'],
  );
  assert.equal((await create('last')).status, 202);
  const { body } = await create('more');
  assert.deepEqual([body.error, body.limit, body.limited], ['limit_reached', 100, 'databases']);
});
