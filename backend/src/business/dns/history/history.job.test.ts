// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import history from './history.job.ts';
import historySize from './history-size.job.ts';

const zones = await openZones((document) => {
  Object.assign(document, { zone_history: { revisions: 3, days: 30, megabytes: 1 } });
});
const customer = await zones.customer(100_000n);
const token = { token: customer.secret };

async function versions(domain: string): Promise<number[]> {
  await zones.run(history);
  const { revisions } = await zones.requests.data('domain/dns-history', { domain }, token);
  return revisions.map(({ version }: { version: number }) => version);
}

test('the last revisions are kept, and all young ones; what is kept can be brought back as before', async () => {
  await zones.zone(customer, 'forgetful.com');
  const change = async (count: number) => {
    const record = { action: 'create', name: `h${count}`, type: 'A', content: '192.0.2.1' };
    return await zones.update(customer, 'forgetful.com', { changes: [record] });
  };
  for (let count = 2; count <= 5; count += 1) await change(count);
  assert.deepEqual(await versions('forgetful.com'), [5, 4, 3, 2, 1]);
  zones.clock.set(zones.clock.now().add({ hours: 30 * 24 + 1 }));
  assert.deepEqual(await versions('forgetful.com'), [5, 4, 3]);
  const { revision_uuid, previous_revision_uuid } = await change(6);
  assert.deepEqual(await versions('forgetful.com'), [6, 5, 4]);
  const rollback = { domain: 'forgetful.com', revision_uuid: previous_revision_uuid };
  const rolled = await zones.requests.call('domain/dns-rollback', rollback, token);
  assert.equal(rolled.status, 202, rolled.text);
  const h5 = ['h2', 'h3', 'h4', 'h5'].map((name) => `${name} A 192.0.2.1`);
  assert.deepEqual(await zones.records(customer, 'forgetful.com'), h5);
  const shown = await zones.records(customer, 'forgetful.com', { revision_uuid });
  assert.deepEqual(shown, [...h5, 'h6 A 192.0.2.1']);
});

/** What the zone says that its history takes, and what it does. */
async function octetsOf(domain: string): Promise<[number, number]> {
  const { rows } = await zones.pool.pg.query<{ said: number; kept: number }>(
    `SELECT z.history_octets::int AS said,
       (SELECT sum(octet_length(replace(replace(replace(r.diff::text, '": ', '":'), ', "', ',"'), '}, {', '},{')))::int FROM zone_revisions r
        WHERE r.zone_id = z.id) AS kept
     FROM zones z WHERE z.name = $1`,
    [domain],
  );
  return [rows[0]?.said ?? -1, rows[0]?.kept ?? -1];
}

test('a zone that is replaced all day keeps what its last changes were, up to the size that the catalogue allows', async () => {
  const domain = 'replaced-all-day.com';
  await zones.zone(customer, domain);
  const text = `"${'x'.repeat(250)}"`;
  const replaced = async (time: number) =>
    await zones.update(customer, domain, {
      mode: 'replace',
      records: Array.from({ length: 250 }, (_, at) => ({
        type: 'TXT',
        name: `t${at}-${time}`,
        content: text,
      })),
    });
  const answers = [];
  for (let time = 0; time < 8; time += 1) answers.push(await replaced(time));
  const kept = async () => {
    await zones.run(historySize);
    const query = { domain, per_page: 100 };
    const { revisions, pagination } = await zones.requests.data('domain/dns-history', query, token);
    assert.equal(pagination.total, revisions.length);
    return revisions.map(({ version }: { version: number }) => version);
  };
  // Nobody knows yet that they are published, so whoever watches that can still be told.
  assert.equal((await kept()).length, 8);
  await zones.work();
  const left = await kept();
  assert.ok(left.length < 8 && left.length > 2, left.join());
  assert.deepEqual(
    left,
    left.map((_: number, at: number) => 9 - at),
    'no gaps',
  );
  const [said, is] = await octetsOf(domain);
  assert.equal(said, is);
  assert.ok(is <= 1_048_576, `${is}`);

  const oldest = answers[left.at(-1) - 2];
  const shown = await zones.records(customer, domain, { revision_uuid: oldest.revision_uuid });
  assert.deepEqual(
    shown.toSorted(),
    oldest.diff.added.map(({ name }: { name: string }) => `${name} TXT ${text}`).toSorted(),
  );
  const forgotten = { domain, revision_uuid: answers[0].revision_uuid };
  await zones.requests.refused('not_found', 'domain/dns-rollback', forgotten, token);
  await zones.requests.refused('not_found', 'domain/dns-history', forgotten, token);

  // What is left is forgotten by its age with the books of it in order.
  zones.clock.set(zones.clock.now().add({ hours: 30 * 24 + 1 }));
  assert.deepEqual(await versions(domain), [9, 8, 7]);
  const [saidLater, isLater] = await octetsOf(domain);
  assert.equal(saidLater, isLater);
});

