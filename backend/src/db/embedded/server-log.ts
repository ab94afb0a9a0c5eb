import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './home.ts';

const LINES = 15;

/** The end of what the server logged last, for the message about a server that does not start. */
export async function lastLines(home: Home): Promise<string> {
  const names = await readdir(home.log).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => ({ name, written: (await stat(join(home.log, name))).mtimeMs })),
  );
  const newest = files.sort((a, b) => b.written - a.written)[0];
  if (newest === undefined) return '';
  const text = await readFile(join(home.log, newest.name), 'utf8');
  return text.trimEnd().split('\n').slice(-LINES).join('\n');
}
