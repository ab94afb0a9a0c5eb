import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canTraverse, isRoot, type OsUser, systemUser } from './os-user.ts';
import { ensureOpenDirectory } from './owned.ts';

/** Where the server lives on disk, and as whom it runs. Nobody else but root may enter it. */
export interface Home {
  /** Absolute, and free of symbolic links. */
  readonly path: string;
  /** PostgreSQL's own directory, often called PGDATA; the server's socket is in it too. */
  readonly cluster: string;
  /** The server's log files. */
  readonly log: string;
  /** Undefined: the user of this process. */
  readonly user: OsUser | undefined;
  /** Where copies of the programs go, should the server's user not reach the installed ones. */
  readonly copies: string;
}

/** What root's servers keep outside the data directory, when their user cannot reach it there. */
const SYSTEM = '/var/lib/hostkeep';

/**
 * Finds or makes `postgres` in the data directory. Under root the server runs as whoever owns the cluster in it, and
 * a new one is given to the system user `hostkeep`; where that user may not pass through a directory above, such as a
 * home of mode 0700, `postgres` is a symbolic link to a directory in `/var/lib/hostkeep`.
 */
export async function openHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const above = await realpath(dataDir);
  const link = join(above, 'postgres');
  if (!(await exists(link))) await place(link, above);
  const path = await realpath(link).catch((error: unknown) => {
    throw new Error(`${link} points to a directory that is gone: bring it back, or remove the link`, {
      cause: error,
    });
  });
  const user = isRoot() ? await lesserUser(path) : await ownUser(path);
  return {
    path,
    cluster: join(path, 'cluster'),
    log: join(path, 'log'),
    user,
    copies: user === undefined ? above : SYSTEM,
  };
}

async function place(link: string, above: string): Promise<void> {
  if (!isRoot() || (await canTraverse(above, systemUser()))) {
    await mkdir(link, { mode: 0o700 }).catch(ignoreExisting);
    return;
  }
  const hash = createHash('sha256').update(above).digest('hex').slice(0, 16);
  const elsewhere = join(SYSTEM, 'clusters', hash);
  await ensureOpenDirectory(SYSTEM);
  await ensureOpenDirectory(dirname(elsewhere));
  await mkdir(elsewhere, { mode: 0o700 }).catch(ignoreExisting);
  const former = (await readdir(elsewhere)).includes('cluster');
  if (former && !(await exists(link))) {
    throw new Error(
      `${elsewhere} holds a database that once belonged to ${above}. ` +
        `To use it again: ln -s ${elsewhere} ${link}. To begin afresh: remove or rename it.`,
    );
  }
  await symlink(elsewhere, link).catch(ignoreExisting);
}

/** Root keeps what root writes; the server's user may enter, and owns the directories that the server writes. */
async function lesserUser(path: string): Promise<OsUser> {
  const home = await stat(path);
  const owner = await lstat(join(path, 'cluster')).catch(() => home);
  const user = owner.uid === 0 ? systemUser() : { uid: owner.uid, gid: owner.gid };
  if (home.uid === 0) {
    await lchown(path, 0, user.gid);
    await chmod(path, 0o750);
  }
  if (await canTraverse(path, user)) return user;
  throw new Error(
    `PostgreSQL runs as the OS user with id ${user.uid}, who cannot enter ${path}: open the directories above ` +
      `it to that user (chmod o+x), or move it to ${SYSTEM}/clusters and leave a symbolic link`,
  );
}

async function ownUser(path: string): Promise<undefined> {
  const { uid } = await stat(path);
  if (process.getuid === undefined || uid === process.getuid()) return;
  throw new Error(
    `${path} belongs to the OS user with id ${uid}: start Hostkeep as that user or as root, or choose another ` +
      'data directory',
  );
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
