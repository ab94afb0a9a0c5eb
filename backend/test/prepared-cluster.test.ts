// Slow: 10 s

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startEmbeddedPostgres } from '../src/db/embedded.ts';
import { prepareCluster } from './prepared-cluster.ts';
import { migrationsHash, withClient } from './template.ts';

const directory = await mkdtemp(join(tmpdir(), 'prepared-'));
await chmod(directory, 0o711); // for the server's user, when this is root
after(() => rm(directory, { recursive: true, maxRetries: 20 }));
const place = join(directory, 'kept');

async function newDataDir(name: string): Promise<string> {
  const dataDir = join(directory, name);
  await mkdir(dataDir, { mode: 0o711 });
  return dataDir;
}

/** The templates in the server that starts there. */
async function templatesIn(dataDir: string): Promise<string[]> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  try {
    const { rows } = await withClient(server.url, (client) =>
      client.query<{ datname: string }>(`SELECT datname FROM pg_database WHERE datname LIKE 'template\\_%'`),
    );
    return rows.map(({ datname }) => datname);
  } finally {
    await server.stop();
  }
}

test('those who make it at the same time get one each, and one is kept, beside what a killed one left', async () => {
  const [left, old] = [join(place, 'a.1.making'), join(place, 'a.2.making')];
  for (const path of [left, old]) await mkdir(path, { recursive: true });
  await utimes(old, new Date(0), new Date(0));
  const dataDirs = await Promise.all([newDataDir('one'), newDataDir('two')]);
  await Promise.all(dataDirs.map((dataDir) => prepareCluster(dataDir, place)));

  for (const dataDir of dataDirs)
    assert.deepEqual(await templatesIn(dataDir), [`template_${migrationsHash()}`]);
  const names = await readdir(place);
  assert.deepEqual(
    names.filter((name) => name.endsWith('.making')),
    ['a.1.making'],
    'what may still be made is left alone',
  );
  assert.equal(names.length, 2);
});

test('the next takes the one that is kept', async () => {
  const [kept = ''] = (await readdir(place)).filter((name) => !name.endsWith('.making'));
  const { birthtimeMs, ino } = await stat(join(place, kept));
  const dataDir = await newDataDir('three');
  await prepareCluster(dataDir, place);
  assert.deepEqual(await templatesIn(dataDir), [`template_${migrationsHash()}`]);
  const after = await stat(join(place, kept));
  assert.deepEqual([after.birthtimeMs, after.ino], [birthtimeMs, ino]);
});

test('where nothing can be kept, the server makes its own', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');
  const dataDir = await newDataDir('four');
  await prepareCluster(dataDir, join(file, 'below'));
  assert.deepEqual(await templatesIn(dataDir), []);
});
