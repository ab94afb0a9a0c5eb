// Needs: resolvers

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerAddress } from '../src/base/name-server.ts';

const run = promisify(execFile);

/** What `dig` prints of a server, line by line; fails without an answer. `+short` and the like are arguments. */
export async function dig(
  { address, port }: ServerAddress,
  ...args: readonly string[]
): Promise<readonly string[]> {
  const { stdout } = await installed(
    run('dig', [`@${address}`, '-p', String(port), '+time=3', '+tries=1', ...args]),
  );
  return stdout.split('\n').filter((line) => line !== '');
}

/** Says how to get a program that is not there. */
export async function installed<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${error.path} is missing: run scripts/install.sh tests`);
    throw error;
  });
}
