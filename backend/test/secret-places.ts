import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { dumpDatabase, formsOf } from './dump.ts';

/** Where a secret could come to lie. */
export interface Places {
  readonly directories: readonly string[];
  readonly database: pg.Pool;
  readonly logged: readonly string[];
}

/** Those of the places that any of the texts is to be read at, in whatever form: among them the running processes. */
export async function placesOf(texts: readonly string[], places: Places): Promise<string[]> {
  const forms = texts.flatMap(formsOf);
  const holds = (words: string) => forms.some((form) => words.includes(form));
  const patterns = forms.flatMap((form) => ['-e', form]);
  const dump = await dumpDatabase(places.database);
  return [
    ...(wordsOfProcesses().some(holds) ? ['processes'] : []),
    ...places.directories.flatMap((directory) =>
      spawnSync('grep', ['-rlaF', ...patterns, directory], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((path) => path !== ''),
    ),
    ...(holds(dump) ? ['database'] : []),
    ...(holds(places.logged.join('')) ? ['logs'] : []),
  ];
}

/** The arguments and the environment of every process of this machine, as anybody who may look at them reads them. */
export function wordsOfProcesses(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => ['cmdline', 'environ'].map((file) => read(`/proc/${pid}/${file}`)));
}

/** A process that has ended meanwhile says nothing. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
