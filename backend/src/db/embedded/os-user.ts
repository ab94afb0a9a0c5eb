import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The account of the operating system that a process is given; PostgreSQL refuses to be root. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'hostkeep';

/** Whether this process is root, and therefore has to give the server another user. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The system user `hostkeep`, made when it is missing. Only root may ask. */
export function systemUser(): OsUser {
  const user = lookUp() ?? create();
  if (user.uid === 0) throw new Error(`the OS user "${NAME}" is root, and PostgreSQL does not run as root`);
  return user;
}

/** Whether a user passes through every directory of an absolute path without symbolic links, the last included. */
export async function canTraverse(path: string, user: OsUser): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & execute) === 0) return false;
  const parent = dirname(path);
  return parent === path || (await canTraverse(parent, user));
}

function create(): OsUser {
  const shell = '/usr/sbin/nologin';
  const useradd = ['useradd', '--system', '--user-group', '--no-create-home', '--shell', shell, NAME];
  const busyBox = [
    ['addgroup', '-S', NAME],
    ['adduser', '-S', '-D', '-H', '-G', NAME, '-s', '/sbin/nologin', NAME],
  ];
  const complaints: string[] = [];
  for (const commands of [[useradd], busyBox]) {
    try {
      for (const [program = '', ...args] of commands) run(program, args);
    } catch (error) {
      complaints.push(error instanceof Error ? error.message.trim() : String(error));
    }
    const user = lookUp(); // also when it failed: another process may have been quicker
    if (user !== undefined) return user;
  }
  throw new Error(
    `PostgreSQL does not run as root, and its OS user "${NAME}" could not be created ` +
      `(${complaints.join('; ').replaceAll('\n', ' ')}). Create it ` +
      `(useradd --system --no-create-home --shell ${shell} ${NAME}), or start Hostkeep as an ordinary user, ` +
      'or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function lookUp(): OsUser | undefined {
  let printed: string;
  try {
    printed = run('id', [NAME]);
  } catch {
    return undefined;
  }
  const [, uid, gid] = /^uid=(\d+).*? gid=(\d+)/.exec(printed) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** The directories for administrators are not in every PATH. */
function run(program: string, args: string[]): string {
  const path = `${process.env.PATH ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`;
  return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', env: { PATH: path, LC_ALL: 'C' } });
}
