import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Binaries, serverEnvironment } from './binaries.ts';
import { configurationFileOf } from './configuration.ts';
import type { Endpoint } from './endpoint.ts';
import type { Home } from './home.ts';
import { directoryOf, isRunning, programOf } from './os-process.ts';
import { lastLines } from './server-log.ts';

/** PostgreSQL's first process: it listens, and all others are its children. */
export interface Postmaster {
  readonly pid: number;
  readonly endpoint: Endpoint;
  /** Present when it is a child of this process, and not of one that ended before. */
  readonly child?: ChildProcess;
}

type Status = 'starting' | 'ready' | 'stopping' | 'standby';

const POLL_MS = 10;

/**
 * What `postmaster.pid` says, when the process it names runs and is a PostgreSQL. The lines are the process id,
 * the cluster, the start time, the port, the socket's directory, the address, a shared memory key and the status
 * (src/include/utils/pidfile.h).
 */
export async function runningPostmaster(home: Home): Promise<(Postmaster & { status: Status }) | undefined> {
  const [pid, , , port, socket, address, , status] = await pidFile(home);
  const endpoint = socket
    ? { socket, port: Number(port) }
    : { address: address || '127.0.0.1', port: Number(port) };
  return isPostgres(home, Number(pid))
    ? { pid: Number(pid), endpoint, status: statusOf(status?.trim()) }
    : undefined;
}

/**
 * Starts the server, and returns at once. It is detached, that is in a session and a process group of its own:
 * Ctrl-C in a terminal goes to every process of the group in front, and would close the database under requests
 * that are still being answered. The server is stopped by `stopPostmaster` after them; and one whose parent was
 * killed goes on, to be found by the next start.
 */
export function spawnPostmaster(home: Home, binaries: Binaries, endpoint: Endpoint): Promise<Postmaster> {
  const child = spawn(
    binaries.postgres,
    ['-D', home.cluster, '-c', `config_file=${configurationFileOf(home)}`],
    {
      cwd: '/',
      env: serverEnvironment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...home.user,
    },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve({ pid: child.pid, endpoint, child });
    });
  });
}

/**
 * Waits until the server accepts connections, as long as it takes (after a crash it first reads its log, and to
 * kill it then would only cost more). Fails with what it complained of when it ends instead. `waiting` is called
 * every ten seconds.
 */
export async function untilReady(home: Home, postmaster: Postmaster, waiting: () => void): Promise<void> {
  const { child, pid } = postmaster;
  let complaints = '';
  const closed = child && once(child, 'close');
  child?.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000); // until it has its own log
  });
  for (let polls = 1; ; polls++) {
    const [named, , , , , , , status] = await pidFile(home);
    if (Number(named) === pid && status?.trim() === 'ready') break;
    if (hasEnded(postmaster)) {
      await closed;
      throw new Error(`${complaints}${await lastLines(home)}`.trim() || 'it ended without a word');
    }
    if (polls % (10_000 / POLL_MS) === 0) waiting();
    await setTimeout(POLL_MS);
  }
  // Neither shall keep this process alive, once all else in it is done.
  child?.stderr?.destroy();
  child?.unref();
}

/**
 * Stops the server the fast way: open transactions are rolled back, connections closed, everything written.
 * Returns when it is gone.
 */
export async function stopPostmaster(home: Home, binaries: Binaries, postmaster: Postmaster): Promise<void> {
  if (process.platform === 'win32') {
    await promisify(execFile)(binaries.pgCtl, ['stop', '-D', home.cluster, '-m', 'fast', '-W']);
  } else if (!hasEnded(postmaster)) {
    process.kill(postmaster.pid, 'SIGINT');
  }
  await untilGone(postmaster);
}

export async function untilGone(postmaster: Postmaster): Promise<void> {
  while (!hasEnded(postmaster)) await setTimeout(POLL_MS);
}

export function hasEnded({ child, pid }: Postmaster): boolean {
  return child === undefined ? !isRunning(pid) : child.exitCode !== null || child.signalCode !== null;
}

/**
 * Lets the server start although `postmaster.pid` of a server that was killed names a process that runs: the
 * number went to another program meanwhile, as is common in containers. The file itself must stay, because the
 * shared memory key in it is how PostgreSQL notices children of the killed server that still write. So the
 * number is changed to that of this process, which is the new server's parent and therefore disregarded
 * (CreateLockFile in src/backend/utils/init/miscinit.c). Called with the home's lock held.
 */
export async function disownReusedPid(home: Home): Promise<void> {
  const [pid, ...rest] = await pidFile(home);
  if (!pid || !isRunning(Number(pid)) || isPostgres(home, Number(pid))) return;
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(join(home.cluster, 'postmaster.pid'), [process.pid, ...rest].join('\n'), { flag });
}

/**
 * Ends what a killed server left: its children notice its death only between statements, and until the last of them
 * is gone no new server may start. Called with the home's lock held, when no server runs.
 */
export async function killOrphans(home: Home): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!isPostgres(home, Number(name))) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {} // it ended by itself
  }
}

async function pidFile(home: Home): Promise<string[]> {
  const text = await readFile(join(home.cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

/** Whether a process is a PostgreSQL that serves this cluster: it works in the cluster's directory. */
function isPostgres(home: Home, pid: number): boolean {
  if (!(pid > 0) || !isRunning(pid)) return false;
  if (process.platform !== 'win32' && programOf(pid) !== 'postgres') return false;
  return (directoryOf(pid) ?? home.cluster) === home.cluster;
}

function statusOf(text: string | undefined): Status {
  return text === 'ready' || text === 'stopping' || text === 'standby' ? text : 'starting';
}
