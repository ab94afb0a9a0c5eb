import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storageContract } from '../../../../test/contracts/storage.ts';
import { DiskStorage } from './storage.ts';

async function opened() {
  const directory = await mkdtemp(join(tmpdir(), 'storage-'));
  const close = () => rm(directory, { recursive: true, force: true });
  return { directory, driver: new DiskStorage(join(directory, 'files')), close };
}

storageContract('disk', opened);

const content = Buffer.from('hello');
const key = createHash('sha256').update(content).digest('hex');

test('files are closed to everybody else, and nothing is left beside them', async () => {
  const { directory, driver, close } = await opened();
  await driver.ensureStored(key, content);
  const folder = join(directory, 'files', key.slice(0, 2));
  assert.deepEqual(await readdir(folder), [key]);
  assert.equal((await stat(join(folder, key))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  await close();
});

test('what a crash left unfinished is written anew', async () => {
  const { directory, driver, close } = await opened();
  const folder = join(directory, 'files', key.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, key), 'he');
  await driver.ensureStored(key, content);
  const stored = await driver.read(key);
  assert.equal(Buffer.concat(await Array.fromAsync(stored ?? [])).toString(), 'hello');
  await close();
});

test('what nobody reads, or only in part, is not left open', async () => {
  const { driver, close } = await opened();
  const large = Buffer.alloc(1_000_000, 'x');
  const name = createHash('sha256').update(large).digest('hex');
  await driver.ensureStored(name, large);
  await driver.read(name);
  assert.deepEqual(await openFilesNamed(name), []);
  for await (const piece of (await driver.read(name)) ?? []) {
    assert.ok(piece.length < large.length);
    assert.equal((await openFilesNamed(name)).length, 1);
    break;
  }
  assert.deepEqual(await openFilesNamed(name), []);
  await close();
});

/** Files that this process has open now, as Linux lists them. */
async function openFilesNamed(name: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
  );
  return paths.filter((path) => path.includes(name));
}

test('a directory that cannot be used is a problem with a reason', async () => {
  const { directory, close } = await opened();
  await writeFile(join(directory, 'file'), '');
  assert.match((await new DiskStorage(join(directory, 'file')).problem()) ?? '', /EEXIST|ENOTDIR/);
  await close();
});