test('however large the last change of a zone was, it can be rolled back', async () => {
  const domain = 'large-change.com';
  await zones.zone(customer, domain);
  const records = (content: string) =>
    Array.from({ length: 2_500 }, (_, at) => ({ type: 'TXT', name: `t${at}`, content: `"${content}"` }));
  const first = await zones.update(customer, domain, { mode: 'replace', records: records('x'.repeat(250)) });
  await zones.update(customer, domain, { mode: 'replace', records: records('y'.repeat(250)) });
  await zones.work();
  await zones.run(historySize);
  assert.ok((await octetsOf(domain))[0] > 1_048_576);
  assert.deepEqual(await versions(domain), [3, 2]);
  const rollback = { domain, revision_uuid: first.revision_uuid };
  const rolled = await zones.requests.call('domain/dns-rollback', rollback, token);
  assert.equal(rolled.status, 202, rolled.text.slice(0, 500));
  assert.match((await zones.records(customer, domain))[0] ?? '', /"x+"$/);
});

test('a zone whose history another run has cut meanwhile loses no more, whoever watches its last change', async () => {
  const domain = 'cut-meanwhile.com';
  await zones.zone(customer, domain);
  for (const name of ['a', 'b', 'c', 'd']) {
    const record = { action: 'create', name, type: 'A', content: '192.0.2.1' };
    await zones.update(customer, domain, { changes: [record] });
    if (name === 'c') await zones.work();
  }
  await zones.pool.pg.query('UPDATE zones SET history_octets = 2000000 WHERE name = $1', [domain]);
  await zones.run(historySize);
  assert.deepEqual(await versions(domain), [5, 4, 3, 2, 1]);
  await zones.work();
});

test('of a zone that went nothing is left after that time', async () => {
  await zones.zone(customer, 'went.com');
  await zones.update(customer, 'went.com', {
    changes: [{ action: 'create', name: 'www', type: 'A', content: '192.0.2.1' }],
  });
  await zones.work();
  const { id } = await zones.row('went.com');
  const kept = async () => {
    await zones.run(history);
    const { rows } = await zones.pool.pg.query(
      `SELECT (SELECT count(*)::int FROM zone_records WHERE zone_id = $1) AS records,
         (SELECT count(*)::int FROM zone_revisions WHERE zone_id = $1) AS revisions`,
      [id],
    );
    return [rows[0]?.records, rows[0]?.revisions];
  };
  await zones.pool.pg.query('UPDATE zones SET remove_at = $2 WHERE id = $1', [
    id,
    zones.clock.now().toString(),
  ]);
  await zones.tick();
  assert.equal(await zones.served('went.com'), null);
  zones.clock.set(zones.clock.now().add({ hours: 29 * 24 }));
  assert.deepEqual(await kept(), [1, 2]);
  zones.clock.set(zones.clock.now().add({ hours: 2 * 24 }));
  assert.deepEqual(await kept(), [0, 0]);
});
