import { BackendUnavailable } from '../outcome.ts';
import { openChild, pipeChild, runChild } from './child.ts';
import type { Executor } from './executor.ts';

/** How a host is reached. The user must be root there. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly identityFile: string;
  /** Holds the host's key; no other is accepted. */
  readonly knownHostsFile: string;
  /** Where the connection that all commands share has its socket; a directory of the program's own. */
  readonly controlDirectory: string;
}

// What ssh itself ends with when it could not reach the host, or lost it.
const SSH_FAILED = 255;

/**
 * Quotes a list of arguments for the shell that the SSH server runs commands by: each becomes one word, whatever it
 * holds (POSIX.1-2017, Shell Command Language, 2.2.2).
 */
export function quoted(argv: readonly string[]): string {
  return argv
    .map((argument) => {
      if (argument.includes('\0')) throw new RangeError('an argument cannot hold a null character');
      return `'${argument.replaceAll("'", `'\\''`)}'`;
    })
    .join(' ');
}

/** Another host as a back end, over one connection of the system's ssh that all commands share. */
export function sshExecutor(backend: string, target: SshTarget): Executor {
  const options = [
    ...['-F', 'none', '-p', String(target.port), '-i', target.identityFile, '-l', target.user],
    ...['-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-o', 'StrictHostKeyChecking=yes'],
    ...['-o', `UserKnownHostsFile=${target.knownHostsFile}`, '-o', 'GlobalKnownHostsFile=/dev/null'],
    ...['-o', 'ConnectTimeout=10', '-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=3'],
    ...['-o', 'ControlMaster=auto', '-o', `ControlPath=${target.controlDirectory}/%C`],
    ...['-o', 'ControlPersist=60', '-o', 'LogLevel=ERROR'],
  ];
  const remote = (argv: readonly string[]) => ['ssh', '-T', ...options, '--', target.host, quoted(argv)];
  return {
    async run(argv, given) {
      const finished = await runChild(backend, remote(argv), given);
      if (finished.code === SSH_FAILED)
        throw new BackendUnavailable(backend, new Error(finished.stderr.trim()));
      return finished;
    },
    open: (argv) => openChild(remote(argv)),
    pipe: (argv, streams) => pipeChild(backend, remote(argv), streams),
    connect: (path) => openChild(remote(['socat', '-', `UNIX-CONNECT:${path}`])),
    async close() {
      await runChild(backend, ['ssh', '-O', 'exit', ...options, '--', target.host]).catch(() => null);
    },
  };
}
