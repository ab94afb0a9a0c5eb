import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Whether a process runs. One that ended but that nobody has waited for yet (a zombie) does not: it holds
 * neither files nor locks, and under a parent that never waits it would seem to run for ever.
 */
export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return statOf(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * What tells a process from a later one that was given the same number: when it started, in a form that only
 * compares equal to itself. Undefined when no such process runs.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return statOf(pid)?.start;
  if (!isRunning(pid)) return undefined;
  return ps(pid, 'lstart') ?? 'running';
}

/** The name of the program that a process runs, undefined when that cannot be told. */
export function programOf(pid: number): string | undefined {
  if (process.platform === 'linux') return statOf(pid)?.program;
  const path = ps(pid, 'comm');
  return path === undefined ? undefined : basename(path);
}

/** The directory that a process works in, undefined when that cannot be told. */
export function directoryOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** From proc(5): the second field, in brackets, may itself hold brackets and spaces, so count from the last one. */
function statOf(pid: number): { program: string; start: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const state = fields[0];
  const start = fields[19]; // field 22 of the line, in clock ticks since boot
  if (start === undefined || state === 'Z' || state === 'X') return undefined;
  return { program: stat.slice(stat.indexOf('(') + 1, end), start };
}

function ps(pid: number, column: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const printed = execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return printed.trim() || undefined;
  } catch {
    return undefined;
  }
}
