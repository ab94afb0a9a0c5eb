// Slow: 6 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordInput } from '../../../test/records.ts';
import { openZones } from '../../../test/zones.ts';
import { recordsAtRevision } from '../../business/dns/history/revision.ts';
import type { Executor } from '../../db/pool.ts';

const zones = await openZones();
const customer = await zones.customer(100_000n);
const token = { token: customer.secret };

test('every earlier zone can be looked at and brought back by one call, which can be undone in turn', async () => {
  await zones.zone(customer, 'history.com');
  const create = (name: string) => ({ action: 'create', name, type: 'A', content: '192.0.2.1' });
  const first = await zones.update(customer, 'history.com', {
    changes: [create('a'), create('b')],
    comment: 'first',
  });
  const [a, b] = first.diff.added;
  const second = await zones.update(customer, 'history.com', {
    changes: [
      { action: 'delete', id: a.id },
      { action: 'update', id: b.id, content: '192.0.2.2' },
      create('c'),
    ],
  });
  assert.equal(second.previous_revision_uuid, first.revision_uuid);
  assert.deepEqual(await zones.records(customer, 'history.com', { revision_uuid: first.revision_uuid }), [
    'a A 192.0.2.1',
    'b A 192.0.2.1',
  ]);
  const rolled = await zones.requests.call(
    'domain/dns-rollback',
    { domain: 'history.com', revision_uuid: first.revision_uuid, comment: 'back' },
    token,
  );
  assert.equal(rolled.status, 202, rolled.text);
  assert.deepEqual(await zones.records(customer, 'history.com'), ['a A 192.0.2.1', 'b A 192.0.2.1']);
  await zones.requests.call(
    'domain/dns-rollback',
    { domain: 'history.com', revision_uuid: second.revision_uuid },
    token,
  );
  assert.deepEqual(await zones.records(customer, 'history.com'), ['b A 192.0.2.2', 'c A 192.0.2.1']);
  await zones.work();
  assert.deepEqual(await zones.served('history.com'), [
    'b.history.com A 192.0.2.2',
    'c.history.com A 192.0.2.1',
  ]);
  const history = await zones.requests.data('domain/dns-history', { domain: 'history.com' }, token);
  assert.deepEqual(
    history.revisions.map(({ version, comment }: { version: number; comment: string }) => [version, comment]),
    [
      [5, null],
      [4, 'back'],
      [3, null],
      [2, 'first'],
      [1, null],
    ],
  );
  assert.equal(history.pagination.total, 5);
  assert.equal(history.revisions[3].user_uuid, customer.userId);
  const one = { domain: 'history.com', revision_uuid: first.revision_uuid };
  const alone = await zones.requests.data('domain/dns-history', one, token);
  assert.equal(alone.revisions[0].diff.added.length, 2);
});

test('whatever is done to a zone, each revision stays what it was, and name servers end up with the books', async () => {
  await zones.zone(customer, 'any.com');
  const seen = new Map<string, string[]>();
  const ids: string[] = [];
  const change = fc.oneof(
    recordInput.map((record) => ({ action: 'create', ...record })),
    fc.record({ action: fc.constant('delete'), pick: fc.nat() }),
    fc.record({ action: fc.constant('disable'), pick: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (drawn) => {
      const changes = drawn.flatMap((one): object[] => {
        if (!('pick' in one)) return [one];
        const id = ids[one.pick % Math.max(ids.length, 1)];
        if (id === undefined) return [];
        return [
          one.action === 'delete' ? { action: 'delete', id } : { action: 'update', id, disabled: true },
        ];
      });
      if (changes.length === 0) return;
      const answer = await zones.requests.call('domain/dns-update', { domain: 'any.com', changes }, token);
      if (answer.status >= 400) {
        assert.equal(answer.body.error, 'dns_record_invalid', answer.text);
        return;
      }
      const { diff, revision_uuid: revision } = answer.body.data;
      for (const { id } of diff.added) ids.push(id);
      for (const { id } of diff.removed) ids.splice(ids.indexOf(id), 1);
      if (revision !== null) seen.set(revision, await zones.records(customer, 'any.com'));
    }),
    { numRuns: 60 },
  );
  assert.ok(seen.size > 10, `${seen.size} revisions`);
  for (const [revision_uuid, before] of seen)
    assert.deepEqual(
      (await zones.records(customer, 'any.com', { revision_uuid })).toSorted(),
      before.toSorted(),
    );
  await zones.work();
  const published = await zones.served('any.com');
  await zones.pool.pg.query(
    "UPDATE zones SET whole_version = version + 1, version = version + 1 WHERE name = 'any.com'",
  );
  await zones.publish('any.com');
  assert.deepEqual(await zones.served('any.com'), published, 'set by set it is what it is as a whole');
});

test('to see an early revision nobody reads all that came since', async () => {
  await zones.zone(customer, 'often-replaced.com');
  const replaced = async (time: number) =>
    await zones.update(customer, 'often-replaced.com', {
      mode: 'replace',
      records: Array.from({ length: 20 }, (_, at) => ({
        name: `n${at}-${time}`,
        type: 'A',
        content: `192.0.2.${time}`,
      })),
    });
  const { revision_uuid } = await replaced(0);
  for (let time = 1; time <= 10; time += 1) await replaced(time);
  const { rows } = await zones.pool.pg.query<{ id: string; version: number }>(
    'SELECT zone_id AS id, version FROM zone_revisions WHERE id = $1',
    [revision_uuid],
  );
  const [then] = rows;
  assert.ok(then);
  let read = 0;
  const counting: Executor = {
    kysely: zones.pool.kysely,
    run: async (statement, values) => {
      const found = await zones.pool.run(statement, values);
      read += JSON.stringify(found).length;
      return found;
    },
  };
  const records = await recordsAtRevision(counting, { id: then.id }, { version: then.version });
  assert.deepEqual(
    records.map(({ name }) => name).sort(),
    Array.from({ length: 20 }, (_, at) => `n${at}-0`).sort(),
  );
  const whole = JSON.stringify(records).length;
  assert.ok(read < 4 * whole, `${read} characters were read for ${whole}`);
});
