import { chmod, cp, glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf, tool } from './os-process.ts';

const DIRECTORY = /\/hostkeep-ha-(\d+)-(\d+)-[^/]+/;

const SHOWN_OF_A_LOG = 2_500;

/** The one directory below which everything of a run is kept, with the file systems mounted in it. */
export class Workspace {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<Workspace> {
    const owner = `${process.pid}-${startOf(process.pid)}`;
    const workspace = new Workspace(await mkdtemp(join(tmpdir(), `hostkeep-ha-${owner}-`)));
    await chmod(workspace.directory, 0o711); // the users of PostgreSQL and etcd pass through
    await mkdir(join(workspace.directory, 'logs'));
    return workspace;
  }

  log(name: string): string {
    return join(this.directory, 'logs', `${name}.log`);
  }

  /** A file system of its own, in memory, which can be filled without harm to the machine. */
  async mountDisk(name: string, megabytes: number, user: string): Promise<string> {
    const path = join(this.directory, name);
    await mkdir(path);
    const [uid, gid] = await Promise.all([tool('id', '-u', user), tool('id', '-g', user)]);
    const options = `size=${megabytes}m,mode=0700,uid=${uid},gid=${gid}`;
    await tool('mount', '-t', 'tmpfs', '-o', options, 'hostkeep-ha', path);
    return path;
  }

  async remove(): Promise<void> {
    await unmountBelow(this.directory);
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20 });
  }

  /** The last lines that a program printed. */
  async endOfLog(name: string): Promise<string> {
    const text = await readFile(this.log(name), 'utf8').catch(() => '');
    return text.slice(-SHOWN_OF_A_LOG);
  }

  /** Puts the logs where the next run does not clean up, and says where. */
  async keepLogs(): Promise<string> {
    const kept = await mkdtemp(join(tmpdir(), 'hostkeep-kept-logs-'));
    await cp(join(this.directory, 'logs'), kept, { recursive: true });
    return kept;
  }
}

/** Unmounts and removes what runs that ended without cleaning up have left. */
export async function removeLeftWorkspaces(): Promise<void> {
  const places = await mountPoints();
  for await (const name of glob('hostkeep-ha-*', { cwd: tmpdir() })) places.push(join(tmpdir(), name));
  const left = new Set<string>();
  for (const path of places) {
    const found = DIRECTORY.exec(path);
    if (found !== null && isLeft(found)) left.add(path.slice(0, found.index + found[0].length));
  }
  for (const directory of left) {
    await unmountBelow(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

function isLeft([, pid, start]: RegExpExecArray): boolean {
  return startOf(Number(pid)) !== start;
}

async function mountPoints(): Promise<string[]> {
  const table = await readFile('/proc/mounts', 'utf8');
  return table.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
}

async function unmountBelow(directory: string): Promise<void> {
  for (const path of await mountPoints()) {
    if (path.startsWith(`${directory}/`)) await tool('umount', '--lazy', path);
  }
}
