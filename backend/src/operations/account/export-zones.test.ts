import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { openZones } from '../../../test/zones.ts';
import { readZoneFile } from '../../base/dns/zone-file.ts';
import build from '../../business/exports/build.job.ts';
import { exportFile } from '../../business/exports/download.ts';

const zones = await openZones();
const { pool, clock, requests } = zones;
const create = (name: string) => ({ action: 'create', name, type: 'A', content: '192.0.2.1' });

/** The files of a new archive of an account, by their names within its folder. */
async function archived({ accountId, secret }: { accountId: string; secret: string }) {
  assert.equal((await requests.call('account/export', {}, { token: secret })).status, 202);
  const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM exports WHERE account_id = $1', [
    accountId,
  ]);
  const id = rows[0]?.id ?? '';
  await zones.run(build, { export_id: id });
  const file = await exportFile(pool, { id, accountId }, clock.now());
  assert.ok(file !== null);
  const files = new Map<string, string>();
  const entries = extract();
  Readable.from(file.content).pipe(createGunzip()).pipe(entries);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name.replace(/^[^/]*\//, ''), Buffer.concat(chunks).toString());
  }
  return files;
}

test('an archive has every zone as a file that reads back as it was, with its history, and nobody else’s', async () => {
  const who = await zones.customer(100_000n);
  const other = await zones.customer(100_000n);
  await zones.zone(who, 'exported.com', { dns: { records: [{ name: '@', type: 'TXT', content: 'hello' }] } });
  await zones.zone(who, 'empty.com');
  await zones.zone(other, 'not-his.com');
  await zones.update(who, 'exported.com', { changes: [create('www')], comment: 'by hand' });
  await zones.work();
  const files = await archived(who);
  assert.deepEqual(
    [...files.keys()].filter((name) => name.startsWith('zones/')),
    ['zones/empty.com.zone', 'zones/exported.com.zone'],
  );
  const text = files.get('zones/exported.com.zone') ?? '';
  const { records, problems } = readZoneFile(text, 'exported.com');
  assert.deepEqual(problems, []);
  assert.deepEqual(
    records.map(({ name, type, content }) => `${name} ${type} ${content}`),
    ['@ TXT "hello"', 'www A 192.0.2.1'],
  );
  const lines = (name: string) =>
    (files.get(name) ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines('zone_revisions.jsonl').map(({ zone, version, comment }) => [zone, version, comment]),
    [
      ['empty.com', 1, null],
      ['exported.com', 1, null],
      ['exported.com', 2, 'by hand'],
    ],
  );
  const domains = lines('services.jsonl').map(({ name, domain }) => [name, domain.dns_hosted]);
  assert.deepEqual(domains, [
    ['exported.com', true],
    ['empty.com', true],
  ]);
  assert.ok(lines('contacts.jsonl').length > 0);
  const sum = createHash('sha256').update(text).digest('hex');
  assert.ok(files.get('MANIFEST')?.includes(`${sum}  zones/exported.com.zone`));
});
