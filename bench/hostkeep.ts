import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchDatabase } from './databases.ts';

/** Hostkeep's API as production runs it: a process of its own, rates counted, logs in a file, metrics, audit. */
export interface Hostkeep {
  readonly port: number;
  readonly pid: number;
  /** Megabytes that the process holds in memory, as its own metrics say. */
  residentMemory(): Promise<number>;
  stop(): Promise<void>;
}

export interface HostkeepOptions {
  /** The program: `backend/bin/hostkeep.js` of this or of another checkout. */
  readonly program: string;
  /** Where its key, its log and its profile go. */
  readonly directory: string;
  /** Options of Node itself, such as `--cpu-prof`. */
  readonly nodeOptions: readonly string[];
  /** Whether the process runs jobs, too. */
  readonly worker?: boolean;
  /** Beside the bench's own. */
  readonly settings?: Readonly<Record<string, string>>;
}

export function keyFileOf(directory: string): string {
  return join(directory, 'bench.key');
}

export async function startHostkeep(database: BenchDatabase, options: HostkeepOptions): Promise<Hostkeep> {
  const { program, directory, nodeOptions, worker = false, settings = {} } = options;
  const logFile = join(directory, `${database.name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    [...nodeOptions, program, 'serve', ...(worker ? [] : ['--no-worker']), '--no-demo', '--port', '0'],
    {
      cwd: directory,
      stdio: ['ignore', 'pipe', log],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        DATABASE_URL: database.url,
        HOSTKEEP_DATA: join(directory, 'data'),
        HOSTKEEP_KEY_FILE: keyFileOf(directory),
        HOSTKEEP_RATE_TOKEN: '10000000',
        HOSTKEEP_RATE_ACCOUNT: '10000000',
        HOSTKEEP_RATE_ADDRESS: '10000000',
        HOSTKEEP_LOG_LEVEL: 'info',
        ...settings,
      },
    },
  );
  closeSync(log);
  const port = await portOf(child).catch((error: Error) => {
    throw new Error(`${error.message}\n${readFileSync(logFile, 'utf8')}`);
  });
  return {
    port,
    pid: child.pid ?? 0,
    async residentMemory() {
      const [, metrics = ''] = /Its health and metrics: \S+ (\S+)/.exec(readFileSync(logFile, 'utf8')) ?? [];
      const text = await (await fetch(metrics)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('no standard output');
  for await (const line of createInterface(child.stdout)) {
    const port = /Hostkeep is ready on http:\/\/[^\s:]+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      child.stdout.resume();
      return Number(port);
    }
  }
  throw new Error('Hostkeep did not start');
}
