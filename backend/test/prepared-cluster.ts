import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../src/db/embedded.ts';
import { ensureTemplate, migrationsHash, withClient } from './template.ts';

const PLACE = join(import.meta.dirname, '../../node_modules/.cache/hostkeep/clusters');
/** For two branches that are worked on in turns. */
const KEPT = 3;
const DAY_MS = 86_400_000;

/**
 * Puts a cluster with the template of test databases where an embedded server of this data directory will look for it,
 * which is quicker than making one. It is kept between runs, for each state of the migrations and of PostgreSQL, and
 * made when missing. It is put in place by its last rename only, so that whatever is there is whole, whichever processes
 * make the same and whenever one of them is killed. Where it cannot be kept, the server makes its own.
 */
export async function prepareCluster(dataDir: string, place = PLACE): Promise<void> {
  if (process.platform === 'win32') return; // nothing there copies owners and modes
  const kept = join(place, keyOf());
  try {
    if (!(await exists(kept))) await make(place, kept);
    const now = new Date();
    await utimes(kept, now, now);
    await copy(join(kept, 'postgres'), join(dataDir, 'postgres'));
  } catch {
    await rm(join(dataDir, 'postgres'), { recursive: true, force: true });
  }
}

function keyOf(): string {
  const programs = ['configuration.ts', 'cluster.ts', 'home.ts'].map((name) =>
    readFileSync(new URL(`../src/db/embedded/${name}`, import.meta.url)),
  );
  const digest = createHash('sha256').update(migrationsHash());
  for (const program of programs) digest.update(program);
  // Whose it is counts as well as what it is: a server of root's is another account's.
  digest.update(readFileSync(new URL('../package.json', import.meta.url))).update(`${process.getuid?.()}`);
  return digest.digest('hex').slice(0, 16);
}

async function make(place: string, kept: string): Promise<void> {
  await mkdir(place, { recursive: true });
  await removeOld(place);
  const dataDir = await mkdtemp(join(tmpdir(), 'hostkeep-'));
  const made = `${kept}.${randomBytes(4).toString('hex')}.making`;
  try {
    await chmod(dataDir, 0o711); // for the server's user, when this is root
    const server = await startEmbeddedPostgres({ dataDir, durable: false });
    try {
      await withClient(server.url, (client) => ensureTemplate(client, server.url));
    } finally {
      await server.stop();
    }
    await mkdir(made);
    await copy(join(dataDir, 'postgres'), join(made, 'postgres'));
    await rename(made, kept).catch(async (error: unknown) => {
      if (!(await exists(kept))) throw error; // else another process was quicker
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    await rm(made, { recursive: true, force: true });
  }
}

/** Those that were used last stay, and what is being made; what a killed process was making goes after a day. */
async function removeOld(place: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(place)).map(async (name) => ({
      path: join(place, name),
      making: name.endsWith('.making'),
      used: (await stat(join(place, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const whole = entries.filter(({ making }) => !making).sort((a, b) => b.used - a.used);
  const abandoned = entries.filter(({ making, used }) => making && used < Date.now() - DAY_MS);
  for (const { path } of [...whole.slice(KEPT - 1), ...abandoned])
    await rm(path, { recursive: true, force: true });
}

async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
