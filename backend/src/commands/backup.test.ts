import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../test/database.ts';
import { openFixture } from '../../test/fixture.ts';
import type { Command } from '../command.ts';
import { parseCommandLine } from '../config.ts';
import { DiskStorage } from '../drivers/storage/disk/storage.ts';
import { command as backup } from './backup.ts';
import { command as restore } from './restore.ts';

const fixture = await openFixture();
const folder = await mkdtemp(join(tmpdir(), 'backup-'));
after(() => rm(folder, { recursive: true }));
const KEY_FILE = join(folder, 'key');

/** Runs a command on an installation; what it told. */
async function told(command: Command, words: readonly string[], settings: Record<string, string>) {
  const lines: string[] = [];
  const { config } = parseCommandLine([], {
    HOSTKEEP_KEY_FILE: KEY_FILE,
    HOSTKEEP_LOG_LEVEL: 'silent',
    ...settings,
  });
  const tell = (line: string) => void lines.push(line);
  await command.run({ config, words, flags: {}, print: tell, tell });
  return lines.join('\n');
}

const content = Buffer.from('attached');
const key = createHash('sha256').update(content).digest('hex');
const damaged = createHash('sha256').update('something else').digest('hex');
const from = { DATABASE_URL: fixture.database.url, HOSTKEEP_DATA: join(folder, 'from') };
const into = { HOSTKEEP_DATA: join(folder, 'into') };
const filesOf = ({ HOSTKEEP_DATA }: { HOSTKEEP_DATA: string }) =>
  new DiskStorage(join(HOSTKEEP_DATA, 'files'));

test('attached files are in the backup and come back with it; a damaged one is named and left out', async () => {
  await filesOf(from).ensureStored(key, content);
  await filesOf(from).ensureStored(damaged, content);
  const directory = join(folder, 'backup');
  const said = await told(backup, [directory], from);
  assert.match(said, /^1 attached files are in it, too\.$/m);
  assert.match(said, new RegExp(`^The file ${damaged} is damaged`, 'm'));
  const target = await createTestDatabase();
  await writeFile(join(directory, 'files', key.slice(0, 2), `${key}.making`), 'unfinished');
  assert.match(
    await told(restore, [directory], { ...into, DATABASE_URL: target.url }),
    /^Restored 1 attached files\.$/m,
  );
  const kept = await filesOf(into).read(key);
  assert.deepEqual(Buffer.concat(await Array.fromAsync(kept ?? [])), content);
  assert.equal(await filesOf(into).read(damaged), null);
  assert.deepEqual(await readdir(join(into.HOSTKEEP_DATA, 'files', key.slice(0, 2))), [key]);
  await target.drop();
});

test('of files in a bucket a backup says that they are saved apart', async () => {
  const bucket = {
    HOSTKEEP_S3_URL: 'https://s3.example/files',
    HOSTKEEP_S3_ACCESS_KEY: 'a',
    HOSTKEEP_S3_SECRET_KEY: 'b',
  };
  const said = await told(backup, [join(folder, 'without')], { ...from, ...bucket });
  assert.match(said, /^Attached files are in the bucket https:\/\/s3\.example\/files: it is saved apart\.$/m);
});
