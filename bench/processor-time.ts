import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  readonly ticks: number;
}

/** proc_pid_stat(5). Children that ended and were waited for count for their parent. */
function statOf(pid: number | string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
  } catch {
    return null;
  }
}

/** Microseconds of processor time that a process has used; null where the system does not tell (not Linux). */
export function processorTime(pid: number): number | null {
  const stat = statOf(pid);
  return stat === null ? null : (stat.ticks / TICKS_PER_SECOND) * 1e6;
}

/** The same for a process and its children: PostgreSQL's server and its backends. */
export function processorTimeWithChildren(pid: number): number | null {
  const own = statOf(pid);
  if (own === null) return null;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid);
  const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.ticks);
  return (ticks / TICKS_PER_SECOND) * 1e6;
}
